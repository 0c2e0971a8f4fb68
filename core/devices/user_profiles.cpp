#include "core/devices/user_profiles.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>

#include "core/base/text_file.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".json";
constexpr std::size_t kLargestFile = std::size_t{16} << 20;

struct ReadProfile {
    std::string file;
    std::string text;
    DeviceProfile profile;
    bool current = true;  // not replaced by a newer reading of the same file
};

// What was read so far; never shrinks, so that its profiles keep their places.
struct Store {
    std::mutex mutex;
    std::deque<ReadProfile> read;
};

Store& store()
{
    static Store kept;
    return kept;
}

bool taken(const std::string& key, const std::string& file, const std::deque<ReadProfile>& read)
{
    const std::span<const DeviceProfile> embedded = allDeviceProfiles();
    return std::any_of(embedded.begin(), embedded.end(), [&](const DeviceProfile& each) { return each.key == key; }) ||
           std::any_of(read.begin(), read.end(), [&](const ReadProfile& each) {
               std::error_code error;
               return each.current && each.file != file && each.profile.key == key && fs::exists(each.file, error);
           });
}

}  // namespace

std::string userProfileFolder()
{
    const char* data = std::getenv("XDG_DATA_HOME");
    if (data != nullptr && *data == '/')
        return std::string(data) + "/overlane/devices";
    const char* home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? std::string(home) + "/.local/share/overlane/devices" : std::string();
}

bool namesProfileFile(std::string_view keyOrFile)
{
    return keyOrFile.ends_with(kEnding) ||
           (keyOrFile.find('/') != std::string_view::npos && keyOrFile.find('@') == std::string_view::npos);
}

Result<const DeviceProfile*> readDeviceProfile(const std::string& file)
{
    std::error_code error;
    const fs::path whole = fs::absolute(file, error);
    const std::string path = error ? file : whole.lexically_normal().string();
    const Result<std::string> text = readTextFile(path, kLargestFile);
    if (!text.ok())
        return text.failure();
    Store& kept = store();
    const std::lock_guard lock(kept.mutex);
    for (const ReadProfile& each : kept.read)
        if (each.current && each.text == text.value())  // a copy of a file is no other profile
            return &each.profile;
    auto profile = parseDeviceProfile(text.value());
    if (!profile.ok())
        return profile.failure().in(file);
    for (ReadProfile& each : kept.read)
        each.current = each.current && each.file != path;
    if (taken(profile.value().key, path, kept.read))
        profile.value().key += "@" + path;
    kept.read.push_back({path, text.value(), std::move(profile).value()});
    return &kept.read.back().profile;
}

std::vector<const DeviceProfile*> userDeviceProfiles()
{
    std::vector<std::string> files;
    std::error_code error;
    const std::string folder = userProfileFolder();
    if (!folder.empty())
        for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error))
            if (each->path().extension() == kEnding)
                files.push_back(each->path().string());
    std::sort(files.begin(), files.end());
    std::vector<const DeviceProfile*> profiles;
    for (const std::string& file : files)
        if (const auto profile = readDeviceProfile(file); profile.ok())
            profiles.push_back(profile.value());
    return profiles;
}

std::string userProfileText(const DeviceProfile& profile)
{
    Store& kept = store();
    const std::lock_guard lock(kept.mutex);
    const auto found = std::find_if(kept.read.rbegin(), kept.read.rend(),
                                    [&](const ReadProfile& each) { return each.profile.key == profile.key; });
    return found != kept.read.rend() ? found->text : std::string();
}

const DeviceProfile* findDeviceProfile(std::string_view key)
{
    for (const DeviceProfile& profile : allDeviceProfiles())
        if (profile.key == key)
            return &profile;
    for (const DeviceProfile* profile : userDeviceProfiles())
        if (profile->key == key)
            return profile;
    Store& kept = store();
    const std::lock_guard lock(kept.mutex);
    const auto found = std::find_if(kept.read.rbegin(), kept.read.rend(),
                                    [&](const ReadProfile& each) { return each.profile.key == key; });
    return found != kept.read.rend() ? &found->profile : nullptr;
}

Result<const DeviceProfile*> deviceProfileFrom(std::string_view keyOrFile)
{
    if (namesProfileFile(keyOrFile))
        return readDeviceProfile(std::string(keyOrFile));
    if (const DeviceProfile* found = findDeviceProfile(keyOrFile))
        return found;
    std::string keys;
    for (const DeviceProfile& profile : allDeviceProfiles())
        keys += (keys.empty() ? "" : ", ") + profile.key;
    for (const DeviceProfile* profile : userDeviceProfiles())
        keys += ", " + profile->key;
    return Error{fmt::format("'{}' names no device profile; there are: {}, and the path of a file.", keyOrFile, keys)};
}

}  // namespace overlane
