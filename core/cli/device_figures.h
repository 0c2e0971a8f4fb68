// The figures of one device that every command reports: one list, for people and for programs.
//
// Pure functions, any thread. Times are integers in nanoseconds; shares and ratios are numbers
// without a unit. Keys are stable: append, never rename.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/analysis/summary.h"
#include "core/content/terminal.h"

namespace overlane
{

using OrderedJson = nlohmann::ordered_json;

void addDeviceFigures(OrderedJson& json, const DeviceSummary& device);
std::vector<TextRow> deviceFigureRows(const DeviceSummary& device);

}  // namespace overlane
