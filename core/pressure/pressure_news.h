// What `overlane pressure` tells the window. On its way, with --progress-json: a JSON object per line on standard
// error; lines of any other form are what it says to people. In the end, with --json: its report.
//
// Plain data; pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/pressure/pressure_experiment.h"

namespace overlane
{

struct PressureNews {
    double fraction = 0;  // of its steps
    std::string words;    // "step 2 of 7, 74.0 MiB pinned: batch 3.1 ms, ..."
};
PressureNews pressureNews(const PressureNow& now, const PressurePlan& plan);

std::string lineOf(const PressureNews& news);
std::optional<PressureNews> parsePressureNews(std::string_view line);

std::string jsonOf(const PressurePlan& plan, const PressureReport& report);
std::optional<PressureReport> parsePressureReport(std::string_view text);

}  // namespace overlane
