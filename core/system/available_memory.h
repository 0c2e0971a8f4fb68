// How much memory this process may still take: what the machine has left, or what a control group
// around it leaves (a container, a batch job), whichever is less.
//
// Page cache that is not in use counts as left, for the machine (MemAvailable of proc(5)) and for a
// group (inactive_file). Reads a few small files; any thread. Bytes.
#pragma once

#include <cstdint>
#include <string>

namespace overlane
{

// INT64_MAX where the system does not tell. Another root than / only for tests.
std::int64_t availableMemoryBytes(const std::string& root = "/");

}  // namespace overlane
