// AnalysedTrace: a trace with everything that the window knows of it, and the functions that make one.
//
// Immutable and shared, except `writable`. The functions block and run on workers. Times in
// nanoseconds, sizes in bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "app/ui/laboratory.h"
#include "core/analysis/steps.h"
#include "core/analysis/summary.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace overlane
{

// What a simulated run needed of the machine at its highest, and what the machine has. Bytes.
struct RunMemory {
    std::int64_t pinnedPeakBytes = 0;
    std::int64_t swapPeakBytes = 0;
    std::int64_t ramBytes = 0;
};

struct AnalysedTrace {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Analysis> analysis;
    std::vector<Step> steps;
    StepOrigin stepOrigin = StepOrigin::None;
    double stepConfidence = 0;  // 0 to 1 that these are the steps
    QString title;
    std::optional<RunMemory> memory;        // of a simulated run of the laboratory
    std::optional<Laboratory::State> made;  // the settings that a file says it was made with
    QString gpu;                            // that ran the laboratory's settings; empty for any other trace
    bool partial = false;                   // of a run on a GPU that goes on or was stopped
    bool live = false;                      // goes on: what the GPU did last is not recorded yet
    std::optional<QString> bookmarks;       // as saved since the trace was read
    std::shared_ptr<Trace> writable;        // the same trace, for the notes; touched by the worker that saves
};

AnalysedTrace analysed(Trace trace);
Result<AnalysedTrace> simulatedTrace(const Scenario& scenario, const DeviceProfile& device, Progress& progress);

}  // namespace overlane
