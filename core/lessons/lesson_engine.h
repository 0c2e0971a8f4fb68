// LessonEngine: what runs a scenario of a lesson, on the simulator or on this machine's GPU; and one that runs
// nothing twice.
//
// Functions to be called from one thread; a call blocks while it runs. What they answer is shared and
// immutable.
#pragma once

#include <functional>
#include <memory>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/runs/judged_run.h"
#include "core/runs/measured_run.h"

namespace overlane
{

using JudgedRunPointer = std::shared_ptr<const JudgedRun>;

// Runs one scenario. The profile simulates it, and gives the figures of the device either way.
using LessonEngine =
    std::function<Result<JudgedRunPointer>(const Scenario& scenario, const DeviceProfile& device, Progress& progress)>;
LessonEngine simulatedLessonEngine();
// Figures of the device come from the planned profile, but for the usual one: then from the person's own for
// that GPU, or the embedded one, where there is any.
LessonEngine gpuLessonEngine(MeasuredRunOptions options = {});

// Which that is, by the name that the driver gives the GPU.
const DeviceProfile& profileOfGpu(const std::string& gpu, const DeviceProfile& planned);

// Answers a scenario that was run before with that run, whatever its name: lessons share scenarios, and
// exercises start where their lesson ended. What failed is tried again. `made` counts the runs.
LessonEngine rememberingEngine(LessonEngine engine, std::shared_ptr<std::size_t> made);

}  // namespace overlane
