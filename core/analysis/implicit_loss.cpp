#include "core/analysis/implicit_loss.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/analysis/gap_threads.h"

namespace overlane
{
namespace
{

using KindTimes = std::array<std::int64_t, kImplicitWaitCount>;
using Thread = HostActivity::LaunchingThread;

// The call of a thread that waited until a device ran empty; the innermost where several did.
ImplicitWait waitAt(const Thread& thread, std::int64_t timeNs)
{
    ImplicitWait found = ImplicitWait::None;
    const auto after = std::partition_point(thread.implicitCalls.begin(), thread.implicitCalls.end(),
                                            [&](const ImplicitCall& call) { return call.startNs < timeNs; });
    // A driver call within a runtime call within the loading of a module.
    constexpr int kDeepest = 4;
    auto call = after;
    for (int depth = 0; depth < kDeepest && call != thread.implicitCalls.begin(); ++depth)
        if ((--call)->waitedUntil(timeNs))
            return call->kind;
    return found;
}

bool isInSync(const Thread& thread, std::int64_t timeNs)
{
    return thread.time[static_cast<std::size_t>(HostDoing::Sync)].measureNs({timeNs - 1, timeNs + 1}) > 0;
}

ImplicitWait waitBehindGap(const DeviceActivity& device, const HostActivity& host, std::int64_t timeNs)
{
    const auto gap = std::partition_point(device.idle.begin(), device.idle.end(),
                                          [&](const IdleGap& each) { return each.interval.endNs <= timeNs; });
    if (gap == device.idle.end() || gap->interval.startNs > timeNs)
        return ImplicitWait::None;
    const std::int64_t sinceNs = gap->interval.startNs;
    for (const std::vector<const Thread*>& threads : threadsBehind(device, host, sinceNs))
        for (const Thread* thread : threads) {
            if (isInSync(*thread, sinceNs))
                return ImplicitWait::None;
            if (const ImplicitWait kind = waitAt(*thread, sinceNs); kind != ImplicitWait::None)
                return kind;
        }
    return ImplicitWait::None;
}

// Of some idle time, the parts in which a launching thread of the device is in such calls.
void addInCalls(const IntervalSet& idle, const HostActivity& host, std::int32_t device, Interval range,
                KindTimes& times)
{
    std::array<std::vector<Interval>, kImplicitWaitCount> calls;
    for (const std::uint32_t place : host.group(device).threads)
        for (const ImplicitCall& call : host.launchingThreads[place].implicitCalls)
            if (const Interval part = Interval{call.startNs, call.endNs}.intersected(range); !part.empty())
                calls[static_cast<std::size_t>(call.kind)].push_back(part);
    for (std::size_t kind = 0; kind < calls.size(); ++kind)
        if (!calls[kind].empty()) {
            std::sort(calls[kind].begin(), calls[kind].end(),
                      [](Interval a, Interval b) { return a.startNs < b.startNs; });
            times[kind] += intersect(idle, IntervalSet(std::move(calls[kind]))).measureNs(range);
        }
}

}  // namespace

ImplicitLoss implicitLoss(LostCause cause, const LostTime& lost, const DeviceActivity& device, const HostActivity& host,
                          Interval range)
{
    const IntervalSet& idle = lost[static_cast<std::size_t>(cause)];
    const bool hasCalls = std::any_of(host.launchingThreads.begin(), host.launchingThreads.end(),
                                      [](const Thread& thread) { return !thread.implicitCalls.empty(); });
    if (!hasCalls || (cause != LostCause::Sync && cause != LostCause::Host))
        return {};
    KindTimes times{};
    if (cause == LostCause::Host) {
        addInCalls(idle, host, device.id, range, times);
        // Without work of the GPU to wait for, cudaFree is long where a library begins: cuBLAS calls it to make its
        // context. That is nobody's memory.
        times[static_cast<std::size_t>(ImplicitWait::Free)] = 0;
    } else {
        const std::vector<Interval>& all = idle.intervals();
        auto piece =
            std::partition_point(all.begin(), all.end(), [&](Interval each) { return each.endNs <= range.startNs; });
        for (; piece != all.end() && piece->startNs < range.endNs; ++piece)
            times[static_cast<std::size_t>(waitBehindGap(device, host, piece->startNs))] +=
                piece->intersected(range).lengthNs();
        times[static_cast<std::size_t>(ImplicitWait::None)] = 0;
    }
    const auto most = std::max_element(times.begin(), times.end());
    return *most > 0 ? ImplicitLoss{static_cast<ImplicitWait>(most - times.begin()), *most} : ImplicitLoss{};
}

}  // namespace overlane
