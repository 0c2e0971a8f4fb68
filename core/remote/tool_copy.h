// RemoteTool: the `overlane` that runs on another machine: one installed there, or a copy of this one.
//
// A copy lies in the machine's folder under a name made of its hash, and each file is checked by its hash before each
// use; a second time nothing is sent. Copies unused for a month are removed with the next one. Blocks while bytes go
// over; any thread, one at a time.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/remote/remote_machine.h"
#include "core/remote/ssh_session.h"

namespace overlane
{

struct RemoteTool {
    std::string program;    // absolute, there
    std::string libraries;  // that the program needs besides the system's; empty: none
    std::string folder;     // of the copy; empty where it is an installed one
    std::int64_t sentBytes = 0;
    std::string note;  // a sentence worth telling: another version that is installed there and is not used

    // Words of a shell that start it, with its libraries and without these in what it starts.
    std::string start() const;
};

// `version` is what this copy says of itself: "0.1.0 1a2b3c4d".
Result<RemoteTool> bringTool(SshSession& session, const RemoteMachine& machine, const std::string& version,
                             Progress& progress);

// Removes the copy there, unless another recording uses the machine's folder.
Result<void> removeTool(SshSession& session, const RemoteTool& tool, const Progress& progress);

// In a process that was started by RemoteTool::start(): makes LD_LIBRARY_PATH what it was before, so that what this
// process starts finds its own libraries. Does nothing elsewhere.
void restoreLibraryPath();

}  // namespace overlane
