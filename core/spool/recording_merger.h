// RecordingMerger: merges the spools of a directory, one per process, into one trace.
//
// It reads what the processes have written so far and hands it to a TraceSink, so it
// can follow a running program and needs memory for open ranges and recent calls only, whatever the
// length, and one descriptor, however many processes there are: what a process that is gone needed is
// freed (spool_folder.h). One thread. Spools that appear later are picked up by the next poll().
//
// Tracks: process -> threads (calls, NVTX, overhead) and lanes; GPU -> engines -> streams, with the
// waits and the CUDA events in lanes of their own; gauges under their process or GPU. A GPU is
// known by its UUID, so processes that number GPUs differently meet on one track.
// Derived here: pinned and device bytes in use from the allocations; the residual of host against
// device clock (the furthest that any work starts before the call that asked for it); the
// profiler's share. Counted in ImportStats: dropped records, records without a time, damaged
// frames, cut tails, unfinished ranges.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/spool/record_status.h"
#include "core/spool/trace_sink.h"
#include "core/trace/trace.h"

namespace overlane
{

// Something a process said about its recording.
struct RecordingNotice {
    std::int64_t timeNs = 0;  // since the start of the trace
    std::uint32_t pid = 0;
    RecordStatus status = RecordStatus::Recording;
    std::string sentence;
};

// For a status line and a summary; all processes together.
struct RecordingTotals {
    std::uint32_t processes = 0;  // that used CUDA
    std::uint32_t hindered = 0;   // times that one could not record, or not to its end
    std::int64_t events = 0;      // handed to the sink
    std::int64_t kernels = 0;
    std::int64_t copies = 0;
    std::int64_t copyBytes = 0;
    std::int64_t calls = 0;
    std::uint64_t dropped = 0;
    std::uint64_t zeroTimes = 0;
    std::uint64_t spoolBytes = 0;
    double pinnedBytes = 0;        // in use at the last record
    double deviceBytes = 0;        // in use at the last record
    std::int64_t newestNs = 0;     // latest time of any record, since the start of the trace
    std::int64_t overheadNs = 0;   // reported by CUPTI
    std::int64_t collectorNs = 0;  // processor time of the recording threads
    std::int64_t residualNs = 0;   // of the clocks, see above
};

class RecordingMerger
{
public:
    // Both must outlive the merger.
    RecordingMerger(std::string directory, TraceSink& sink);
    ~RecordingMerger();
    RecordingMerger(const RecordingMerger&) = delete;
    RecordingMerger& operator=(const RecordingMerger&) = delete;

    // What is complete by now, about a million records at most: behind() says whether there is more,
    // so that a file can be flushed in between. An Error: the directory cannot be read, or
    // a spool is of a newer version; what was readable has been handed on.
    Result<void> poll();
    bool behind() const;
    // All the rest in parts of that size, calling `between` after each, then ends open ranges and counts
    // what is cut. Call once, when all processes are gone. The Error may be that of `between`.
    Result<void> finish(const std::function<Result<void>()>& between = {});
    // Whether a process that may still write something lives, as far as the last poll() knows.
    bool someLive() const;
    // Spools that are followed; every other one needs some hundred bytes of memory.
    std::size_t followed() const;

    const RecordingTotals& totals() const;
    // Notices since the last call, in order of reading.
    std::vector<RecordingNotice> takeNotices();

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace overlane
