// Run metric values: how those figures of a run are got that take more than one member of it.
//
// Pure functions of a JudgedRun, any thread. Units as in core/runs/run_metrics.h; NaN where the run does not tell.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "core/runs/judged_run.h"

namespace overlane
{

constexpr double kUnknownFigure = std::numeric_limits<double>::quiet_NaN();

// Not known where the whole is nothing.
double ratio(std::int64_t part, std::int64_t whole);

// Runtime calls whose name is one of `names`; a recording puts versions behind them.
struct CallTally {
    std::int64_t count = 0;
    std::int64_t timeNs = 0;
};
CallTally callsNamed(const JudgedRun& run, std::span<const std::string_view> names);

double copyCallNs(const JudgedRun& run);
double hiddenCopies(const JudgedRun& run);
double linkRate(const JudgedRun& run);
// What the thread that launches did, by the analysis' own words.
double launchingNs(const JudgedRun& run, HostDoing doing);
// The lowest or highest value of a gauge; unknown where the trace has none.
double gaugeLimit(const JudgedRun& run, std::string_view name, bool highest);
double workersBusyNs(const JudgedRun& run);
double pinThreadBusyNs(const JudgedRun& run);

// Mean step without the first quarter, in which buffers fill and memory is allocated. A mean, since steps may
// alternate: two workers deliver in pairs, and a median would tell half of it.
double settledStepNs(const JudgedRun& run);
double paceNs(const JudgedRun& run);
// The bound of paceNs(): the longest of the parts in the very time that it is taken from, so never above it.
double paceIdealNs(const JudgedRun& run);

}  // namespace overlane
