// What `overlane names` answers as JSON: kernels, copies, calls and host work summed by name.
//
// Pure functions, any thread; cancellable. JSON keys are stable: append, never rename. Nanoseconds, bytes.
#pragma once

#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/cli/device_figures.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

struct NamesQuestion {
    std::string of;      // id of one group (core/names/named_work.h); empty: all
    bool whole = false;  // of the whole trace, not of the active range
};

Result<OrderedJson> namesJson(const JudgedTrace& judged, const std::string& file, const NamesQuestion& question,
                              Progress& progress);

}  // namespace overlane
