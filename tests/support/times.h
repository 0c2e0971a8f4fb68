// Times as tests write them, 30 * kUs.
#pragma once

#include "core/base/units.h"

namespace overlane
{

constexpr std::int64_t kUs = kNsPerUs;
constexpr std::int64_t kMs = kNsPerMs;

}  // namespace overlane
