// ChromePlaces: the process and thread numbers that the tracks of a trace have in a Chrome trace, and their names.
//
// A device is a process with its own number and its streams are threads with theirs, as PyTorch has them; processes and
// threads of the host keep their numbers where those are free. Viewers draw the events of one thread as a stack, so the
// further rows of a track whose events overlap without nesting are threads of their own. Built once, then immutable;
// any thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

class ChromePlaces
{
public:
    struct Place {
        std::int64_t process = 0;
        std::int64_t thread = 0;
    };
    struct Process {
        std::int64_t number = 0;
        std::string name;
    };
    struct Thread {
        Place place;
        std::string name;
    };

    ChromePlaces(const Trace& trace, const WorkMeter& work);

    // `row` counts within the track.
    Place of(TrackId track, std::size_t row) const;
    // In the order of the lanes from the top.
    const std::vector<Process>& processes() const { return m_processes; }
    const std::vector<Thread>& threads() const { return m_threads; }

private:
    void numberProcesses(const Trace& trace);
    void visit(const Trace& trace, TrackId id, std::int64_t process, const std::string& above, const WorkMeter& work);
    void addLane(const Trace& trace, TrackId id, const std::string& above, std::int64_t process);
    std::int64_t freeNumber() { return m_nextNumber++; }

    std::vector<Place> m_places;                                     // by track; of the first row
    std::map<std::pair<TrackId, std::size_t>, std::int64_t> m_rows;  // threads of further rows that do not nest
    std::vector<std::int64_t> m_processOfRoot;                       // in the order of roots()
    std::vector<Process> m_processes;
    std::vector<Thread> m_threads;
    std::map<std::pair<std::int64_t, std::string>, std::int64_t> m_streams;  // by process and name
    std::set<std::pair<std::int64_t, TrackId>> m_joined;      // their threads, and the engines that have them
    std::set<std::pair<std::int64_t, std::int64_t>> m_taken;  // threads by process
    std::int64_t m_nextNumber = 1'000'000'000;                // above the pids and tids of any system
};

}  // namespace overlane
