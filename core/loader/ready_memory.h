// ReadyMemory: what a loader that produces nothing copies from: blocks that hold data before the clock
// starts, like a data set in memory.
//
// Blocks are handed out in turn, so that a run walks through them: nobody has just touched the next one.
// Both engines keep this rule. A value. Bytes.
#pragma once

#include <cstdint>

#include "core/loader/scenario.h"

namespace overlane
{

struct ReadyMemory {
    std::int64_t blockBytes = 0;  // 0: none; batches are made
    std::int64_t blocks = 0;
};

// One block for each batch, up to 1 GiB, and at least as many as a loader holds at once.
ReadyMemory readyMemory(const Scenario& scenario);

}  // namespace overlane
