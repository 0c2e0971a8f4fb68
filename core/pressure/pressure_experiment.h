// PressureExperiment: memory that runs short, for real, in a control group that can hurt only itself.
//
// start() makes the swap file, the group, a guardian that cleans up whatever happens, and the loader;
// poll() a few times a second reads what it reports and watches over everyone else: it ends the
// experiment where the machine itself runs short, or others' memory goes to its swap. finish() ends
// what still runs and cleans up. Owns all of it; the destructor cleans up too. Needs what
// pressureRefusals() asks for. One thread; bytes and nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/pressure/pressure_cleanup.h"
#include "core/pressure/pressure_plan.h"
#include "core/pressure/pressure_worker.h"

namespace overlane
{

struct PressureStep {
    std::int64_t pinnedBytes = 0;
    std::int64_t batches = 0;
    std::int64_t medianBatchNs = 0;
    std::int64_t slowBatchNs = 0;  // the ninth decile
    // At the end of the step; the rates over it.
    MemoryGroupUsage usage;
    double majorFaultsPerSecond = 0;
    double refaultedBytesPerSecond = 0;
    double pressurePercent = 0;  // the group's where it is known, else the machine's
    PressureExpectation expected;
};

// What is going on now.
struct PressureNow {
    std::size_t step = 0;
    std::int64_t lastBatchNs = 0;
    MemoryGroupUsage usage;
    std::int64_t availableBytes = 0;  // of the machine
    double pressurePercent = 0;
};

struct PressureReport {
    std::vector<PressureStep> steps;  // those that began
    std::string ended;                // why before its end; empty: it ran to its end
    double slowdown() const;          // of the last step's median to the first's; 0: unknown
};

class PressureExperiment
{
public:
    static Result<PressureExperiment> start(const PressurePlan& plan, const PressureFacts& facts);
    PressureExperiment(PressureExperiment&& other) noexcept;
    PressureExperiment& operator=(PressureExperiment&&) = delete;
    ~PressureExperiment();

    // Whether it goes on.
    bool poll();
    const PressureNow& now() const { return m_now; }
    const PressurePlan& plan() const { return m_plan; }
    pid_t guardian() const { return m_guardian.pid(); }
    // Ends it with this reason.
    void stop(const std::string& reason);
    // Cleans up; the Error says what is left and how to remove it.
    Result<PressureReport> finish();

private:
    PressureExperiment(PressurePlan plan, PressureFacts facts, PressureTraces traces, PressureGuardian guardian);
    Result<void> begin();
    void take(const PressureReading& reading);
    void closeStep();
    void watchOverOthers();
    void endWorker();

    PressurePlan m_plan;
    PressureFacts m_facts;
    PressureTraces m_traces;
    PressureGuardian m_guardian;
    std::optional<MemoryGroup> m_group;
    pid_t m_worker = -1;
    int m_pipe = -1;  // what it reports
    int m_go = -1;    // tells it to begin the next step
    PressureNow m_now;
    PressureReport m_report;
    std::vector<std::int64_t> m_batchesNs;  // of the step
    MemoryGroupUsage m_stepStart;
    std::int64_t m_stepStartNs = 0;
    bool m_stepOpen = false;
    bool m_done = false;
};

}  // namespace overlane
