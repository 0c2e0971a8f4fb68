// Measures the rows of `overlane fidelity`: the walls of scenarios on this machine's GPU, and once each under a
// recording.
//
// The walls are those of runs in this process, one after the other; the overlap comes from one more process
// that runs them all, recorded. Blocks for as long as it takes, about 0.2 s for a run. One at a time, on any
// thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/calibration/fidelity.h"
#include "core/engine/gpu_backend.h"
#include "core/trace/trace.h"

namespace overlane
{

// Wall in nanoseconds, and the name of the device.
struct FidelityRun {
    std::int64_t wallNs = 0;
    std::string device;
};
using FidelityRunner = std::function<Result<FidelityRun>(const Scenario&)>;

// Runs on a GPU of this machine; with a spool directory the process is a recorded one.
FidelityRunner gpuRunner(GpuBackend& backend, int device, const std::string& spoolDirectory, Progress& progress);

struct FidelityWalls {
    std::vector<FidelityRow> rows;      // of scenarios that ran at least once
    std::vector<std::string> failures;  // one sentence for each of the others
    bool cancelled = false;
};
// Every scenario once a round, so that what changes over time meets all alike. Cancelled, it answers with
// what there is.
FidelityWalls measureWalls(const std::vector<Scenario>& scenarios, std::uint64_t seed, int repeats,
                           const FidelityRunner& runner, Progress& progress);

// The figures of a recorded process that ran the rows' scenarios in order, into the rows.
Result<void> addRecorded(std::vector<FidelityRow>& rows, int device, Progress& progress);
// What that process does: the scenarios of a file of rows, each once; walls into `resultFile`.
int runRecordedPart(const std::string& rowsFile, const std::string& resultFile, int device, Progress& progress);

// Figures of the k-th run in a recorded process.
std::vector<FidelityFigures> recordedFigures(const Trace& trace, const std::vector<std::int64_t>& wallsNs);

}  // namespace overlane
