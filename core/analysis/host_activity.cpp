#include "core/analysis/host_activity.h"

#include <algorithm>
#include <utility>

namespace overlane
{
namespace
{

bool startedBlockingCopy(const Trace& trace, EventIndex call)
{
    const EventIndex work = trace.link(call);
    if (!work.valid())
        return false;
    const EventKind kind = trace.kind(work);
    const CopyInfo* info = trace.copy(work);
    if (!info || (kind != EventKind::CopyH2D && kind != EventKind::CopyD2H))
        return false;
    return info->async == AsyncFlag::Sync || info->hostSide(kind) == MemoryKind::Pageable;
}

bool isBlocked(const Trace& trace, EventIndex index)
{
    switch (trace.kind(index)) {
        case EventKind::HostBlocked:
        case EventKind::Sync:
            return true;
        case EventKind::RuntimeCall:
            return trace.name(index).find("Synchronize") != std::string_view::npos || startedBlockingCopy(trace, index);
        default:
            return false;
    }
}

bool isWork(EventKind kind)
{
    return kind == EventKind::Loader || kind == EventKind::HostWork || kind == EventKind::RuntimeCall;
}

bool isHostTrack(const Track& track)
{
    return track.device < 0 && (track.kind == TrackKind::Thread || track.kind == TrackKind::LoaderActor ||
                                track.kind == TrackKind::Process || track.kind == TrackKind::Group);
}

}  // namespace

std::int64_t HostActivity::criticalNs(Interval range) const
{
    std::int64_t longestNs = 0;
    for (const IntervalSet& work : actorWork)
        longestNs = std::max(longestNs, work.measureNs(range));
    return longestNs;
}

HostActivity hostActivity(const Trace& trace)
{
    HostActivity host;
    std::vector<IntervalSet> allBlocked;
    for (const Track& track : trace.tracks()) {
        if (!isHostTrack(track))
            continue;
        std::vector<IntervalSet> blocked, work, waits;
        for (const EventRange row : track.rows) {
            IntervalSet rowBlocked, rowWork, rowWaits;
            for (std::uint32_t at = row.first; at < row.last; ++at) {
                const EventIndex index(at);
                if (isBlocked(trace, index))
                    rowBlocked.add(trace.interval(index));
                else if (trace.kind(index) == EventKind::LoaderWait)
                    rowWaits.add(trace.interval(index));
                else if (isWork(trace.kind(index)))
                    rowWork.add(trace.interval(index));
            }
            blocked.push_back(std::move(rowBlocked));
            work.push_back(std::move(rowWork));
            waits.push_back(std::move(rowWaits));
        }
        IntervalSet trackBlocked = unite(std::move(blocked));
        if (track.kind == TrackKind::LoaderActor)
            host.actorWork.push_back(subtract(unite(std::move(work)), unite(trackBlocked, unite(std::move(waits)))));
        if (!trackBlocked.empty())
            allBlocked.push_back(std::move(trackBlocked));
    }
    host.blocked = unite(std::move(allBlocked));
    return host;
}

}  // namespace overlane
