// The plots of the report as drawings: step times over the run, and a device's time by what it did.
//
// Pure functions, any thread; nanoseconds. Colors are the classes of core/report/report_style.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/judgement/time_parts.h"

namespace overlane
{

struct StepPoint {
    std::int64_t number = 0;
    std::int64_t durationNs = 0;
    bool warmUp = false;
    bool outlier = false;
};
// One mark per step; above some hundred steps the range of each column, with outliers still marked.
// The line is the median and the band the middle half of the steps that are no warm-up.
std::string stepsPlotSvg(const std::vector<StepPoint>& points, std::string_view description);

// One bar whose parts fill `wholeNs`, with the names of parts wide enough.
std::string stackedBarSvg(const std::vector<TimePart>& parts, std::int64_t wholeNs, std::string_view description);

}  // namespace overlane
