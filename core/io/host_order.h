// HostOrder: the order of the processes and threads of an imported trace, and which are bookkeeping.
//
// A reader follows work downwards: what prepares batches stands first, the threads that launch GPU
// work stand last, the main thread of a process directly above the devices. A track that holds
// nothing but the profiler's own time is bookkeeping. Counts as events come, sets the order at the
// end. Borrows the builder; one thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/trace_builder.h"

namespace overlane
{

class HostOrder
{
public:
    explicit HostOrder(TraceBuilder& builder) : m_builder(builder) {}

    void addProcess(TrackId process);
    // `isMain`: the thread a process starts with. `sourceOrder` decides where nothing else does.
    void addThread(TrackId process, TrackId thread, bool isMain);
    void setSourceOrder(TrackId thread, std::int32_t order);
    // One event of a thread; others are ignored.
    void note(TrackId thread, EventKind kind, std::string_view name);
    // The profiler's own, whatever it holds.
    void markBookkeeping(TrackId process);

    void finish();
    // Entries looked at by finish(), for the test that they grow no faster than the tracks.
    std::int64_t visits() const { return m_visits; }

private:
    struct Entry {
        TrackId track;
        TrackId process;  // none for a process
        std::int32_t sourceOrder = 0;
        bool isMain = false;
        bool works = false;     // holds more than the profiler's own time
        bool launches = false;  // starts GPU work
        bool bookkeeping = false;
    };
    Entry* find(TrackId track);
    void add(Entry entry);
    void order(std::vector<Entry*> siblings);

    TraceBuilder& m_builder;
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_entryOfTrack;  // 0 = none, else the place + 1
    std::int64_t m_visits = 0;
};

}  // namespace overlane
