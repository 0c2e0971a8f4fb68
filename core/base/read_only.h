// A file that a person protected against being replaced: one sentence that says so.
//
// A new file takes the place of another by its name, which asks for no right to write to the other. So the right
// is read off the mode bits of the file and of its folder, for root as well, whom the system lets write anywhere.
// Pure questions to the file system, any thread.
#pragma once

#include <string>

#include "core/base/result.h"

namespace overlane
{

// The Error: why the file at `path` may not be replaced, and what to do; without its name. A file that is not there
// yet, and what is no file, may.
Result<void> mayReplace(const std::string& path);

}  // namespace overlane
