#include "core/analysis/copy_verdict.h"

#include <algorithm>
#include <array>

#include "core/analysis/copy_judge.h"
#include "core/analysis/kernel_record.h"
#include "core/analysis/track_lookup.h"

namespace overlane
{
namespace
{

constexpr std::string_view kUnifiedPrefix = "Unified memory";

struct Neighbors {
    EventIndex before;  // kernel that ended last before the copy began
    EventIndex after;   // kernel that began first after the copy ended
    EventIndex hiding;  // kernel that covers most of the copy
};

// Of all streams of the device where `stream` is not known.
Neighbors kernelsAround(const Trace& trace, const DeviceActivity& device, StreamKey stream, Interval copy)
{
    Neighbors found;
    std::int64_t mostNs = 0;
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const Track& track = trace.tracks()[place];
        if (track.device != device.id || track.events.empty() ||
            (stream.known() && device.streamOf(TrackId(place)) != stream))
            continue;
        for (const EventRange row : track.rows) {
            const auto isKernel = [&](EventIndex event) { return trace.kind(event) == EventKind::Kernel; };
            if (const EventIndex last = lastEndingBy(trace, row, copy.startNs, isKernel);
                last.valid() &&
                (!found.before.valid() || trace.interval(last).endNs > trace.interval(found.before).endNs))
                found.before = last;
            if (const EventIndex next = firstStartingFrom(trace, row, copy.endNs, isKernel);
                next.valid() &&
                (!found.after.valid() || trace.interval(next).startNs < trace.interval(found.after).startNs))
                found.after = next;
            const EventIndex over = longestOver(trace, row, copy, isKernel);
            if (over.valid() && trace.interval(over).intersected(copy).lengthNs() > mostNs) {
                mostNs = trace.interval(over).intersected(copy).lengthNs();
                found.hiding = over;
            }
        }
    }
    return found;
}

// The copy of the same direction that ended last before this one began.
EventIndex copyAhead(const std::vector<CopyRecord>& copies, const CopyRecord& copy)
{
    constexpr int kLookBack = 64;
    const auto own = std::lower_bound(copies.begin(), copies.end(), copy, [](const auto& a, const auto& b) {
        return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
    });
    const CopyRecord* best = nullptr;
    for (auto back = own; back != copies.begin() && own - back < kLookBack;) {
        --back;
        if (back->interval().endNs <= copy.startNs && (!best || back->interval().endNs > best->interval().endNs))
            best = &*back;
    }
    return best ? best->event : EventIndex();
}

// What the thread that asked for the copy did right before: the event on it that ended last.
EventIndex doneBefore(const Trace& trace, EventIndex call)
{
    const std::int64_t callNs = trace.interval(call).startNs;
    const Track& track = trace.track(trace.trackOf(call));
    EventIndex best;
    const auto isWork = [&](EventIndex event) { return trace.kind(event) != EventKind::Instant; };
    for (const EventRange row : track.rows)
        if (const EventIndex last = lastEndingBy(trace, row, callNs, isWork);
            last.valid() && (!best.valid() || trace.interval(last).endNs > trace.interval(best).endNs))
            best = last;
    return best;
}

class Gatherer
{
public:
    Gatherer(const Trace& trace, const Analysis& analysis, const DeviceActivity& device, const CopyRecord& copy)
        : m_trace(trace),
          m_device(device),
          m_copy(copy),
          m_calls(callsAround(trace, analysis.host(), device, copy)),
          m_all(kernelsAround(trace, device, {}, copy.interval()))
    {
    }

    CopyReason reason(CopyCause cause) const
    {
        CopyReason reason;
        reason.cause = cause;
        const auto add = [&](EvidenceRole role, EventIndex event) {
            if (event.valid())
                reason.evidence.push_back({role, event});
        };
        switch (cause) {
            case CopyCause::Hidden:
                add(EvidenceRole::HidingKernel, m_all.hiding);
                break;
            case CopyCause::UnifiedMemory:
            case CopyCause::StagedInline:
            case CopyCause::PageableMemory:
                add(EvidenceRole::Call, m_copy.call);
                break;
            case CopyCause::SynchronousCall:
                add(EvidenceRole::Call, m_copy.call);
                add(EvidenceRole::Sync, m_calls.waitAfter);
                break;
            case CopyCause::OutsideKernels:
                add(EvidenceRole::Before, m_all.before);
                add(EvidenceRole::Consumer, m_all.after);
                break;
            case CopyCause::SameStream: {
                const Neighbors own = kernelsAround(m_trace, m_device, m_copy.stream, m_copy.interval());
                add(EvidenceRole::Consumer, own.after);
                add(EvidenceRole::Before, own.before);
                break;
            }
            case CopyCause::EventDependency: {
                const EventIndex row = streamWaitBefore(m_trace, m_device, m_copy);
                add(EvidenceRole::StreamWait, m_calls.streamWait.valid() ? m_calls.streamWait : row);
                add(EvidenceRole::Before, m_all.before);
                break;
            }
            case CopyCause::LegacyDefaultStream:
                add(EvidenceRole::Before, m_all.before);
                add(EvidenceRole::Consumer, m_all.after);
                break;
            case CopyCause::EngineBusy: {
                const bool toDevice = m_trace.kind(m_copy.event) == EventKind::CopyH2D;
                add(EvidenceRole::OtherCopy, copyAhead(toDevice ? m_device.h2dCopies : m_device.d2hCopies, m_copy));
                add(EvidenceRole::Call, m_copy.call);
                break;
            }
            case CopyCause::HostSync:
                add(EvidenceRole::Sync, m_calls.syncBefore);
                add(EvidenceRole::Call, m_copy.call);
                break;
            case CopyCause::UnknownMemory:
                reason.missing = "the kind of the host's memory";
                break;
            case CopyCause::NoCompute:
                add(EvidenceRole::Call, m_copy.call);
                if (m_copy.call.valid())
                    add(EvidenceRole::HostDoing, doneBefore(m_trace, m_copy.call));
                add(EvidenceRole::Before, m_all.before);
                add(EvidenceRole::Consumer, m_all.after);
                break;
            case CopyCause::Unknown:
                add(EvidenceRole::Before, m_all.before);
                reason.missing = kernelRecord(m_trace) != KernelRecord::All ? "kernels, which this recording left out"
                                 : m_copy.call.valid()                      ? "what its stream waited for"
                                                                            : "the call that issued it";
                break;
        }
        return reason;
    }

private:
    const Trace& m_trace;
    const DeviceActivity& m_device;
    const CopyRecord& m_copy;
    CallsAround m_calls;
    Neighbors m_all;
};

}  // namespace

std::string_view evidenceRoleName(EvidenceRole role)
{
    static constexpr std::array<std::string_view, kEvidenceRoleCount> kNames{
        "issued by",          "its consumer",       "the work before it", "hidden by",
        "the copy before it", "the host waited in", "told to wait by",    "the host did before"};
    return kNames[static_cast<std::size_t>(role)];
}

CopyVerdict copyVerdict(const Trace& trace, const Analysis& analysis, EventIndex copy)
{
    CopyVerdict verdict;
    verdict.copy = copy;
    if (!copy.valid() || copy.index() >= trace.eventCount() || !isCopy(trace.kind(copy)))
        return verdict;
    const CopyRecord* record = analysis.copyRecord(copy);
    if (!record) {
        if (trace.kind(copy) == EventKind::CopyOther && trace.name(copy).starts_with(kUnifiedPrefix)) {
            verdict.durationNs = trace.interval(copy).lengthNs();
            verdict.reasons.push_back({CopyCause::UnifiedMemory, {}, {}});
        }
        return verdict;
    }
    verdict.durationNs = record->durationNs;
    verdict.hiddenNs = record->hiddenNs;
    const std::int32_t id = trace.track(trace.trackOf(copy)).device;
    for (const DeviceActivity& device : analysis.devices()) {
        if (device.id != id)
            continue;
        const Gatherer gatherer(trace, analysis, device, *record);
        for (const CopyCause cause : rankedCauses(record->causes))
            verdict.reasons.push_back(gatherer.reason(cause));
    }
    return verdict;
}

}  // namespace overlane
