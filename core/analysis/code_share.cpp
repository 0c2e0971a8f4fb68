#include "core/analysis/code_share.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <system_error>

namespace overlane
{
namespace
{

constexpr double kOnOneLine = 0.9;
constexpr double kMostOfIt = 0.5;

// Whether a place called one function for so long that both are said as one.
bool isMostlyWithin(const CodeShare& share)
{
    return !share.innermost.empty() && share.innermostShare >= share.share / 2;
}

// ", 51 % on that line", where a place has much of its time on other lines.
std::string lineText(const CodeShare& share)
{
    return share.lineShare < kOnOneLine * share.share ? fmt::format(", {} on that line", percentText(share.lineShare))
                                                      : std::string();
}

// ", 28 % in PIL/Image.py:2200 resize", where it has its time in several functions.
std::string calledText(const CodeShare& share)
{
    return share.innermost.empty() || isMostlyWithin(share)
               ? std::string()
               : fmt::format(", {} in {}", percentText(share.innermostShare), shortPlace(share.innermost));
}

}  // namespace

std::string_view shortPlace(std::string_view place)
{
    const std::string_view path = place.substr(0, place.find(' '));
    const std::size_t file = path.rfind('/');
    const std::size_t folder = file == std::string_view::npos || file == 0 ? file : path.rfind('/', file - 1);
    const bool isLong = std::count(path.begin(), path.end(), '/') > 2;
    return isLong ? place.substr(folder + 1) : place;
}

std::string percentText(double share)
{
    return fmt::format("{:.0f}\u2009%", 100 * share);
}

// The line stands before the first space that follows a file of Python, else before the first that any line ends at.
CodePlace codePlace(std::string_view place)
{
    const auto cutAt = [&](std::size_t colon) {
        CodePlace found;
        const char* const end = place.data() + place.size();
        const auto [rest, error] = std::from_chars(place.data() + colon + 1, end, found.line);
        if (error != std::errc() || rest == end || *rest != ' ')
            return CodePlace{{}, 0, place};
        found.file = place.substr(0, colon);
        found.function = std::string_view(rest + 1, static_cast<std::size_t>(end - rest) - 1);
        return found;
    };
    if (const std::size_t python = place.find(".py:"); python != std::string_view::npos)
        return cutAt(python + 3);
    for (std::size_t colon = place.find(':'); colon != std::string_view::npos; colon = place.find(':', colon + 1))
        if (const CodePlace found = cutAt(colon); found.line > 0)
            return found;
    return {{}, 0, place};
}

std::string codeSharesText(const std::vector<CodeShare>& shares)
{
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t at = 0; at < std::min(kMost, shares.size()); ++at) {
        const CodeShare& share = shares[at];
        if (at > 0 && share.share < kPlaceWorthNaming)
            break;
        const bool named = at == 0 && isMostlyWithin(share);
        text += fmt::format("{}{} ({}{}{})", at == 0 ? "" : ", ", shortPlace(share.place), percentText(share.share),
                            named ? fmt::format(", mostly {}", shortPlace(share.innermost)) : std::string(),
                            at == 0 ? lineText(share) + calledText(share) : std::string());
    }
    return text;
}

std::string placeText(const CodeShare& share)
{
    return fmt::format("{}{}", shortPlace(share.place),
                       isMostlyWithin(share) ? fmt::format(" ({})", shortPlace(share.innermost)) : std::string());
}

std::string firstShareText(const std::vector<CodeShare>& shares)
{
    if (shares.empty() || shares.front().share < kPlaceWorthNaming)
        return {};
    const CodeShare& share = shares.front();
    return fmt::format(", {} of it in {}", percentText(share.share), shortPlace(share.place));
}

std::string calledSentence(const std::vector<CodeShare>& shares)
{
    if (shares.empty() || shares.front().share < kPlaceWorthNaming || !isMostlyWithin(shares.front()))
        return {};
    return fmt::format(" Most of {} is in {}.", shortPlace(shares.front().place), shortPlace(shares.front().innermost));
}

MainSense mainSense(const std::vector<CodeShare>& shares)
{
    MainSense most;
    for (const FrameSense sense : {FrameSense::Waits, FrameSense::Launches, FrameSense::Compiles}) {
        double sum = 0;
        const CodeShare* place = nullptr;
        for (const CodeShare& share : shares) {
            sum += share.sense(sense);
            if (!place || share.sense(sense) > place->sense(sense))
                place = &share;
        }
        if (sum > kMostOfIt)
            most = {sense, sum, place};
    }
    return most;
}

}  // namespace overlane
