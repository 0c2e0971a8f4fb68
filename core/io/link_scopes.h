// Scopes of correlation ids: a built trace keeps links and no processes, so that a file needs others that give the same
// links when it is read. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace overlane
{

// The k-th linked call with a given correlation id, and its work, are of process k; what has no link must not find one
// when read again, so unlinked calls and unlinked work are of two processes of their own.
constexpr std::uint32_t kUnlinkedCallProcess = 0;
constexpr std::uint32_t kUnlinkedWorkProcess = 0xFFFFFFFFu;
std::vector<std::uint32_t> processesFromLinks(const Trace& trace);

// The same, but 1 for every event whose correlation id gives the same links without a process.
std::vector<std::uint32_t> neededProcesses(const Trace& trace);

}  // namespace overlane
