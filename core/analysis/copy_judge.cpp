#include "core/analysis/copy_judge.h"

#include <algorithm>
#include <optional>

#include "core/analysis/kernel_record.h"
#include "core/base/saturated.h"

namespace overlane
{
namespace
{

// Between the end of what a copy waited for and its start.
constexpr std::int64_t kStartLatencyNs = 20'000;
// What stands around a copy takes as long to look up as so many plain items.
constexpr std::size_t kItemsOfACopy = 16;
// As many copies of one batch are looked past on the way back to what came before them.
constexpr int kCopiesOfABatch = 64;

// End of the last interval that ends at or before a time; none where there is none.
std::optional<std::int64_t> lastEndBefore(const IntervalSet& set, std::int64_t timeNs)
{
    const std::vector<Interval>& all = set.intervals();
    auto after = std::partition_point(all.begin(), all.end(), [&](Interval each) { return each.endNs <= timeNs; });
    return after == all.begin() ? std::nullopt : std::optional((after - 1)->endNs);
}

// The device's own unions hold the copy itself: two copies back to back are one interval there.
class DirectionEnds
{
public:
    explicit DirectionEnds(const std::vector<CopyRecord>& copies) : m_copies(copies)
    {
        m_latestEndNs.reserve(copies.size());
        for (const CopyRecord& copy : copies)
            m_latestEndNs.push_back(
                std::max(copy.interval().endNs, m_latestEndNs.empty() ? copy.interval().endNs : m_latestEndNs.back()));
    }
    // When the copies before this one had all ended, if that was by its start.
    std::optional<std::int64_t> before(std::size_t place) const
    {
        if (place == 0)
            return {};
        return std::min(m_latestEndNs[place - 1], m_copies[place].startNs);
    }

private:
    const std::vector<CopyRecord>& m_copies;
    std::vector<std::int64_t> m_latestEndNs;
};

const HostActivity::LaunchingThread* threadOfCall(const Trace& trace, const HostActivity& host, EventIndex call,
                                                  const HostActivity::LaunchingThread* hint)
{
    if (hint) {
        const EventRange events = trace.track(hint->track).events;
        if (call.value() >= events.first && call.value() < events.last)
            return hint;
    }
    return host.threadOf(trace.trackOf(call));
}

bool atLeastHalf(std::int64_t partNs, std::int64_t wholeNs)
{
    return partNs > 0 && partNs >= wholeNs - partNs;
}

CallsAround callsIn(const Trace& trace, const HostActivity::LaunchingThread& thread, const DeviceActivity& device,
                    const CopyRecord& copy)
{
    CallsAround found;
    const std::int64_t callNs = trace.interval(copy.call).startNs;
    const auto begin = thread.calls.begin();
    const auto own = std::lower_bound(begin, thread.calls.end(), std::pair(callNs, copy.call),
                                      [](const GpuCall& call, const std::pair<std::int64_t, EventIndex>& sought) {
                                          return std::pair(call.startNs, call.event) < sought;
                                      });
    if (own == thread.calls.end() || own->event != copy.call)
        return found;
    if (const auto next = own + 1; next != thread.calls.end() && next->kind == GpuCallKind::Sync &&
                                   next->startNs - own->endNs <= kSameRequestNs &&
                                   next->startNs < copy.interval().endNs && next->endNs >= copy.interval().endNs)
        found.waitAfter = next->event;
    int copies = 0;
    for (auto back = own; back != begin && copies <= kCopiesOfABatch;) {
        --back;
        if (back->kind == GpuCallKind::Launch)
            break;
        if (back->kind == GpuCallKind::Copy) {
            ++copies;
            if (trace.kind(trace.link(back->event)) != trace.kind(copy.event))
                break;
        }
        if (back->kind == GpuCallKind::StreamWait && copies == 0 && !found.streamWait.valid())
            found.streamWait = back->event;
        if (back->kind != GpuCallKind::Sync)
            continue;
        const Interval wait{back->startNs, back->endNs};
        const Interval since{back->endNs, std::max(callNs, back->endNs)};
        const IntervalSet& loader = thread.time[static_cast<std::size_t>(HostDoing::BatchWait)];
        const bool loaderWasLate =
            atLeastHalf(loader.measureNs(since), since.lengthNs()) && since.lengthNs() > copy.durationNs;
        if (!loaderWasLate && atLeastHalf(device.kernels.measureNs(wait), copy.durationNs)) {
            found.syncBefore = back->event;
            break;
        }
    }
    return found;
}

class Judge
{
public:
    Judge(const Trace& trace, const HostActivity& host, const DeviceActivity& device, bool hasNonBlockingStreams)
        : m_trace(trace),
          m_host(host),
          m_device(device),
          m_kernelSpan(device.kernels.span()),
          m_allKernels(unite(device.kernels, device.communication)),
          m_kernelsRecorded(kernelRecord(trace) == KernelRecord::All),
          m_hasNonBlockingStreams(hasNonBlockingStreams)
    {
    }

    void judge(std::vector<CopyRecord>& copies, bool toDevice, const WorkMeter& work);

private:
    const Trace& m_trace;
    const HostActivity& m_host;
    const DeviceActivity& m_device;
    Interval m_kernelSpan;
    IntervalSet m_allKernels;  // those of communication take their place in the order of streams, too
    bool m_kernelsRecorded;
    bool m_hasNonBlockingStreams;
    const HostActivity::LaunchingThread* m_thread = nullptr;
};

void Judge::judge(std::vector<CopyRecord>& copies, bool toDevice, const WorkMeter& work)
{
    const IntervalSet& direction = toDevice ? m_device.h2d : m_device.d2h;
    const DirectionEnds ends(copies);
    for (std::size_t at = 0; at < copies.size(); ++at) {
        work.count(kItemsOfACopy);
        CopyRecord& copy = copies[at];
        const Interval interval = copy.interval();
        CopyFacts facts;
        facts.durationNs = copy.durationNs;
        facts.hiddenNs = copy.hiddenNs = m_device.kernels.measureNs(interval);
        facts.hostMemory = copy.hostMemory;
        facts.async = copy.async;
        facts.bytes = copy.bytes;
        facts.toDevice = toDevice;
        if (facts.hiddenNs < facts.durationNs || facts.durationNs == 0) {
            facts.streamHasKernels = m_device.hasKernels(copy.stream);
            facts.outsideKernels = !m_kernelSpan.empty() &&
                                   (interval.endNs <= m_kernelSpan.startNs || interval.startNs >= m_kernelSpan.endNs);
            facts.kernelsRecorded = m_kernelsRecorded;
            const Interval pending = pendingOf(m_trace, copy);
            facts.kernelsWhilePending = atLeastHalf(m_device.kernels.measureNs(pending), copy.durationNs);
            if (copy.call.valid()) {
                m_thread = threadOfCall(m_trace, m_host, copy.call, m_thread);
                const CallsAround around = m_thread ? callsIn(m_trace, *m_thread, m_device, copy) : CallsAround{};
                facts.hostWaitedAfter = around.waitAfter.valid();
                facts.hostWaitedBefore = around.syncBefore.valid();
                facts.streamWaited = around.streamWait.valid();
            }
            if (!facts.streamWaited)
                facts.streamWaited = streamWaitBefore(m_trace, m_device, copy).valid();
            if (facts.kernelsWhilePending) {
                const std::optional<std::int64_t> kernelEnd = lastEndBefore(m_allKernels, interval.startNs);
                const std::optional<std::int64_t> copyEnd = ends.before(at);
                const bool copyEndedLast = copyEnd && (!kernelEnd || *copyEnd >= *kernelEnd);
                facts.streamWaited = facts.streamWaited && !copyEndedLast && kernelEnd &&
                                     interval.startNs - *kernelEnd <= kStartLatencyNs;
                facts.behindSameEngine = copyEndedLast && interval.startNs - *copyEnd <= kStartLatencyNs &&
                                         atLeastHalf(direction.measureNs(pending), pending.lengthNs());
                const StreamKey defaultStream =
                    m_hasNonBlockingStreams ? StreamKey() : m_device.defaultStreamOf(copy.stream);
                facts.defaultStreamBetween = defaultStream.known() && copy.stream.known() && !facts.streamHasKernels &&
                                             !copyEndedLast && kernelEnd &&
                                             interval.startNs - *kernelEnd <= kStartLatencyNs &&
                                             (copy.stream == defaultStream ? m_device.hasKernelsBeside(copy.stream)
                                                                           : m_device.hasKernels(defaultStream));
            } else {
                facts.streamWaited = false;
            }
        }
        copy.causes = causesOf(facts);
        copy.cause = firstCause(copy.causes);
    }
}

}  // namespace

Interval pendingOf(const Trace& trace, const CopyRecord& copy)
{
    const std::int64_t fromNs = copy.call.valid() ? trace.interval(copy.call).startNs : copy.startNs - copy.durationNs;
    return {std::min(fromNs, copy.startNs), copy.startNs};
}

EventIndex streamWaitBefore(const Trace& trace, const DeviceActivity& device, const CopyRecord& copy)
{
    if (device.streamWaits.empty() || !copy.stream.known())
        return {};
    // The row has the time of the call that made the stream wait.
    const std::int64_t askedNs = copy.call.valid() ? trace.interval(copy.call).startNs : copy.startNs;
    auto after = std::upper_bound(
        device.streamWaits.begin(), device.streamWaits.end(), askedNs,
        [](std::int64_t timeNs, const DeviceActivity::StreamWait& wait) { return timeNs < wait.timeNs; });
    constexpr int kLookBack = 16;
    for (int looked = 0; looked < kLookBack && after != device.streamWaits.begin(); ++looked) {
        --after;
        if (after->stream == copy.stream)
            return askedNs - after->timeNs <= std::max(copy.durationNs, kSameRequestNs) ? after->event : EventIndex();
    }
    return {};
}

CallsAround callsAround(const Trace& trace, const HostActivity& host, const DeviceActivity& device,
                        const CopyRecord& copy)
{
    const HostActivity::LaunchingThread* thread =
        copy.call.valid() ? threadOfCall(trace, host, copy.call, nullptr) : nullptr;
    return thread ? callsIn(trace, *thread, device, copy) : CallsAround{};
}

void judgeCopies(const Trace& trace, const HostActivity& host, DeviceActivity& device, bool hasNonBlockingStreams,
                 const WorkMeter& work)
{
    Judge judge(trace, host, device, hasNonBlockingStreams);
    judge.judge(device.h2dCopies, true, work);
    judge.judge(device.d2hCopies, false, work);
    std::int64_t freeCopiesNs = 0;
    for (const CopyRecord& copy : device.h2dCopies)
        if (copy.hostMemory != MemoryKind::Pageable && (copy.causes & causeBit(CopyCause::SynchronousCall)) == 0)
            freeCopiesNs = saturatedSum(freeCopiesNs, copy.durationNs);
    const std::int64_t workNs =
        device.kernels.measureNs() + device.communication.measureNs() - device.communicationHidden.measureNs();
    device.linkTooNarrow = freeCopiesNs > workNs / 2 * 3 && freeCopiesNs > device.busy.span().lengthNs() / 2;
}

}  // namespace overlane
