// Basic blocks of core/analysis, core/compare, core/findings, core/replay and the native reader that the calling thread
// runs: work, whatever the machine. A wish to cancel can be made at any of them.
#pragma once

#include <cstdint>

#include "core/base/progress.h"

namespace overlane::test
{

// Since the last call of this.
std::uint64_t blocksSinceLast();
// The Progress is cancelled by the block of that number from now on; counting starts anew there.
void cancelAtBlock(std::uint64_t number, Progress& progress);

template <typename Run>
std::uint64_t blocksOf(Run run)
{
    blocksSinceLast();
    run();
    return blocksSinceLast();
}

}  // namespace overlane::test
