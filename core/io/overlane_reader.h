// Reads the .overlane container and restores the trace that was written, event for event.
//
// Stateless, any thread. Everything in the file is checked: sizes, counts, ids, version.
#pragma once

#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/io/memory_guard.h"
#include "core/trace/trace.h"

namespace overlane
{

// The Error is the reason alone, without the name of the file.
Result<Trace> readOverlane(const std::string& path, Progress& progress, const MemoryGuard& guard = MemoryGuard());

}  // namespace overlane
