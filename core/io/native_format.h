// The .overlane format as one of allFormats(): Overlane's own files, read and written without loss.
//
// The container is described in docs/format.md.
#pragma once

#include <string>

#include "core/io/format.h"
#include "core/io/native_save.h"

namespace overlane
{

const TraceFormat& nativeFormat();

// As nativeFormat().write(), with what a person made since, and without losing what another program saved.
Result<NativeSaved> writeNative(const Trace& trace, const std::string& path, Progress& progress,
                                const NativeSaveRequest& request);

}  // namespace overlane
