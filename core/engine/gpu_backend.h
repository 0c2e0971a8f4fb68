// GpuBackend: the door to a real GPU, behind which CUDA stays out of sight.
//
// Implemented by liboverlane-cuda.so (folder cupti/), which core/system loads at run time and asks for
// its one function. Both sides are built from the same sources by the same compiler; the version
// only catches a library of another build left beside the program. The backend must outlive its
// engines. Nanoseconds, bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/calibration_samples.h"
#include "core/engine/engine.h"
#include "core/engine/node_placement.h"

namespace overlane
{

struct GpuDevice {
    int index = 0;  // as CUDA counts them
    std::string name;
    std::int64_t memoryBytes = 0;
    std::string pciAddress;  // "0000:41:00.0"
    int numaNode = -1;       // -1: the system does not say
};

struct GpuEngineOptions {
    int device = 0;
    // Page-locked memory may take this part of what is available when the engine is made; a run that
    // asks for more is refused with the numbers. 0 lifts the limit.
    double lockedShareLimit = 0.5;
    // Blocks of pageable memory that hold data before the clock starts, for loaders that produce none.
    std::int64_t readyBlockBytes = 0;
    std::int64_t readyBlocks = 0;
    // Files for workers to read, where a run reads any: how, in parts of this size, all in all.
    op::FileRead fileRead = op::FileRead::Included;
    std::int64_t filePartBytes = 0;
    std::int64_t fileBytes = 0;
    // Where the run is recorded (core/spool/record_environment.h); empty: it is not.
    std::string spoolDirectory;
    Progress* progress = nullptr;  // outlives the engine
};

// What a run on real memory shows beyond its trace.
struct GpuRunReport {
    std::int64_t pinnedPeakBytes = 0;
    // Batches whose bytes on the device were not those that the loader had meant when it called the
    // copy, as a kernel found them; and results that the host read before they had arrived.
    std::int64_t batchesChecked = 0;
    std::int64_t wrongBatches = 0;
    std::int64_t resultsChecked = 0;
    std::int64_t wrongResults = 0;
    NodePlacement placement;
};

// An Engine of threads, real memory and CUDA streams. run() returns once its threads have ended;
// memory is freed when the engine is destroyed.
class GpuEngine : public Engine
{
public:
    virtual GpuRunReport report() const = 0;
};

// In a recording, the event that spans the run, from startClock() until every actor has ended, and
// before that is known the instant at which the clock started.
constexpr const char* kMeasuredRun = "measured run";

class GpuBackend
{
public:
    virtual ~GpuBackend() = default;

    virtual std::vector<GpuDevice> devices() const = 0;
    virtual Result<std::unique_ptr<GpuEngine>> createEngine(const GpuEngineOptions& options) = 0;
    // The device's place among the NUMA nodes, with the rates of copies from each where there is more
    // than one; blocks for some tens of milliseconds a node.
    virtual Result<NodePlacement> placement(int device) = 0;
    // Measures what a device profile needs (probes.h); blocks for a minute or two. What it takes is freed before
    // it answers, cancelled or not. A probe that fails is a miss, not an Error. Limits of nothing are replaced
    // by calibrationLimits() for this machine.
    virtual Result<CalibrationSamples> calibrate(const CalibrationOptions& options) = 0;
};

constexpr int kGpuBackendVersion = 3;
constexpr const char* kGpuBackendFunction = "overlaneGpuBackend";
// The backend, owned by the library; nullptr for another version.
using GpuBackendFunction = GpuBackend*(int version);

}  // namespace overlane
