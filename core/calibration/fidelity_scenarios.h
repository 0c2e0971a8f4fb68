// FidelityScenarios: random settings over every knob a real GPU can follow, to hold the simulation to it.
//
// Scenarios come in pairs: the second differs from the first in one knob, so that it can be asked which of
// the two is faster. Sizes and times are drawn log-uniformly; each run takes a fraction of a second on a
// machine with 16 cores, 128 GiB and a fast link. Left out is what a real run cannot be told: RAM, swap,
// cores, NUMA nodes and the launch queue, and files off a drive. The same for a count and a seed everywhere. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "core/loader/scenario.h"

namespace overlane
{

std::vector<Scenario> fidelityScenarios(std::int64_t count, std::uint64_t seed);

}  // namespace overlane
