// Moving the fetch and copy of each batch to an earlier or a later step of the program.
//
// Pure functions on a program, any thread.
#pragma once

#include <cstdint>

#include "core/replay/program.h"

namespace overlane
{

// How many batches are on the device or under way at a time: 1 where a step copies the batch that it
// computes on, 2 where it copies the next one. 0 where steps do not show it.
std::int64_t batchesAhead(const ReplayProgram& program);

// Where a step fetches and copies a batch that it does not compute on itself.
enum class BatchPlace : std::uint8_t {
    BeforeKernels,  // where it did with its own, as a prefetcher does that is asked for the next batch
    BehindKernels,  // once its kernels are issued and before the host waits for them, where it does
};

// Each step fetches and copies the batch `steps` later than it did.
void shiftBatches(ReplayProgram& program, std::int64_t steps, BatchPlace place = BatchPlace::BeforeKernels);

}  // namespace overlane
