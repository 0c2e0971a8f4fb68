// WindowFigures: what one window of a watched program showed: its step time, and where the time of each GPU went.
//
// A value, made by a pure function of a judged trace; any thread. Nanoseconds, bytes; shares 0 to 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/lost_time.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

struct GpuFigures {
    std::int32_t id = 0;
    double kernels = 0;             // share of the time in which one computes
    double idle = 0;                // with neither kernel, copy nor memset
    std::optional<double> overlap;  // hidden share of the copies to the device; none where there are none
    double exposedCopies = 0;       // share of the time
    double exposedCommunication = 0;
    std::int64_t exposedCopiesNs = 0;  // per iteration; of the window where it has none
    std::int64_t toDeviceBytes = 0;    // likewise
    std::int64_t toHostBytes = 0;
    // Time without kernels by its cause, as verdict and findings speak of it; none where kernels are not known.
    std::vector<std::pair<LostCause, double>> losses;
};

struct WindowFigures {
    std::uint32_t number = 0;  // from 1 on
    std::int64_t endUnixNs = 0;
    std::int64_t rangeNs = 0;     // that is judged
    std::int64_t steps = 0;       // whole ones in it
    std::int64_t stepNs = 0;      // the one step time of the range; 0 without whole steps
    std::vector<double> stepsNs;  // each, as the devices run them
    std::vector<GpuFigures> gpus;
    std::size_t worst = 0;  // place of the one that the headline is about
    std::string headline;

    const GpuFigures* worstGpu() const { return gpus.empty() ? nullptr : &gpus[worst]; }
};

WindowFigures windowFigures(const JudgedTrace& judged);

}  // namespace overlane
