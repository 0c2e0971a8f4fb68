// What `overlane pressure` tells the window: on its way, with --progress-json, ProcessNews on standard error; in the
// end, with --json, its report.
//
// Plain data; pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/process_news.h"
#include "core/pressure/pressure_experiment.h"

namespace overlane
{

// "step 2 of 7, 74.0 MiB pinned: batch 3.1 ms, ..."
ProcessNews pressureNews(const PressureNow& now, const PressurePlan& plan);

std::string jsonOf(const PressurePlan& plan, const PressureReport& report);
std::optional<PressureReport> parsePressureReport(std::string_view text);

}  // namespace overlane
