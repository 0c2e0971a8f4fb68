// What `overlane check` prints: a line per rule for people, JSON for programs.
//
// Pure functions, any thread. JSON keys are stable: append, never rename; times are integers in
// nanoseconds.
#pragma once

#include <span>
#include <string>

#include "core/cli/device_figures.h"
#include "core/report/trace_check.h"

namespace overlane
{

std::string checkText(std::span<const FileCheck> files);
OrderedJson checkJson(std::span<const FileCheck> files, int exitCode);

}  // namespace overlane
