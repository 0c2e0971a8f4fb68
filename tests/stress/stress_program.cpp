// What kill_moments.py kills and looks with, beside the programs that people run.
//
//   save FILE [TIMES]  saves FILE again and again as the window does, each time with one bookmark more, and prints
//                      the number of bookmarks when it is saved
//   bookmarks FILE     prints how many bookmarks and events FILE has
//   profile FILE       writes the profile of a machine that does not exist, as a calibration leaves it
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "core/calibration/calibrated_profile.h"
#include "core/io/format.h"
#include "core/io/overlane_format.h"
#include "core/trace/made_by_hand.h"
#include "tests/unit/calibration/made_up_samples.h"

using namespace overlane;

namespace
{

std::string bookmarksOf(const Trace& trace)
{
    const auto& properties = trace.metadata().properties;
    const auto found = properties.find(kBookmarksProperty);
    return found == properties.end() ? std::string() : found->second;
}

int failed(const std::string& reason)
{
    fmt::print(stderr, "{}\n", reason);
    return 1;
}

int save(const std::string& file, std::int64_t times)
{
    Progress progress;
    const auto trace = readTrace(file, progress);
    if (!trace.ok())
        return failed(trace.error());
    std::string bookmarks = bookmarksOf(trace.value());
    auto count = std::count(bookmarks.begin(), bookmarks.end(), '\n');
    for (; times > 0; --times) {
        bookmarks += fmt::format("{}\tmark {}\n", count, count);
        ++count;
        if (const auto saved = writeOverlane(trace.value(), file, progress, {MadeByHand{{}, bookmarks, {}}, {}});
            !saved.ok())
            return failed(saved.error());
        fmt::print("{}\n", count);
        std::fflush(stdout);
    }
    return 0;
}

int countBookmarks(const std::string& file)
{
    Progress progress;
    const auto trace = readTrace(file, progress);
    if (!trace.ok())
        return failed(trace.error());
    const std::string bookmarks = bookmarksOf(trace.value());
    fmt::print("{} {}\n", std::count(bookmarks.begin(), bookmarks.end(), '\n'), trace.value().columns().kind.size());
    return 0;
}

int profile(const std::string& file)
{
    const auto saved = saveProfile(calibratedProfile(recordOf(madeUpSamples(), "2026-11-22", false)), file);
    return saved.ok() ? 0 : failed(saved.error());
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() < 2)
        return failed("save, bookmarks or profile, and a file");
    if (arguments[0] == "save")
        return save(arguments[1], arguments.size() > 2 ? std::stoll(arguments[2]) : INT64_MAX);
    if (arguments[0] == "bookmarks")
        return countBookmarks(arguments[1]);
    return arguments[0] == "profile" ? profile(arguments[1]) : failed("There is no " + arguments[0]);
}
