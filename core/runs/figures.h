// Figures: every name that an expression may ask for, and its value: metrics and settings of a run,
// figures of the device profile.
//
// Pure functions, any thread. Units as in core/runs/figure_unit.h.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/devices/device_profile.h"
#include "core/runs/expression.h"
#include "core/runs/figure_unit.h"
#include "core/runs/judged_run.h"

namespace overlane
{

// The "run" whose figures are those of the device profile.
inline constexpr std::string_view kDeviceRun = "device";

struct DeviceFigure {
    std::string_view key;          // "pinned_alloc"; stable
    std::string_view description;  // one sentence
    FigureUnit unit;
    bool takesBytes = false;
    std::function<double(const DeviceProfile&, double bytes)> value;
};
std::span<const DeviceFigure> allDeviceFigures();

struct FigureKind {
    FigureUnit unit;
    bool takesBytes = false;
};
// Of the device, else a metric or a setting of a run. The Error names the nearest one.
Result<FigureKind> findFigure(bool ofDevice, std::string_view key);

Result<double> runFigure(const JudgedRun& run, std::string_view key);
Result<double> deviceFigure(const DeviceProfile& device, const FigureName& name);
// A setting of a run as its number: bytes, microseconds as nanoseconds, 0 or 1.
double settingFigure(const Scenario& scenario, std::string_view key);

}  // namespace overlane
