// The page of `overlane report` about a judged trace, with an older one to compare with. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"
#include "core/base/work_meter.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

// `baseline` nullptr: none. An Error where the two cannot be compared.
Result<std::string> reportPage(const JudgedTrace& judged, const JudgedTrace* baseline, std::size_t topKernels,
                               const WorkMeter& work = {});

}  // namespace overlane
