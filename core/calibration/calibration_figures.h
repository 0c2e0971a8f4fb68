// The figures of a device profile made of what was measured: one rule for each, in one list. Tables are made of the
// samples of one probe each, which is named in profileTables().
//
// Pure functions, any thread. A rule answers nothing where its probes are missing; the profile then keeps the value it
// started from. Values in the units of the profile's file.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/calibration/calibration_record.h"
#include "core/devices/device_profile.h"

namespace overlane
{

struct FigureEstimate {
    double value = 0;
    std::optional<FigureSpread> spread;  // none for what was not sampled
    std::string how;                     // goes on the source's sentence: "pinned copy of 1 GiB, between events"
};

struct FigureRule {
    const char* key;  // of the profile's figure
    std::optional<FigureEstimate> (*estimate)(const CalibrationRecord& record);
    // A value of a data sheet is kept where the profile it comes from is of the same GPU.
    bool prefersDataSheet = false;
};
std::span<const FigureRule> calibratedFigures();

}  // namespace overlane
