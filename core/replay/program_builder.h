// ProgramBuilder: reads a trace's records into a ReplayProgram. Used by buildProgram() alone.
//
// One object per trace, one thread; keeps a reference to the trace while it lives. Its parts stand in
// files of their own, in the order in which they run: calls_of_threads.cpp, tasks_of_device.cpp,
// wait_targets.cpp, measured_lags.cpp, loader_batches.cpp, made_batches.cpp.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/steps.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/work_meter.h"
#include "core/replay/program.h"
#include "core/replay/replay.h"
#include "core/trace/name_classes.h"
#include "core/trace/trace.h"

namespace overlane
{

class WorkerTimes;

class ProgramBuilder
{
public:
    ProgramBuilder(const Trace& trace, const StepSequence& iterations, const ReplayOptions& options,
                   const WorkMeter& work)
        : m_trace(trace),
          m_options(options),
          m_work(work),
          m_steps(iterations.steps),
          m_stepsOfDevice(!iterations.onHost),
          m_names(trace, classOf)
    {
    }

    Result<ReplayProgram> build(Progress* progress);

private:
    // What the name of a host event says, asked once per name.
    enum class NameClass : std::uint8_t {
        NotAsked,
        Plain,
        Record,
        StreamWait,
        SyncEvent,
        SyncStream,
        SyncDevice,
        Fetch,  // a loader's __next__
        TakesBatch,
        MakesBatch,
        PinsBatch,
    };
    static NameClass classOf(std::string_view name);
    NameClass nameClass(EventIndex event) { return m_names.of(event); }

    bool eventsAddUp() const;
    std::int64_t startOfRange(std::int64_t startNs) const;

    // calls_of_threads.cpp
    struct HostTrack {
        TrackId id;
        TrackId parent;
        std::vector<HostCall> calls;  // in order of start
        std::int64_t callTimeNs = 0;
        std::size_t launches = 0;
        std::size_t fetches = 0;
        Interval span;
    };
    std::optional<HostTrack> readHostTrack(TrackId id);
    HostCall callOf(EventIndex event);
    void findCalls();
    void assignLoaders(const std::vector<HostTrack>& tracks);
    void mergeTurns(std::vector<HostTrack>& tracks);

    // tasks_of_device.cpp
    void findTasks();
    std::uint32_t streamOf(const Track& track, TrackId id);
    std::uint32_t streamWithId(std::int64_t nativeId) const;
    void orderTasks();
    void findExclusiveLanes();

    // steps_of_program.cpp
    Result<void> findSteps();
    Result<void> judgeSteps(const std::vector<Step>& steps);
    std::size_t firstWarmStep(std::size_t first) const;

    // wait_targets.cpp
    struct NamedWait {
        std::uint32_t correlation = 0;
        Interval interval;
        std::int64_t stream = -1;
        std::int64_t event = -1;
        bool device = false;
    };
    void readNamedWaits();
    const NamedWait* namedWait(const HostCall& call) const;
    void findWaits();
    void inferStreamWaits();
    void resolveSync(std::uint32_t call, const std::vector<std::uint32_t>& lastOnStream);
    void giveIdleWaitsToStreamsInTurn();
    std::vector<std::uint32_t> nextStreams(std::uint32_t call, std::size_t most) const;
    std::uint32_t endingWithin(Interval ends, std::size_t depth, const std::vector<std::uint32_t>& lastOnStream) const;
    void storeWaits();

    // measured_lags.cpp
    void measureTypical();
    void measureTasks();
    void measureCalls();
    void measureGaps();
    void findRunAhead();
    std::uint32_t endingJustBefore(const GpuTask& task) const;

    // loader_batches.cpp
    void findLoaders();
    bool showsLoader(const std::vector<TrackId>& tracks) const;
    void findLoader(LoaderProgram& loader, const std::vector<std::uint32_t>& fetches);
    void readLanes(LoaderProgram& loader);
    void readWaits();
    void readWaits(LoaderProgram& loader);
    void addStepFetches();

    // handovers.cpp
    void findHandovers(LoaderProgram& loader, std::vector<Interval> unfetchedPins);
    void orderPins(LoaderProgram& loader, std::vector<Interval> unfetchedPins, WorkerTimes& workers);
    void receiveBatches(LoaderProgram& loader, WorkerTimes& workers);
    void measurePauses(LoaderProgram& loader);

    // made_batches.cpp
    bool isMade(EventIndex event, const Track& track);
    void findMadeBatches(LoaderProgram& loader, const std::vector<std::uint32_t>& makes);
    void makeFetches(LoaderProgram& loader);

    // Waits in a row behind a call for a stream that find its work done.
    struct IdleWaits {
        std::uint32_t stream;
        std::vector<std::uint32_t> calls;
    };

    const Trace& m_trace;
    const ReplayOptions& m_options;
    const WorkMeter& m_work;
    ReplayProgram m_program;
    std::vector<Step> m_steps;
    bool m_stepsOfDevice = false;
    NameClasses<NameClass> m_names;
    std::vector<std::vector<std::uint32_t>> m_makes;  // by loader: calls of its thread that make a batch, or pin one
    std::vector<std::uint32_t> m_callOfEvent;         // by event; kNoIndex
    std::vector<NamedWait> m_namedWaits;              // by correlation and start
    // Device, context and number -> place.
    std::map<std::tuple<std::int32_t, std::int64_t, std::int64_t>, std::uint32_t> m_streamAt;
    std::unordered_map<std::int64_t, std::uint32_t> m_streamWithId;  // number -> the first place
    std::vector<IdleWaits> m_idleWaits;
    std::vector<std::uint32_t> m_placeOnStream;  // by task, in m_streamTasks
    std::vector<std::uint32_t> m_tasksByEnd;
    std::vector<std::vector<std::uint32_t>> m_taskWaits;    // by task
    std::vector<std::vector<std::uint32_t>> m_streamTasks;  // by stream, in order of call
    // A wait of a stream for an event that is not named: the call, and what had been queued by then.
    struct OpenWait {
        std::uint32_t task = kNoIndex;  // the first on the waiting stream after it
        std::size_t queued = 0;         // place in m_queued
    };
    std::vector<OpenWait> m_openWaits;
    std::vector<std::vector<std::uint32_t>> m_queued;  // the last tasks of other streams
};

}  // namespace overlane
