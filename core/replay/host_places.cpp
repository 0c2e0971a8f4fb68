#include "core/replay/host_places.h"

#include <fmt/format.h>

#include "core/analysis/host_stacks.h"
#include "core/base/units.h"

namespace overlane
{

std::vector<CodeShare> hostPlaces(const Analysis& analysis, Interval range)
{
    if (analysis.stacks().empty())
        return {};
    std::vector<HostStacks::TimeOfTrack> threads;
    for (const HostActivity::LaunchingThread& thread : analysis.host().launchingThreads) {
        IntervalSet calls;
        for (const GpuCall& call : thread.calls)
            calls.add({call.startNs, call.endNs});
        threads.push_back({thread.track, calls.gaps(range.intersected(thread.span))});
    }
    return analysis.stacks().of(threads, range);
}

std::string hostPlacesNote(const std::vector<CodeShare>& places, std::int64_t hostNs, bool ofRange)
{
    const std::string text = codeSharesText(places);
    return text.empty() ? std::string()
                        : fmt::format("The launching threads are busy for {} {}; their own code stays as measured: {}.",
                                      formatDuration(hostNs), ofRange ? "in all" : "per step", text);
}

}  // namespace overlane
