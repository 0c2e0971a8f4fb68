// The .overlane format as one of allFormats(): Overlane's own files, read and written without loss.
//
// The container is described in resources/help/format.md.
#pragma once

#include "core/io/format.h"

namespace overlane
{

const TraceFormat& nativeFormat();

}  // namespace overlane
