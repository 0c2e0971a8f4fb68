// ReplayProgram: what a traced program does, as orders instead of times.
//
// Host calls in the order in which they were made, each with the host time before it and its own cost;
// GPU work with its length and what it waits for; the loader's batches. A schedule (schedule.h) turns it
// into times again. Plain data: changes edit a copy. Nanoseconds, bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/analysis/copy_role.h"
#include "core/base/interval.h"
#include "core/base/strong_id.h"
#include "core/trace/event.h"

namespace overlane
{

constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

enum class Lane : std::uint8_t { H2D, D2H, OtherCopy, Compute };
constexpr int kLaneCount = 4;

struct GpuTask {
    EventIndex event;
    std::uint32_t call = kNoIndex;  // place in ReplayProgram::calls; none for work without a recorded call
    std::uint32_t stream = 0;       // place in ReplayProgram::streams
    Lane lane = Lane::Compute;
    MemoryKind hostMemory = MemoryKind::Unknown;
    CopyRole role = CopyRole::Unknown;
    std::int64_t lengthNs = 0;
    std::int64_t bytes = 0;
    std::int64_t afterCallNs = 0;  // starts no earlier than this after the start of its call
    std::int64_t afterWorkNs = 0;  // nor than this after the end of what it waits for
    std::uint32_t firstWait = 0;   // range in ReplayProgram::waits: other work to wait for
    std::uint32_t lastWait = 0;
    std::int64_t startNs = 0;  // as measured
    std::int64_t measuredNs = 0;
    std::int64_t endNs() const { return startNs + lengthNs; }
};

enum class CallKind : std::uint8_t {
    Plain,       // costs time, nothing else
    Launch,      // starts GPU work
    Record,      // of a CUDA event
    StreamWait,  // a stream waits for an event
    Sync,        // the host waits
    Fetch,       // the next batch from the loader
    Make,        // the thread makes a batch itself, or pins one
    Merged,      // became part of another call: costs nothing
};

enum class WaitTarget : std::uint8_t { None, Task, Stream, Device };

struct HostCall {
    EventIndex event;  // none for a fetch that the trace shows by its step only
    CallKind kind = CallKind::Plain;
    bool holds = false;        // the call returns only after its work
    bool synchronous = false;  // a copy asked for with a call that waits, cudaMemcpy
    WaitTarget target = WaitTarget::None;
    bool ofCopy = false;                   // a wait that belongs to a copy just before it
    std::uint32_t thread = 0;              // those that take turns are one
    std::uint32_t targetIndex = kNoIndex;  // task, stream or device
    std::uint32_t firstTask = 0;           // range in ReplayProgram::tasks
    std::uint32_t lastTask = 0;
    std::int64_t gapNs = 0;    // host time since the end of the call before; below 0 where calls overlap
    std::int64_t costNs = 0;   // least time it takes
    std::int64_t tailNs = 0;   // from the end of what it waits for to its return
    std::int32_t step = -1;    // place in ReplayProgram::steps
    std::int32_t batch = -1;   // of a fetch: place in the batches of its process's loader
    std::int64_t startNs = 0;  // as measured
    std::int64_t endNs = 0;
};

struct GpuStream {
    TrackId track;  // of its kernels, else of its copies
    std::int32_t device = 0;
    std::int64_t nativeId = 0;
    std::uint32_t devicePlace = 0;  // in ReplayProgram::deviceIds
};

// Where a step starts: a time before a call, or before a task where steps are known by GPU work only.
struct ProgramStep {
    std::uint32_t call = kNoIndex;
    std::uint32_t task = kNoIndex;
    std::int64_t beforeNs = 0;  // from the step's start to that of the call or task
    std::int64_t startNs = 0;   // as measured
    std::int64_t number = 0;
};

struct LoaderBatch {
    std::uint32_t fetch = kNoIndex;  // call
    std::uint32_t worker = 0;
    bool firstOfEpoch = false;
    std::int64_t epochOffsetNs = 0;  // of the first batches: from the fetch of the first to the start of the work
    std::int64_t workNs = 0;         // one worker's time
    std::int64_t pinNs = 0;          // pin thread's time, 0 without one
    std::int64_t workStartNs = 0;    // as measured
    std::int64_t pinStartNs = 0;
    std::int64_t readyNs = 0;    // as measured, of a loader without lanes
    std::int32_t place = 0;      // in its epoch
    std::int32_t pinOrder = -1;  // as measured; -1: as they come
    std::int64_t transitNs = 0;  // from the worker to an idle pin thread
    std::int64_t askNs = 0;      // from the consumer's asking for it until its worker could begin it
    std::int64_t pauseNs = 0;    // of its worker since the batch before
    std::int64_t takeNs = 0;     // of the pin thread's time: taking the batch over, 0 where it waited for it
    // For so long after it begins this batch, its worker hands over no other.
    std::int64_t holdsNs = kNotSeen;
    static constexpr std::int64_t kNotSeen = -1;
    std::int64_t samplesNs = kNotSeen;  // of the work, until its samples were there and were made a batch
    EventIndex workEvent, pinEvent;
};

// A batch that the launching thread made itself.
struct MadeBatch {
    std::uint32_t call = kNoIndex;
    std::uint32_t pinCall = kNoIndex;  // that pinned it; none without
    std::int32_t place = 0;            // in its epoch
    bool firstOfEpoch = false;
};

enum class LoaderKind : std::uint8_t {
    None,   // no loader, or one that works in the launching thread
    Lanes,  // workers, and a pin thread perhaps, are on lanes of the trace
    Waits,  // known by the waits for it only
};

struct LoaderProgram {
    std::uint32_t thread = 0;  // that fetches from it
    TrackId process;
    LoaderKind kind = LoaderKind::None;
    std::vector<LoaderBatch> batches;  // in order of their fetches
    std::uint32_t workers = 0;
    std::int64_t outstanding = 0;  // batches asked for at a time
    double holdsShare = 0;         // typical holdsNs of workNs; 0 where it was never seen
    bool holdsAssumed = false;     // nobody asked a worker at work: as long as it makes samples
    bool pinThread = false;
    bool bound = false;           // Waits: the consumer waited for so much of the time that it set the pace
    bool inThread = false;        // None: the launching thread makes the batches itself
    std::vector<MadeBatch> made;  // inThread: as far as the trace shows them, in order
    // Of workers that a change has started: what the thread made there is taken to be made as fast by them.
    bool workersAssumed = false;
    std::int64_t paceNs = 0;  // Waits and bound: a step as measured
    std::vector<TrackId> workerTracks;
    TrackId pinTrack;
};

class ReplayProgram
{
public:
    // Of the main thread's process.
    LoaderProgram& loader() { return loaders.front(); }
    const LoaderProgram& loader() const { return loaders.front(); }

    std::vector<HostCall> calls;  // in order of measured start
    std::vector<GpuTask> tasks;   // in order of their calls; those without a call last
    std::vector<std::uint32_t> waits;
    std::vector<GpuStream> streams;
    std::vector<ProgramStep> steps;
    std::vector<LoaderProgram> loaders{1};  // one of each process that launches work, the main thread's first
    std::vector<std::uint32_t> loaderOf;    // by thread
    std::uint32_t threads = 0;
    std::uint32_t mainThread = 0;  // the one that fetches, or launches most
    std::uint32_t devices = 0;
    // One at a time on it; else copies of two streams or kernels of two streams ran beside each other.
    bool exclusive[kLaneCount] = {true, true, false, false};
    std::int64_t runAhead = 0;            // tasks queued after which a launch waits; 0: not seen
    std::int64_t typicalCallNs = 0;       // of an asynchronous copy
    std::int64_t typicalLaunchNs = 0;     // from the start of a call to the start of its work on an idle stream
    std::int64_t typicalGapNs = 0;        // between two tasks of a stream that wait for nothing else
    std::int64_t typicalReturnNs = 0;     // from the end of work to the return of a wait for it
    std::uint32_t sideStream = kNoIndex;  // where a change has put the copies

    bool wholeRange = false;    // its only step is a range of a trace without iterations
    std::size_t firstStep = 0;  // judged, [firstStep, lastStep) with a mark at lastStep as the end
    std::size_t lastStep = 0;
    bool isJudged(const HostCall& call) const
    {
        const auto step = static_cast<std::size_t>(std::max(0, call.step));
        return call.step >= 0 && step >= firstStep && step < lastStep;
    }

    // Of building:
    std::int64_t recordedWaits = 0;
    std::int64_t inferredWaits = 0;
    std::int64_t unknownWaits = 0;
    std::int64_t unexplainedNs = 0;                  // over the judged steps
    std::vector<std::vector<TrackId>> threadTracks;  // by thread
    std::vector<std::int32_t> deviceIds;
    std::vector<std::string> leftOut;  // clauses: which steps are not judged, and why
    std::vector<std::string> limits;   // sentences: what was not looked at, because there is too much of it
};

// False where a schedule of the program could take longer than times can count: where lengths and pauses
// add up to many years.
bool timesAddUp(const ReplayProgram& program);

}  // namespace overlane
