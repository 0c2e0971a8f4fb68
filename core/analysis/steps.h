// Steps: the iterations of a program's own outer loop (training steps, batches, requests), found from what the
// trace itself marks (core/analysis/step_marks.h), else from the structure of what the program asks of its
// GPU (core/analysis/loop_levels.h).
//
// Pure functions of an immutable trace, any thread. Times in nanoseconds. A step's time is from its
// start to the start of the next one (for the last its own length and the usual pause): what a step
// costs also where the marks leave something out between them, or overlap. A pause of many steps, in which
// another phase runs, is no step's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/interval.h"
#include "core/base/result.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

struct Step {
    Interval interval;
    std::string name;         // as in the trace: "ProfilerStep#12", "iteration 3"
    std::int64_t number = 0;  // the number at the end of the name, else the place in order from 0
    std::int64_t timeNs = 0;
    bool phaseEnds = false;  // another phase follows, a validation for one: what lies behind it is not its time
    bool warmUp = false;     // one of the first, and slower than the others, or quick behind such a one
    bool outlier = false;    // far slower or faster than the others, and no warm-up
};

enum class StepOrigin : std::uint8_t {
    None,
    Profiler,  // events of kind Step: profiler steps, batches of a loader
    Ranges,    // user ranges (NVTX, record_function) with a name like "step 3"
    Pattern,   // requests to the GPU that take turns
};
// "profiler steps", "named ranges", "repeating GPU work", "none"; stable, used in JSON.
std::string_view stepOriginName(StepOrigin origin);

// Of step times, without warm-up.
struct StepStatistics {
    std::int64_t steps = 0;
    std::int64_t warmUps = 0;
    std::int64_t outliers = 0;
    std::int64_t meanNs = 0;
    std::int64_t medianNs = 0;
    std::int64_t lowerQuartileNs = 0;
    std::int64_t upperQuartileNs = 0;
    std::int64_t deviationNs = 0;  // median distance from the median
    std::int64_t minNs = 0;
    std::int64_t maxNs = 0;
};

struct StepSequence {
    std::vector<Step> steps;
    StepOrigin origin = StepOrigin::None;
    // How sure it is that these are the steps: 1 where the trace marks them, for a pattern the part of
    // the device's work that repeats alike. 0 without steps.
    double confidence = 0;
    bool onHost = true;  // their times are those of the host, not of the device
    StepStatistics statistics;
};

// What the trace marks, else the program's own loop as its requests to the GPU show it. In order of start;
// steps of a loader may overlap.
StepSequence detectSteps(const Trace& trace, const WorkMeter& work = {});
std::vector<Step> findSteps(const Trace& trace);

// One of the loops that a trace shows.
struct IterationLevel {
    StepOrigin origin = StepOrigin::None;
    std::string name;  // of the marks, or of the request that usually begins an iteration
    std::int64_t count = 0;
    std::int64_t medianNs = 0;
    bool isTaken = false;  // by detectSteps()
};
// Marks first, then the nested loops, outermost first.
std::vector<IterationLevel> iterationLevels(const Trace& trace, const WorkMeter& work = {});
// The steps of the level that is wished for: its place in that list from 1, else its name or its count.
Result<StepSequence> stepsOfLevel(const Trace& trace, std::string_view wish, const WorkMeter& work = {});

// Fills in the times and marks of steps in order of start, and what they add up to. `pauseBehindNs` is
// the pause that belongs to a step but is cut off the last one.
StepStatistics markSteps(std::vector<Step>& steps, std::int64_t pauseBehindNs = 0);

// What a step takes in a range: the mean of the whole ones in it without warm-up, with what the range holds behind the
// last step of all, which a host that runs ahead leaves to its device; not where its warm-up was quick. 0 without any.
std::int64_t averageStepNs(const std::vector<Step>& steps, Interval range);

// The part of a sum over a range that its average step has, so that everything said per step is of that one step time,
// also where the range holds a pause or another phase. 0 without steps.
std::int64_t perStepNs(std::int64_t sumNs, Interval range, std::int64_t averageStepNs);

// Pauses between the whole steps of a range that no step's time holds: validations, checkpoints, clocks that jump.
struct StepPauses {
    std::int64_t count = 0;
    std::int64_t ns = 0;
};
StepPauses pausesBetween(const std::vector<Step>& steps, Interval range);
// From this part of a range on, pauses keep what is lost in it from being told per step: much of it may lie in them.
constexpr double kMuchPause = 0.10;

// The whole steps that lie in a range.
std::vector<Step> stepsWithin(const std::vector<Step>& steps, Interval range);
std::int64_t wholeSteps(const std::vector<Step>& steps, Interval range);  // how many

// Mean time between the starts of consecutive steps (the length of a single one): the time
// a step takes when steps overlap. 0 without steps.
std::int64_t stepTimeNs(const std::vector<Step>& steps);

}  // namespace overlane
