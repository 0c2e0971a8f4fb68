#include "core/analysis/idle_attribution.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/analysis/cause_table.h"
#include "core/analysis/gap_threads.h"
#include "core/analysis/track_lookup.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

const DeviceActivity* deviceOf(const Analysis& analysis, std::int32_t id)
{
    const auto found =
        std::lower_bound(analysis.devices().begin(), analysis.devices().end(), id,
                         [](const DeviceActivity& each, std::int32_t sought) { return each.id < sought; });
    return found == analysis.devices().end() || found->id != id ? nullptr : &*found;
}

// What the piece of a device-side cause shows: the longest wanted event over it on the device's tracks.
template <typename Wanted>
EventIndex onDevice(const Trace& trace, std::int32_t device, Interval interval, Wanted wanted)
{
    EventIndex best;
    std::int64_t mostNs = 0;
    for (const Track& track : trace.tracks()) {
        if (track.device != device)
            continue;
        for (const EventRange row : track.rows) {
            const EventIndex event = longestOver(trace, row, interval, wanted);
            if (event.valid() && trace.interval(event).intersected(interval).lengthNs() > mostNs) {
                mostNs = trace.interval(event).intersected(interval).lengthNs();
                best = event;
            }
        }
    }
    return best;
}

// The innermost event of some threads that fills half of an interval, else the one that
// covers most of it. Innermost: of those that fill half, the shortest.
template <typename Wanted>
EventIndex onThreads(const Trace& trace, const std::vector<const HostActivity::LaunchingThread*>& threads,
                     Interval interval, Wanted wanted)
{
    EventIndex inner;
    EventIndex most;
    std::int64_t mostNs = 0;
    for (const HostActivity::LaunchingThread* thread : threads) {
        if (!thread->span.overlaps(interval))
            continue;
        for (const EventRange row : trace.track(thread->track).rows) {
            const EventIndex event = longestOver(trace, row, interval, wanted);
            if (!event.valid())
                continue;
            const Interval whole = trace.interval(event);
            const std::int64_t coveredNs = whole.intersected(interval).lengthNs();
            if (coveredNs >= interval.lengthNs() - coveredNs &&
                (!inner.valid() || whole.lengthNs() <= trace.interval(inner).lengthNs()))
                inner = event;
            if (coveredNs > mostNs) {
                mostNs = coveredNs;
                most = event;
            }
        }
    }
    return inner.valid() ? inner : most;
}

bool isHostWork(EventKind kind)
{
    return kind == EventKind::HostWork || kind == EventKind::RuntimeCall || kind == EventKind::Loader ||
           kind == EventKind::Overhead;
}

// The actor that worked most in an interval; of those equally busy the one nearest to the consumer.
const HostActivity::Actor* busiestActor(const Analysis& analysis, Interval interval)
{
    const HostActivity::Actor* best = nullptr;
    std::int64_t mostNs = 0;
    for (const HostActivity::Actor& actor : analysis.host().actors) {
        if (analysis.host().threadOf(actor.track))
            continue;
        const std::int64_t busyNs = actor.work.measureNs(interval);
        if (busyNs > mostNs || (busyNs == mostNs && busyNs > 0 && actor.role != LoaderRole::Worker)) {
            mostNs = busyNs;
            best = &actor;
        }
    }
    return best;
}

EventIndex nextWork(const DeviceActivity& device, std::int64_t timeNs)
{
    const auto gap = std::partition_point(device.idle.begin(), device.idle.end(),
                                          [&](const IdleGap& each) { return each.interval.endNs < timeNs; });
    return gap == device.idle.end() || gap->interval.startNs > timeNs ? EventIndex() : gap->next;
}

}  // namespace

std::vector<IdlePiece> idlePieces(const LostTime& lost, Interval range)
{
    struct Cursor {
        const Interval* at;
        const Interval* end;
        LostCause cause;
    };
    std::array<Cursor, kLostCauseCount> cursors{};
    std::size_t used = 0;
    std::size_t count = 0;
    for (std::size_t cause = 0; cause < lost.size(); ++cause) {
        const std::vector<Interval>& all = lost[cause].intervals();
        const auto first =
            std::partition_point(all.begin(), all.end(), [&](Interval each) { return each.endNs <= range.startNs; });
        const auto last =
            std::partition_point(first, all.end(), [&](Interval each) { return each.startNs < range.endNs; });
        if (first == last)
            continue;
        count += static_cast<std::size_t>(last - first);
        cursors[used++] = {&*first, &*first + (last - first), static_cast<LostCause>(cause)};
    }
    std::vector<IdlePiece> pieces;
    pieces.reserve(count);
    while (used > 0) {
        std::size_t next = 0;
        for (std::size_t at = 1; at < used; ++at)
            if (cursors[at].at->startNs < cursors[next].at->startNs)
                next = at;
        Cursor& cursor = cursors[next];
        if (const Interval part = cursor.at->intersected(range); !part.empty())
            pieces.push_back({part, cursor.cause});
        if (++cursor.at == cursor.end)
            cursor = cursors[--used];
    }
    return pieces;
}

std::vector<IdlePiece> idlePieces(const Analysis& analysis, std::int32_t device, Interval range)
{
    const LostTime* lost = analysis.lost(device);
    return lost ? idlePieces(*lost, range) : std::vector<IdlePiece>();
}

IdleEvidence idleEvidence(const Trace& trace, const Analysis& analysis, std::int32_t device, const IdlePiece& piece)
{
    IdleEvidence evidence;
    const DeviceActivity* activity = deviceOf(analysis, device);
    if (!activity)
        return evidence;
    const Interval interval = piece.interval;
    evidence.next = nextWork(*activity, interval.endNs);
    const auto anyKind = [&](EventIndex event) { return isHostWork(trace.kind(event)); };
    const auto ofKind = [&trace](EnumSet<EventKind> kinds) {
        return [&trace, kinds](EventIndex event) { return kinds.has(trace.kind(event)); };
    };
    const auto onLaunchingThread = [&](Interval where, auto wanted) {
        for (const auto& threads : threadsBehind(*activity, analysis.host(), interval.startNs))
            if (const EventIndex found = onThreads(trace, threads, where, wanted); found.valid())
                return found;
        return EventIndex();
    };
    const auto onHost = [&](auto wanted) { return onLaunchingThread(interval, wanted); };
    // The wait lies before the gap that it left behind, or reaches into it.
    const auto syncThatEmptied = [&] {
        const Interval before{interval.startNs - 1, interval.startNs + 1};
        return onLaunchingThread(before, [&](EventIndex event) {
            const EventKind kind = trace.kind(event);
            const std::string_view name = trace.name(event);
            if (kind != EventKind::RuntimeCall && kind != EventKind::Overhead)
                return kind == EventKind::Sync;
            return name.find("Synchronize") != std::string_view::npos || implicitWaitOf(name) != ImplicitWait::None;
        });
    };
    const LostCauseRow& row = rowOf(piece.cause);
    switch (piece.cause) {
        case LostCause::Staging:
            evidence.event = syncThatEmptied();
            if (!evidence.event.valid())
                evidence.event = onHost(ofKind({EventKind::RuntimeCall}));
            evidence.late = evidence.event;
            break;
        case LostCause::Batches:
            evidence.event = onHost([&](EventIndex event) {
                const std::string_view name = trace.name(event);
                return trace.kind(event) == EventKind::LoaderWait || name.find("DataLoader") != name.npos ||
                       name.find("dataloader.py") != name.npos;
            });
            if (!evidence.event.valid())  // a copy that came late with its batch
                evidence.event = onDevice(trace, device, interval, ofKind(row.shownOnDevice));
            if (const HostActivity::Actor* actor = busiestActor(analysis, interval))
                evidence.actor = actor->name;
            break;
        case LostCause::Sync:
            evidence.event = syncThatEmptied();
            evidence.late = onHost(anyKind);
            break;
        case LostCause::LaunchBound:
        case LostCause::Host:
            evidence.late = onHost(anyKind);
            evidence.event = evidence.late;
            break;
        default:
            if (row.shownOnHost.empty() && row.shownOnDevice.empty())
                evidence.event = evidence.next;
            if (!row.shownOnHost.empty())
                evidence.event = onHost(ofKind(row.shownOnHost));
            if (!row.shownOnDevice.empty() && !evidence.event.valid())
                evidence.event = onDevice(trace, device, interval, ofKind(row.shownOnDevice));
            break;
    }
    return evidence;
}

std::string evidenceName(const Trace& trace, const IdlePiece& piece, const IdleEvidence& evidence)
{
    if (!evidence.actor.empty())
        return evidence.actor;
    const bool late = piece.cause == LostCause::Host || piece.cause == LostCause::LaunchBound;
    const EventIndex event = late && evidence.late.valid() ? evidence.late : evidence.event;
    return event.valid() ? std::string(trace.name(event)) : std::string();
}

std::string idlePieceText(const Trace& trace, const IdlePiece& piece, const IdleEvidence& evidence)
{
    std::string text = fmt::format("{}, {}", lostCauseName(piece.cause), formatDuration(piece.interval.lengthNs()));
    if (const std::string name = evidenceName(trace, piece, evidence); !name.empty())
        text += ": " + name;
    return text;
}

}  // namespace overlane
