// The number of a batch in the name of an event: "batch 7", "pin_memory batch 7", "DataLoader.__next__, batch 7".
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace overlane
{

// What stands behind the last "batch ", or -1.
std::int64_t batchNumber(std::string_view name);

}  // namespace overlane
