#include "core/analysis/stream_owners.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "core/trace/name_classes.h"

namespace overlane
{
namespace
{

TrackId processOf(const Trace& trace, TrackId track)
{
    while (track.valid() && trace.track(track).kind != TrackKind::Process)
        track = trace.track(track).parent;
    return track;
}

bool isStream(const Track& track)
{
    return track.kind == TrackKind::Stream && !track.events.empty();
}

// The process of the first call that asked for work of a stream.
TrackId askedBy(const Trace& trace, EventRange events, const WorkMeter& work)
{
    for (std::uint32_t at = events.first; at < events.last; ++at) {
        work.count();
        const EventIndex index(at);
        if (const EventIndex call = isDeviceWork(trace.kind(index)) ? trace.link(index) : EventIndex(); call.valid())
            return processOf(trace, trace.trackOf(call));
    }
    return {};
}

// "stream 7 of process 200": 200; else 0.
std::int64_t namedProcess(std::string_view name)
{
    constexpr std::string_view kOf = " of process ";
    std::int64_t pid = 0;
    if (const std::size_t at = name.find(kOf); at != std::string_view::npos)
        std::from_chars(name.data() + at + kOf.size(), name.data() + name.size(), pid);
    return pid;
}

enum class CallName : std::uint8_t { NotAsked, Other, StreamWait };

CallName classify(std::string_view name)
{
    return name.find("StreamWaitEvent") != std::string_view::npos ? CallName::StreamWait : CallName::Other;
}

}  // namespace

StreamOwners::StreamOwners(const Trace& trace, const WorkMeter& work) : m_owners(trace.tracks().size())
{
    findOwners(trace, work);
    if (m_areSeveral)
        findWaitCalls(trace, work);
}

void StreamOwners::findOwners(const Trace& trace, const WorkMeter& work)
{
    std::map<std::int32_t, std::set<TrackId>> ownersOn;  // by device
    std::set<TrackId> all;
    std::map<std::int64_t, TrackId> byPid;
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const Track& track = trace.tracks()[place];
        work.count();
        if (track.kind == TrackKind::Process)
            byPid.try_emplace(track.nativeId, TrackId(place));
        if (!isStream(track))
            continue;
        if (const TrackId owner = m_owners[place] = askedBy(trace, track.events, work); owner.valid()) {
            ownersOn[track.device].insert(owner);
            all.insert(owner);
        }
    }
    m_areSeveral = all.size() > 1;
    if (all.size() == 1)
        m_only = *all.begin();
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const Track& track = trace.tracks()[place];
        work.count();
        if (!isStream(track) || m_owners[place].valid())
            continue;
        const std::set<TrackId>& owners = ownersOn[track.device];
        if (const auto named = byPid.find(namedProcess(track.name)); named != byPid.end())
            m_owners[place] = named->second;
        else
            m_owners[place] = owners.size() == 1 ? *owners.begin() : m_only;
    }
}

void StreamOwners::findWaitCalls(const Trace& trace, const WorkMeter& work)
{
    NameClasses<CallName> names(trace, classify);
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const Track& track = trace.tracks()[place];
        if (track.device >= 0)
            continue;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            work.count();
            const EventIndex call(at);
            if (trace.kind(call) == EventKind::RuntimeCall && names.of(call) == CallName::StreamWait)
                m_waitCalls.push_back({trace.columns().correlation[at], trace.interval(call).startNs,
                                       trace.interval(call).endNs, processOf(trace, TrackId(place))});
        }
    }
    std::sort(m_waitCalls.begin(), m_waitCalls.end(), work.counting([](const WaitCall& a, const WaitCall& b) {
        return std::tie(a.correlation, a.startNs, a.process) < std::tie(b.correlation, b.startNs, b.process);
    }));
}

TrackId StreamOwners::ownerOfWait(const Trace& trace, EventIndex row) const
{
    if (!m_areSeveral)
        return m_only;
    // The row has the time of the call, which has its correlation id; another process may have that, too.
    const std::pair sought(trace.columns().correlation[row.index()], trace.interval(row).startNs);
    const auto after = std::upper_bound(
        m_waitCalls.begin(), m_waitCalls.end(), sought,
        [](const auto& wanted, const WaitCall& call) { return wanted < std::pair(call.correlation, call.startNs); });
    if (after == m_waitCalls.begin() || (after - 1)->correlation != sought.first || (after - 1)->endNs < sought.second)
        return {};
    return (after - 1)->process;
}

}  // namespace overlane
