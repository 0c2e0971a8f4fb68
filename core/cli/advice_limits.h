// The limits of `overlane advise` from words: sizes such as 16G or 512MiB. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/sweep/advisor.h"

namespace overlane
{

// Empty texts and 0: no limit.
Result<AdvisorLimits> advisorLimits(const std::string& ram, const std::string& pinned, std::int64_t cores);

}  // namespace overlane
