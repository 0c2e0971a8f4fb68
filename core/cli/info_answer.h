// What `overlane info` works out of a judged trace beside its judgement, and its JSON.
//
// Pure functions, any thread. JSON keys are stable: append, never rename. Nanoseconds, bytes.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/role_shares.h"
#include "core/base/work_meter.h"
#include "core/cli/device_figures.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

struct InfoAnswer {
    std::vector<IterationLevel> levels;  // none is taken where the caller took one: `iteration` is not empty
    std::vector<RoleShare> roles;        // of the verdict's range
    std::int64_t iterations = 0;         // whole ones in it
};

InfoAnswer infoAnswer(const JudgedTrace& judged, const std::string& iteration, const WorkMeter& work = {});
OrderedJson infoJson(const JudgedTrace& judged, const InfoAnswer& answer);

}  // namespace overlane
