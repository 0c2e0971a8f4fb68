// Cold calls: those of a thread right behind a copy that the host stages, which leaves little of what the thread works
// with in the caches of its core. The pauses before them, and they themselves, take longer than they would without.
//
// Eleven programs, each recorded with pageable and with page-locked memory: pauses right behind a copy took 0.15 to
// 0.85 of the time, those 30 calls behind it about the same (docs/validation/whatif.md). Pure functions on a program,
// any thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/replay/host_memory.h"
#include "core/replay/program.h"

namespace overlane
{

// By call: how many calls behind the last copy that its thread staged it comes, from 1; 0 = none, or far behind.
using ColdCalls = std::vector<std::uint8_t>;

ColdCalls coldCalls(const ReplayProgram& program, LibraryStaging library, bool stagesMuch);

// Ends of the range of `warmth`: nothing comes of it, and the programs that gained most.
constexpr double kLeastWarmth = 0.3;
constexpr double kMostWarmth = 1.3;

// What those calls and the pauses before them would take without the copies, at so many times the usual gain. The
// time that goes, in all judged steps.
std::int64_t warmCalls(ReplayProgram& program, const ColdCalls& cold, double warmth = 1);

}  // namespace overlane
