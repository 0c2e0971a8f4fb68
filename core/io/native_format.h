// The .overlane format as one of allFormats(): Overlane's own files, read and written without loss.
//
// The container is described in resources/help/format.md.
#pragma once

#include <map>
#include <string>

#include "core/io/format.h"

namespace overlane
{

const TraceFormat& nativeFormat();

// As nativeFormat().write(), with `properties` in place of the trace's own of these names; empty ones are
// left out.
Result<void> writeNative(const Trace& trace, const std::string& path, Progress& progress,
                         const std::map<std::string, std::string>& properties);

}  // namespace overlane
