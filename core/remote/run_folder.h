// The folder of one recording on another machine, and the two processes of ours that know it there:
//
//   keepRun()    starts the recorder in a session of its own, so that it outlives the connection, with its output in
//                files, and writes how it ended;
//   followRun()  tells the other side of the connection how it goes, as frames, and passes its signals on.
//
//   FOLDER/overlane-run   says that it is such a folder, and how to start the tool there
//   FOLDER/trace/         what the recorder writes
//   FOLDER/output, errors of program and recorder; status, the recorder's line; end, once it has ended
//   FOLDER/keeper         locked while the recording goes on; session, the id of that
//
// Each is a process's only work.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace overlane
{

namespace run_folder
{
constexpr const char* kMark = "overlane-run";
constexpr const char* kTraces = "trace";
constexpr const char* kStatus = "status";
}  // namespace run_folder

// Answers in the calling process once the recorder is on its way; the process of its session never returns.
// `command` is the recorder with its arguments.
Result<void> keepRun(const std::string& folder, const std::vector<std::string>& command);

enum class FollowFrom : bool { Begin, Now };
// Frames to the descriptor `to`, and lines "signal NUMBER" from the descriptor `from`, until the recorder has ended or
// the connection has.
Result<void> followRun(const std::string& folder, FollowFrom begin, int from, int to);

}  // namespace overlane
