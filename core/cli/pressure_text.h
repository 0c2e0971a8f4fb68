// What `overlane pressure` prints: the plan, the line that is redrawn while it runs, the table.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/cli/device_figures.h"
#include "core/pressure/pressure_experiment.h"
#include "core/pressure/pressure_news.h"
#include "core/pressure/pressure_plan.h"

namespace overlane
{

std::string pressurePlanText(const PressurePlan& plan, const PressureFacts& facts,
                             const std::vector<std::string>& refusals);
std::string pressureLine(const PressureNow& now, const PressurePlan& plan);
PressureNews pressureNews(const PressureNow& now, const PressurePlan& plan);
std::string pressureReportText(const PressurePlan& plan, const PressureReport& report);
OrderedJson pressurePlanJson(const PressurePlan& plan, const PressureFacts& facts,
                             const std::vector<std::string>& refusals);
OrderedJson pressureReportJson(const PressurePlan& plan, const PressureReport& report);

}  // namespace overlane
