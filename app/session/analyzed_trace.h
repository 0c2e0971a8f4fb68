// AnalyzedTrace: a trace with everything that the window knows of it, and the functions that make one.
//
// A value; what its pointers share is immutable, except `writable` and `saved`. The functions block and run on workers.
// Times in nanoseconds, sizes in bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "app/session/laboratory.h"
#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/work_meter.h"
#include "core/io/overlane_save.h"
#include "core/judgement/judgement.h"
#include "core/lod/trace_pyramids.h"
#include "core/trace/trace.h"

namespace overlane
{

// What a simulated run needed of the machine at its highest, and what the machine has. Bytes.
struct RunMemory {
    std::int64_t pinnedPeakBytes = 0;
    std::int64_t swapPeakBytes = 0;
    std::int64_t ramBytes = 0;
};

// What the file of a trace holds, as far as this program knows.
struct SavedState {
    std::optional<OverlaneOnDisk> disk;  // where it was read from or saved to last
    int joins = 0;                       // how often what another program had saved was joined in
    MadeByHand beforeJoin;               // what the window had when that was done last
};

struct AnalyzedTrace {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const TracePyramids> pyramids;
    std::shared_ptr<const Analysis> analysis;
    StepSequence steps;
    std::shared_ptr<const Judgement> judged;  // of its active range as one that has ended, without findings and devices
    std::optional<std::size_t> level;  // of the trace's loops that the steps are of, where a person chose; from 0
    QString title;
    std::optional<RunMemory> memory;        // of a simulated run of the laboratory
    std::optional<Laboratory::State> made;  // of a run on a GPU or from a file; simulated ones have scenarioJson
    QString gpu;                            // that ran the laboratory's settings; empty for any other trace
    bool partial = false;                   // of a run on a GPU that goes on or was stopped
    bool live = false;                      // goes on: what the GPU did last is not recorded yet
    std::optional<QString> bookmarks;       // as saved since the trace was read
    std::shared_ptr<Trace> writable;        // the same trace, for the notes; touched by the worker that saves
    std::shared_ptr<SavedState> saved;      // touched by that worker, too
    int joinsTaken = 0;                     // of SavedState::joins, that the window shows
};

// As Document::judgement() wants it: the window asks for it whenever it shows a trace.
std::shared_ptr<const Judgement> judgementOf(const AnalyzedTrace& trace, std::optional<Interval> range, bool live,
                                             const WorkMeter& work = {});
AnalyzedTrace analyzed(Trace trace, const WorkMeter& work = {});
// An Error where it was cancelled or memory does not suffice.
Result<AnalyzedTrace> analyzed(Trace trace, const Progress& progress);
Result<AnalyzedTrace> simulatedTrace(const Scenario& scenario, const DeviceProfile& device, Progress& progress);

}  // namespace overlane
