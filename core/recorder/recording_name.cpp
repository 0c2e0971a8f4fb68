#include "core/recorder/recording_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr int kFewestDigits = 2;
constexpr std::size_t kLongestHost = 64;
constexpr const char* kRestarts = "TORCHELASTIC_RESTART_COUNT";
constexpr const char* kPlaces = "{rank}, {local_rank}, {host}";

// As many digits as the last rank has, so that names sort.
std::string rankText(const LaunchedRank& rank)
{
    const int last = std::max(rank.worldSize.value_or(1) - 1, rank.rank);
    return fmt::format("{:0{}}", rank.rank, std::max<int>(kFewestDigits, std::to_string(last).size()));
}

std::string suffixOf(const RecordingPlace& place)
{
    std::string suffix = fmt::format("rank{}", rankText(*place.rank));
    if (const std::string host = hostForName(place.host); !host.empty())
        suffix += '-' + host;
    // Files of the first start are kept.
    return place.restarts > 0 ? fmt::format("{}-restart{}", suffix, place.restarts) : suffix;
}

Error withoutValue(std::string_view name, std::string_view option)
{
    return Error{
        fmt::format("{}: {{{}}} has no value, since no launcher told this process. Start overlane record below the "
                    "launcher: torchrun --no-python overlane record -o FOLDER/ -- python train.py",
                    option, name)};
}

Result<std::string> valueOf(std::string_view name, const RecordingPlace& place, std::string_view option)
{
    if (name == "host")
        return hostForName(place.host);
    if (name == "rank")
        return place.rank ? Result<std::string>(rankText(*place.rank)) : withoutValue(name, option);
    if (name == "local_rank")
        return place.rank && place.rank->localRank ? Result<std::string>(std::to_string(*place.rank->localRank))
                                                   : withoutValue(name, option);
    return Error{fmt::format("{}: there is no place {{{}}}; those to fill in are {}.", option, name, kPlaces)};
}

bool isFolder(const std::string& asked)
{
    std::error_code error;
    return asked.ends_with('/') || fs::is_directory(asked, error);
}

}  // namespace

RecordingPlace recordingPlace()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    RecordingPlace place;
    place.rank = launchedRank(variable);
    place.restarts = rankNumber(variable(kRestarts)).value_or(0);
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0)
        place.host = host.data();
    return place;
}

std::string hostForName(const std::string& host)
{
    std::string name = host.substr(0, host.find('.'));
    if (std::all_of(name.begin(), name.end(), [](unsigned char letter) { return std::isdigit(letter); }))
        name = host;  // an address
    name = name.substr(0, kLongestHost);
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char letter) {
            return letter > 127 || (!std::isalnum(letter) && letter != '-' && letter != '_' && letter != '.');
        },
        '-');
    return name;
}

Result<RecordingName> recordingName(const std::string& asked, const std::string& standard, const RecordingPlace& place,
                                    const NamedFile& file)
{
    const std::string ending(file.ending);
    RecordingName name;
    bool filled = false;
    for (std::size_t at = 0; at < asked.size(); ++at) {
        const std::size_t end = asked[at] == '{' ? asked.find('}', at) : std::string::npos;
        if (end == std::string::npos) {
            name.file += asked[at];
            continue;
        }
        ASSIGN_OR_RETURN(const std::string value,
                         valueOf(std::string_view(asked).substr(at + 1, end - at - 1), place, file.option));
        name.file += value;
        filled = true;
        at = end;
    }
    const std::string suffix = place.isOfJob() ? suffixOf(place) : std::string();
    if (name.file.empty()) {
        name.file = standard + (suffix.empty() ? "" : "-" + suffix) + ending;
        return name;
    }
    if (isFolder(name.file)) {
        name.folder = name.file;
        const std::string& stem = suffix.empty() ? standard : suffix;
        name.file = (fs::path(name.folder) / (stem + ending)).string();
        return name;
    }
    if (filled)
        name.folder = fs::path(name.file).parent_path().string();
    if (filled || suffix.empty())
        return name;
    const bool hasEnding = name.file.ends_with(ending);
    name.file = name.file.substr(0, name.file.size() - (hasEnding ? ending.size() : 0)) + '-' + suffix +
                (hasEnding ? ending : "");
    name.changed = true;
    return name;
}

}  // namespace overlane
