// Metric: a figure of a watched program with its name, its unit and its labels, whatever it is written as.
//
// Values; any thread. All are gauges: a count of windows begins anew with each start of the program. In base units:
// seconds, bytes, shares of 0 to 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/watch/window_figures.h"
#include "core/watch/window_history.h"

namespace overlane
{

enum class MetricUnit : std::uint8_t { None, Seconds, Bytes, Ratio };

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

struct MetricSample {
    MetricLabels labels;  // beside those of the program
    double value = 0;
};

struct Metric {
    std::string_view name;  // "overlane_step_seconds": ends with its unit, stable
    std::string_view help;  // one sentence
    MetricUnit unit = MetricUnit::None;
    std::vector<MetricSample> samples;
};

// Whose metrics they are.
struct WatchedProgram {
    std::string job;
    std::string rank;  // empty outside a job
    std::string host;
    std::string version;  // of Overlane

    MetricLabels labels() const;
};

struct WatchCounts {
    std::int64_t windows = 0;  // recorded and judged
    std::int64_t failed = 0;   // that could not be, or had no GPU work
};

// Without a figure that a window does not have: no sample, and no metric without one.
std::vector<Metric> watchMetrics(const WindowFigures& window, const WindowChange& change, const WatchCounts& counts);

}  // namespace overlane
