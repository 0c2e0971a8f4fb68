// What `overlane advise` prints: the answer for people, JSON for programs.
//
// Pure functions, any thread. JSON keys are stable: append, never rename.
#pragma once

#include <string>

#include "core/cli/device_figures.h"
#include "core/sweep/advisor.h"

namespace overlane
{

std::string adviceText(const Advice& advice);
OrderedJson adviceJson(const Advice& advice);

}  // namespace overlane
