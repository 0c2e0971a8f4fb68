#include "core/io/chrome_places.h"

#include <algorithm>
#include <numeric>

#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLargestOwnNumber = 999'999'999;

bool isOwnNumber(std::int64_t number)
{
    return number >= 0 && number <= kLargestOwnNumber;
}

// Every event lies within the one that it starts in.
bool nests(const Trace& trace, const Track& track, const WorkMeter& work)
{
    if (track.rows.size() < 2)
        return true;
    const EventColumns& events = trace.columns();
    std::vector<std::uint32_t> order(track.events.size());
    std::iota(order.begin(), order.end(), track.events.first);
    std::stable_sort(order.begin(), order.end(), work.counting([&](std::uint32_t a, std::uint32_t b) {
        return events.startNs[a] != events.startNs[b] ? events.startNs[a] < events.startNs[b]
                                                      : events.durationNs[a] > events.durationNs[b];
    }));
    std::vector<std::int64_t> open;
    for (const std::uint32_t at : order) {
        work.count();
        const std::int64_t endNs = events.startNs[at] + events.durationNs[at];
        while (!open.empty() && open.back() <= events.startNs[at])
            open.pop_back();
        if (!open.empty() && open.back() < endNs)
            return false;
        open.push_back(endNs);
    }
    return true;
}

}  // namespace

ChromePlaces::ChromePlaces(const Trace& trace, const WorkMeter& work) : m_places(trace.tracks().size())
{
    numberProcesses(trace);
    for (std::size_t root = 0; root < trace.roots().size(); ++root)
        visit(trace, trace.roots()[root], m_processOfRoot[root], {}, work);
}

ChromePlaces::Place ChromePlaces::of(TrackId track, std::size_t row) const
{
    Place place = m_places[track.index()];
    if (row > 0)
        if (const auto own = m_rows.find({track, row}); own != m_rows.end())
            place.thread = own->second;
    return place;
}

// Devices first: what reads traces takes the number of their process for the device.
void ChromePlaces::numberProcesses(const Trace& trace)
{
    std::set<std::int64_t> taken;
    m_processOfRoot.assign(trace.roots().size(), -1);
    for (const TrackKind kind : {TrackKind::Device, TrackKind::Process})
        for (std::size_t root = 0; root < trace.roots().size(); ++root) {
            const Track& track = trace.track(trace.roots()[root]);
            const std::int64_t own = kind == TrackKind::Device ? track.device : track.nativeId;
            const bool isKnown = kind == TrackKind::Device ? own >= 0 : own > 0 && isOwnNumber(own);
            if (track.kind == kind && isKnown && taken.insert(own).second)
                m_processOfRoot[root] = own;
        }
    for (std::size_t root = 0; root < trace.roots().size(); ++root) {
        if (m_processOfRoot[root] < 0)
            m_processOfRoot[root] = freeNumber();
        m_processes.push_back({m_processOfRoot[root], trace.track(trace.roots()[root]).name});
    }
}

// The depth of the tree is bounded by its readers.
void ChromePlaces::visit(const Trace& trace, TrackId id, std::int64_t process, const std::string& above,
                         const WorkMeter& work)
{
    const Track& track = trace.track(id);
    m_places[id.index()].process = process;
    if (!track.events.empty()) {
        addLane(trace, id, above, process);
        if (!nests(trace, track, work))
            for (std::size_t row = 1; row < track.rows.size(); ++row) {
                const std::int64_t thread = freeNumber();
                m_rows[{id, row}] = thread;
                m_threads.push_back({{process, thread}, above + track.name + " (row " + std::to_string(row + 1) + ")"});
            }
    }
    // The name of the process says a root, and engines share the threads of their streams.
    const bool isSaid = !track.parent.valid() || rowOf(track.kind).isEngine();
    const std::string below = isSaid ? above : above + track.name + " \xC2\xB7 ";
    for (const TrackId child : track.children)
        visit(trace, child, process, below, work);
}

void ChromePlaces::addLane(const Trace& trace, TrackId id, const std::string& above, std::int64_t process)
{
    const Track& track = trace.track(id);
    std::int64_t& thread = m_places[id.index()].thread;
    const bool isShared =
        track.kind == TrackKind::Stream && track.parent.valid() && rowOf(trace.track(track.parent).kind).isEngine();
    const std::pair stream(process, track.name);
    if (const auto known = m_streams.find(stream); isShared && known != m_streams.end())
        if (m_joined.insert({known->second, track.parent}).second) {
            thread = known->second;
            return;
        }
    const bool hasOwn = track.kind == TrackKind::Stream ? above.empty() : track.nativeId > 0;
    const bool isFree = hasOwn && isOwnNumber(track.nativeId) && m_taken.insert({process, track.nativeId}).second;
    thread = isFree ? track.nativeId : freeNumber();
    if (isShared && m_streams.emplace(stream, thread).second)
        m_joined.insert({thread, track.parent});
    m_threads.push_back({{process, thread}, above + track.name});
}

}  // namespace overlane
