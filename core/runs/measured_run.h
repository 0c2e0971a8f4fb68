// MeasuredRun: a scenario on this machine's GPU, in a process of its own and recorded.
//
// The process is `overlane gpu-run` under a RecordSession: whatever happens to it, the program that
// asked goes on, cancelling is killing, and the trace has the same source as that of any recorded
// program. t = 0 is the start of the run's clock, as in a simulation. Owns its temporary files. One
// thread: poll() a few times a second until it answers false, then finish(). While it runs, any
// thread may read what it recorded so far (readMeasuredSoFar).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/engine/gpu_backend.h"
#include "core/loader/run.h"
#include "core/loader/scenario.h"
#include "core/recorder/record_session.h"

namespace overlane
{

// In the properties of the trace of a run that was stopped before its end.
constexpr const char* kStoppedProperty = "stopped";

struct MeasuredRunOptions {
    int device = 0;
    bool force = false;   // lifts the limit on page-locked memory
    std::string program;  // overlane, the command line; empty: found beside this program
    std::string library;  // that records the run; empty: the one beside this program
};

struct MeasuredRunResult {
    RunResult run;  // origin() is Measured; swap is not measured
    GpuRunReport report;
    std::string device;
    std::vector<std::string> warnings;  // of the recording: CUPTI missing, records dropped
    bool stopped = false;               // before its end: the report knows nothing, the trace what ran
};

class MeasuredRun
{
public:
    // The Error says which state this machine is in, where it cannot run.
    static Result<std::unique_ptr<MeasuredRun>> start(const Scenario& scenario, const MeasuredRunOptions& options);
    ~MeasuredRun();  // ends the process if it still runs
    MeasuredRun(const MeasuredRun&) = delete;
    MeasuredRun& operator=(const MeasuredRun&) = delete;

    bool poll();
    // Asks the run to end now, and makes it after a while; finish() then answers with what ran by then,
    // or as cancelled where nothing did.
    void stop();
    // Ends it at once; nothing is kept.
    void cancel();
    // The recording, which grows while the run goes on; gone with this object.
    std::string file() const;
    std::int64_t elapsedNs() const { return m_session->elapsedNs(); }
    const RecordingTotals& totals() const { return m_session->totals(); }
    // After poll() answered false.
    Result<MeasuredRunResult> finish(Progress& progress);

private:
    MeasuredRun(Scenario scenario, TemporaryFolder folder);

    const Scenario m_scenario;
    const TemporaryFolder m_folder;
    std::unique_ptr<RecordSession> m_session;
    int m_output = -1;
    bool m_cancelled = false;
    std::int64_t m_stoppedNs = 0;  // when it was asked to stop; 0 = not
};

// What is in file() by now. An Error: it cannot be read yet, or the run's clock has not started.
Result<Trace> readMeasuredSoFar(const Scenario& scenario, const std::string& device, const std::string& file,
                                Progress& progress);

// start(), poll() and finish() in one; blocks.
Result<MeasuredRunResult> measure(const Scenario& scenario, const MeasuredRunOptions& options, Progress& progress);

// What `overlane gpu-run SCENARIO RESULT` does in the process of its own; cancelling `progress` stops
// the run. Returns its exit code; the reason of a failure is in the file RESULT.
int runForMeasurement(const std::string& scenarioFile, const std::string& resultFile, int device, bool force,
                      Progress& progress);

}  // namespace overlane
