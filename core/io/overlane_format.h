// The .overlane format as one of allFormats(): Overlane's own files, read and written without loss.
//
// The container is described in docs/format.md. Any thread.
#pragma once

#include <string>

#include "core/io/format.h"
#include "core/io/overlane_save.h"

namespace overlane
{

const TraceFormat& overlaneFormat();

// As overlaneFormat().write(), with what a person made since, and without losing what another program saved.
Result<OverlaneSaved> writeOverlane(const Trace& trace, const std::string& path, Progress& progress,
                                    const OverlaneSaveRequest& request);

}  // namespace overlane
