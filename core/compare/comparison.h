// Comparison: what changed from trace A to trace B of the same program, and what of it may be claimed.
//
// Pure functions, any thread; nanoseconds and bytes. Both sides are taken from the aligned step on
// (core/compare/alignment.h), with steps as the devices run them (core/compare/device_steps.h). Differences are judged
// over steps by the rule of core/compare/sample.h: from fewer than five steps, or within the spread, nothing is
// claimed; which of the two is faster, by core/compare/speed.h. Idle time per cause is the mean over steps, so that
// kernels and causes add up to the mean step time exactly; step times are medians.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/base/work_meter.h"
#include "core/compare/alignment.h"
#include "core/compare/sample.h"
#include "core/compare/speed.h"
#include "core/compare/step_tally.h"
#include "core/trace/trace.h"

namespace overlane
{

struct CompareSide {
    const Trace* trace;
    const Analysis* analysis;
    const StepSequence* steps;  // as the trace marks them
};

// One quantity of every step.
struct QuantityChange {
    Distribution a, b;
    double p = 1;         // corrected where it stands in a table of many
    double effect = 0.5;  // chance that a step of B has more of it than one of A
    Claim claim = Claim::TooFew;

    double medianDelta() const { return b.median - a.median; }
};

// Time without kernels for one cause, mean per step (in the whole range where there are no steps).
struct CauseChange {
    LostCause cause = LostCause::Unknown;
    std::int64_t aNs = 0;
    std::int64_t bNs = 0;
    Claim claim = Claim::TooFew;

    std::int64_t deltaNs() const { return bNs - aNs; }
};

// Alike work on either side.
struct WorkChange {
    std::string name;  // of kernels
    EventKind direction = EventKind::CopyH2D;
    // Of copies. They differ where all copies of a size moved from one kind of memory to another.
    MemoryKind memoryA = MemoryKind::Unknown;
    MemoryKind memoryB = MemoryKind::Unknown;

    struct Side {
        std::int64_t count = 0;
        std::int64_t totalNs = 0;
        std::int64_t hiddenNs = 0;
        std::int64_t bytes = 0;
        std::int64_t leastBytes = 0;
        std::int64_t mostBytes = 0;
        std::int64_t medianNs = 0;   // of one event
        std::int64_t perStepNs = 0;  // mean; the total where there are no steps
    };
    Side a, b;  // count 0: not there
    double p = 1;
    Claim claim = Claim::TooFew;  // of the time per step

    std::int64_t deltaNs() const { return b.perStepNs - a.perStepNs; }
};

struct DeviceComparison {
    DeviceSummary a, b;  // of the compared ranges
    // Means per step (of the range without steps), whose sum is the mean step time.
    std::int64_t kernelsANs = 0;
    std::int64_t kernelsBNs = 0;
    std::vector<CauseChange> causes;  // those that cost anything on a side, largest change first
    QuantityChange exposed;           // copies to the device outside kernels, of every step
    QuantityChange overlap;           // hidden share of every step with copies, 0 to 1
    std::vector<WorkChange> kernels;  // largest change of time per step first
    std::vector<WorkChange> copies;
};

struct Comparison {
    Alignment alignment;
    bool perStep = false;  // both sides have steps; else everything is of one range each
    QuantityChange stepTime;
    // Steps of a side are so uneven that their median is not what a step costs: nothing is claimed.
    bool uneven = false;
    std::int64_t wallANs = 0;  // mean step time, or the length of the range
    std::int64_t wallBNs = 0;
    Speed speed;                            // medians, or means of simulated runs with one seed
    std::vector<DeviceComparison> devices;  // same id, else same place in order
    std::vector<std::int32_t> onlyInA;      // devices
    std::vector<std::int32_t> onlyInB;
    std::string sentence;  // what changed, complete with numbers; no claim where none holds
};

// Step times and speed alone, without devices and sentence: little work beside an analysis.
Result<Comparison> compareSteps(const CompareSide& a, const CompareSide& b, const AlignmentWish& wish = {});
Result<Comparison> compare(const CompareSide& a, const CompareSide& b, const AlignmentWish& wish = {},
                           const WorkMeter& work = {});

}  // namespace overlane
