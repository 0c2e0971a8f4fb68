// The probes of a calibration: what each measures and how, in one list.
//
// The library behind GpuBackend measures them, core/runs makes figures of them, the help and the plots
// describe them. Pure data, any thread. A new probe is a line here, a function in cupti/calibrate, and
// what is made of it in core/calibration/calibration_figures.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace overlane
{

enum class ProbeUnit : std::uint8_t {
    Time = 0,   // ns of one operation
    Rate = 1,   // ns as well; shown as bytes per second, all threads together
    Count = 2,  // of something
};

struct ProbeInfo {
    std::string_view key;
    std::string_view label;  // for a legend
    ProbeUnit unit = ProbeUnit::Time;
    std::string_view how;  // one sentence: from when to when, of what
};

std::span<const ProbeInfo> allProbes();
const ProbeInfo* findProbe(std::string_view key);  // nullptr where there is none

}  // namespace overlane
