// fetchTraces(): the traces of a recording on another machine, brought here.
//
// Each grows as FILE.part and takes its name once its size and SHA-256 are those of the trace there; a broken transfer
// goes on from the byte it had, now or with a later call. Names come from the other machine and are used only where
// they are those of traces. Blocks; any thread, one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/remote/ssh_session.h"

namespace overlane
{

// The name of a file, with the ending of a trace, and not hidden.
bool isNameOfTrace(std::string_view name);

struct RemoteTrace {
    std::string name;
    std::int64_t bytes = 0;
    std::string hash;
};

struct RemoteTraces {
    std::vector<RemoteTrace> traces;
    bool goesOn = false;                  // the recording has not ended
    std::string tool;                     // words of a shell that start the tool which records
    std::vector<std::string> unfinished;  // folders of recordings that were cut off and could not be recovered
};

Result<RemoteTraces> parseTraces(std::string_view answer);
// What a killed recorder left is made into a trace first. The Error: `run` is no folder of a recording there.
Result<RemoteTraces> listTraces(SshSession& session, const std::string& run, const Progress& progress);

struct FetchTarget {
    std::string folder;  // here, with a slash or empty
    std::string name;    // of a single trace; empty: as it is called there
    bool overwrite = false;
};

// Answers the files made here. The Errors do not say how to go on.
Result<std::vector<std::string>> fetchTraces(SshSession& session, const std::string& run, const RemoteTraces& traces,
                                             const FetchTarget& target, Progress& progress);

// Removes the folder of a recording there.
Result<void> removeRun(SshSession& session, const std::string& run, const Progress& progress);

}  // namespace overlane
