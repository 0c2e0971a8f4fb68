// StreamOwners: which process a stream of a device belongs to. Numbers of streams are unique within a process
// only: stream 7 of two processes on one GPU are two streams.
//
// The process is the one whose calls asked for the stream's work; without such calls the one that the track's
// name says, or the only one that asked for work on the device. Made once per trace, linear in its events; borrows
// the trace. One thread; nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

class StreamOwners
{
public:
    explicit StreamOwners(const Trace& trace, const WorkMeter& work = {});

    // Of a track of kind Stream; none where the trace does not tell.
    TrackId ownerOf(TrackId stream) const { return m_owners[stream.index()]; }
    // Whether more than one process asks for GPU work.
    bool areSeveral() const { return m_areSeveral; }
    // Of a row that says that a stream waits: the process that made the call.
    TrackId ownerOfWait(const Trace& trace, EventIndex row) const;

private:
    struct WaitCall {
        std::uint32_t correlation = 0;
        std::int64_t startNs = 0;
        std::int64_t endNs = 0;
        TrackId process;
    };
    void findOwners(const Trace& trace, const WorkMeter& work);
    void findWaitCalls(const Trace& trace, const WorkMeter& work);

    std::vector<TrackId> m_owners;      // by track
    std::vector<WaitCall> m_waitCalls;  // by correlation and start; empty where one process alone uses GPUs
    TrackId m_only;                     // the process that asks for all GPU work, where it is one
    bool m_areSeveral = false;
};

}  // namespace overlane
