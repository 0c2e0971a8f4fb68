#include "core/analysis/gap_threads.h"

#include <algorithm>
#include <map>
#include <utility>

namespace overlane
{
namespace
{

using Thread = HostActivity::LaunchingThread;

// The thread that handed over to the one that asked for a gap's next work; nullptr where none did.
const Thread* handingOver(const HostActivity& host, const IdleGap& gap)
{
    if (!gap.askerBefore.valid() || gap.askerBefore == gap.asker)
        return nullptr;
    const Thread* before = host.threadOf(gap.askerBefore);
    return before && before->launchesKernels ? before : nullptr;
}

const IdleGap* gapAt(const DeviceActivity& device, std::int64_t timeNs)
{
    const auto gap = std::partition_point(device.idle.begin(), device.idle.end(),
                                          [&](const IdleGap& each) { return each.interval.endNs <= timeNs; });
    return gap == device.idle.end() || gap->interval.startNs > timeNs ? nullptr : &*gap;
}

std::vector<GapsOfThread> byThread(std::map<const Thread*, std::vector<Interval>>&& gaps)
{
    std::vector<GapsOfThread> result;
    result.reserve(gaps.size());
    for (auto& [thread, intervals] : gaps)
        result.push_back({&thread->time, &thread->copyWaits, IntervalSet(std::move(intervals)), {thread}});
    return result;
}

}  // namespace

GapThreads gapThreads(const DeviceActivity& device, const HostActivity& host, const WorkMeter& work)
{
    GapThreads threads;
    const bool isAlone = host.group(device.id).threads.size() == 1;
    std::map<const Thread*, std::vector<Interval>> own;
    std::map<const Thread*, std::vector<Interval>> handedOver;
    std::vector<Interval> others;
    for (const IdleGap& gap : device.idle) {
        work.count();
        const Thread* asker = isAlone || !gap.asker.valid() ? nullptr : host.threadOf(gap.asker);
        if (asker == nullptr) {
            others.push_back(gap.interval);
            continue;
        }
        own[asker].push_back(gap.interval);
        if (const Thread* before = handingOver(host, gap))
            handedOver[before].push_back(gap.interval);
    }
    threads.own = byThread(std::move(own));
    threads.handedOver = byThread(std::move(handedOver));
    if (!others.empty()) {
        std::vector<const Thread*> all;
        for (const std::uint32_t place : host.group(device.id).threads)
            all.push_back(&host.launchingThreads[place]);
        threads.own.push_back(
            {&host.launching(device.id), &host.copyWaits(device.id), IntervalSet(std::move(others)), std::move(all)});
    }
    return threads;
}

std::vector<std::vector<const Thread*>> threadsBehind(const DeviceActivity& device, const HostActivity& host,
                                                      std::int64_t timeNs)
{
    const IdleGap* gap = gapAt(device, timeNs);
    std::vector<std::vector<const Thread*>> threads;
    if (const Thread* asker = gap && gap->asker.valid() ? host.threadOf(gap->asker) : nullptr) {
        threads.push_back({asker});
        if (const Thread* before = handingOver(host, *gap))
            threads.push_back({before});
        return threads;
    }
    std::vector<const Thread*>& all = threads.emplace_back();
    for (const std::uint32_t place : host.group(device.id).threads)
        all.push_back(&host.launchingThreads[place]);
    return threads;
}

}  // namespace overlane
