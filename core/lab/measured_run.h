// MeasuredRun: a scenario on this machine's GPU, in a process of its own and recorded.
//
// The process is `overlane gpu-run` under a RecordSession: whatever happens to it, the program that
// asked goes on, cancelling is killing, and the trace has the same source as that of any recorded
// program. t = 0 is the start of the run's clock, as in a simulation. Owns its temporary files. One
// thread: poll() a few times a second until it answers false, then finish().
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/capture/record_session.h"
#include "core/engine/gpu_backend.h"
#include "core/loader/run.h"
#include "core/loader/scenario.h"

namespace overlane
{

struct MeasuredRunOptions {
    int device = 0;
    bool force = false;   // lifts the limit on page-locked memory
    std::string program;  // overlane, the command line; empty: found beside this program
};

struct MeasuredRunResult {
    RunResult run;  // metadata().format is "measured"; swap is not measured
    GpuRunReport report;
    std::string device;
    std::vector<std::string> warnings;  // of the recording: CUPTI missing, records dropped
};

class MeasuredRun
{
public:
    // The Error says which state this machine is in, where it cannot run.
    static Result<std::unique_ptr<MeasuredRun>> start(const Scenario& scenario, const MeasuredRunOptions& options);
    ~MeasuredRun();  // ends the process if it still runs
    MeasuredRun(const MeasuredRun&) = delete;
    MeasuredRun& operator=(const MeasuredRun&) = delete;

    bool poll() { return m_session->poll(); }
    void cancel();
    std::int64_t elapsedNs() const { return m_session->elapsedNs(); }
    const RecordingTotals& totals() const { return m_session->totals(); }
    // After poll() answered false.
    Result<MeasuredRunResult> finish(Progress& progress);

private:
    MeasuredRun(Scenario scenario, std::string folder);

    const Scenario m_scenario;
    const std::string m_folder;
    std::unique_ptr<RecordSession> m_session;
    int m_output = -1;
    bool m_cancelled = false;
};

// start(), poll() and finish() in one; blocks.
Result<MeasuredRunResult> measure(const Scenario& scenario, const MeasuredRunOptions& options, Progress& progress);

// What `overlane gpu-run SCENARIO RESULT` does in the process of its own. Returns its exit code; the
// reason of a failure is in the file RESULT.
int runForMeasurement(const std::string& scenarioFile, const std::string& resultFile, int device, bool force);

}  // namespace overlane
