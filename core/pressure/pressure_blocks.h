// What the memory experiment says, as blocks (core/content/block.h): its plan, its steps, what they showed.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/content/block.h"
#include "core/pressure/pressure_experiment.h"
#include "core/pressure/pressure_plan.h"

namespace overlane
{

// The sizes, the steps as the model expects them, and the promise or every reason why it may not run.
Blocks planBlocks(const PressurePlan& plan, const PressureFacts& facts, const std::vector<std::string>& refusals);
// The sizes, the table and the outcome.
Blocks reportBlocks(const PressurePlan& plan, const PressureReport& report);
// Columns pinned_bytes, batches, median_ns, p90_ns, cache_bytes, cache_model_bytes, swap_bytes, swap_model_bytes,
// refaulted_bytes_per_second and, where there was any, pressure_percent.
Table pressureTable(const PressureReport& report);
// The conclusion, why it ended early, and that nothing of it is left.
Blocks outcomeBlocks(const PressureReport& report);

std::string pressureConclusion(const PressureReport& report);

}  // namespace overlane
