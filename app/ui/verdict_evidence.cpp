#include "app/ui/verdict_evidence.h"

#include <algorithm>

namespace overlane
{

namespace
{

// Whether an event of this kind can be what a loss of time is about.
bool explains(LostCause cause, EventKind kind)
{
    switch (cause) {
        case LostCause::Copies:
            return kind == EventKind::CopyH2D;
        case LostCause::ReadBack:
            return kind == EventKind::CopyD2H;
        case LostCause::OtherWork:
            return kind == EventKind::CopyD2D || kind == EventKind::CopyOther || kind == EventKind::Memset;
        case LostCause::Swap:
        case LostCause::Batches:
            return kind == EventKind::LoaderWait || kind == EventKind::HostBlocked || kind == EventKind::HostWork;
        case LostCause::MakingBatches:
        case LostCause::Pinning:
            return kind == EventKind::Loader || kind == EventKind::HostWork;
        case LostCause::Sync:
            return kind == EventKind::Sync || kind == EventKind::RuntimeCall || kind == EventKind::HostBlocked;
        case LostCause::Host:
            return kind == EventKind::HostWork || kind == EventKind::RuntimeCall || kind == EventKind::Loader;
        default:
            return false;
    }
}

// The event that covers most of the stretch; of several that cover as much, the shortest.
EventIndex eventOver(const Trace& trace, Interval stretch, LostCause cause)
{
    const EventColumns& columns = trace.columns();
    EventIndex best;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (!explains(cause, columns.kind[i]))
            continue;
        const EventIndex event(i);
        const std::int64_t covered = stretch.intersected(trace.interval(event)).lengthNs();
        if (covered > most ||
            (covered == most && best.valid() && columns.durationNs[i] < columns.durationNs[best.index()])) {
            most = covered;
            best = event;
        }
    }
    return best;
}

}  // namespace

EventIndex worstExposedCopy(const Analysis& analysis, Interval range)
{
    EventIndex worst;
    std::int64_t most = 0;
    for (const DeviceActivity& device : analysis.devices())
        for (const auto* copies : {&device.h2dCopies, &device.d2hCopies}) {
            const auto [first, last] = analysis.startingIn(*copies, range);
            for (std::size_t i = first; i < last; ++i) {
                const CopyRecord& copy = (*copies)[i];
                if (copy.durationNs - copy.hiddenNs > most) {
                    most = copy.durationNs - copy.hiddenNs;
                    worst = copy.event;
                }
            }
        }
    return worst;
}

Evidence evidenceOf(const Trace& trace, const Analysis& analysis, const Verdict& verdict, Interval range)
{
    if (!verdict.mainLoss || *verdict.mainLoss == LostCause::Copies) {
        const EventIndex copy = worstExposedCopy(analysis, range);
        return {copy, copy.valid() ? trace.interval(copy) : Interval{}};
    }
    Evidence found;
    for (const DeviceActivity& device : analysis.devices()) {
        if (device.id != verdict.device)
            continue;
        const LostTime lost = lostTime(device, analysis.host(), analysis.memory(), analysis.span());
        for (const Interval& stretch : lost[static_cast<std::size_t>(*verdict.mainLoss)].intervals()) {
            const Interval shown = stretch.intersected(range);
            if (shown.lengthNs() > found.interval.lengthNs())
                found.interval = shown;
        }
    }
    if (!found.interval.empty())
        found.event = eventOver(trace, found.interval, *verdict.mainLoss);
    return found;
}

}  // namespace overlane
