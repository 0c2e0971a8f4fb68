// The plots of a profile, as data: what memory costs, how fast copies run, what their calls cost, and what threads
// reach together.
//
// Pure functions, any thread. Drawn by the window, printed by the command line. A profile without a record gives the
// plot of its tables alone. Sizes in bytes, times in nanoseconds, rates in bytes per second.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/calibration/calibrated_profile.h"

namespace overlane
{

enum class PlotUnit : std::uint8_t { Bytes = 0, Time = 1, Rate = 2, Threads = 3 };

struct PlotPoint {
    double x = 0;
    double median = 0;
    double low = 0;
    double high = 0;
    std::int64_t samples = 0;  // 0: the spread is not known
};

struct PlotCurve {
    std::string name;
    std::string how;  // what was measured, as a sentence
    std::vector<PlotPoint> points;
};

struct PlotBound {
    std::string name;
    double value = 0;
};

struct CalibrationPlot {
    std::string key;  // "memory_cost"
    std::string title;
    std::string xLabel;
    std::string yLabel;
    PlotUnit x = PlotUnit::Bytes;
    PlotUnit y = PlotUnit::Time;
    std::vector<PlotCurve> curves;
    std::optional<PlotBound> bound;  // that no curve can pass
};

// `record` may be nullptr. Plots without a point are left out.
std::vector<CalibrationPlot> calibrationPlots(const DeviceProfile& profile, const CalibrationRecord* record);

// "curve,x,median,low,high,samples" with the units in the head, one line for each point.
std::string plotCsv(const CalibrationPlot& plot);

// A value as people read it.
std::string plotValueText(double value, PlotUnit unit);

}  // namespace overlane
