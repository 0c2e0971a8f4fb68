// The JSON of `overlane job`.
//
// Pure functions, any thread. Keys are stable: append, never rename. Nanoseconds.
#pragma once

#include <string>

#include "core/cli/device_figures.h"
#include "core/job/job_figures.h"

namespace overlane
{

OrderedJson jobJson(const Job& job);

}  // namespace overlane
