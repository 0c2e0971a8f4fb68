// Writes a trace as trace-event JSON, plain or gzip, that Perfetto, chrome://tracing and the tools around PyTorch's
// profiler read; Overlane reads all of it back but for kChromeLeavesOut.
//
// Stateless, any thread. Written event by event: memory holds a buffer, and 4 bytes an event for the links.
#pragma once

#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace overlane
{

// What such a file does not hold, as a part of a sentence.
inline constexpr std::string_view kChromeLeavesOut = "notes and bookmarks";

// The Error is the reason alone, without the name of the file.
Result<void> writeChrome(const Trace& trace, const std::string& path, Progress& progress);

}  // namespace overlane
