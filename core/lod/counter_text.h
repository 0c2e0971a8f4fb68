// A value of a counter with its unit, in three digits: "48.0 MiB", "1.20 GB/s", "87 %", "7".
//
// Pure function, any thread.
#pragma once

#include <string>

#include "core/trace/track.h"

namespace overlane
{

std::string counterText(CounterUnit unit, double value);

}  // namespace overlane
