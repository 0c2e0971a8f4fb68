// Writes a whole trace as an .overlane file, in place of what is there or not at all.
//
// Stateless, any thread. The new file grows beside the old one and takes its name when complete
// and on disk; on any failure the old file is as it was and the new one is gone.
#pragma once

#include <map>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace overlane
{

// The Error is the reason alone, without the name of the file. `properties` take the place of the
// trace's own of these names; empty ones are left out.
Result<void> saveNative(const Trace& trace, const std::string& path, Progress& progress,
                        const std::map<std::string, std::string>& properties = {});

}  // namespace overlane
