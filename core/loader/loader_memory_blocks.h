// What a loader's memory adds up to, as blocks (core/content/block.h). Pure function, any thread.
#pragma once

#include "core/content/block.h"
#include "core/loader/pinned_calculator.h"

namespace overlane
{

// The sums in a sentence, then the parts, columns count, each_bytes, all_bytes, kind and what, and what rounding costs.
Blocks loaderMemoryBlocks(const LoaderMemory& memory);

}  // namespace overlane
