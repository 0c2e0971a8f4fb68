// The whole calibration of one GPU and the machine around it: GpuBackend::calibrate().
//
// Blocks for a minute or two on the calling thread and threads of its own. Everything it takes is freed when
// it answers; the device's context stays until the process ends. See core/devices/probes.h for what is measured.
#pragma once

#include "core/base/result.h"
#include "core/devices/calibration_samples.h"

namespace overlane
{

Result<CalibrationSamples> calibrateGpu(const CalibrationOptions& options);

}  // namespace overlane
