// The command line `overlane` as a function, so that tests can call it without a process.
//
// One thread, but a command that takes long starts a second one to draw its progress. Reports go
// to `out`, errors and progress to `err`; neither gets a control character that a file brought along.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace overlane
{

constexpr int kExitOk = 0;
constexpr int kExitFailed = 1;       // a file, a run or a disk that did not work out
constexpr int kExitUsage = 2;        // the command line itself is wrong
constexpr int kExitDamaged = 3;      // a file was read in part; the report says up to where
constexpr int kExitCancelled = 130;  // Ctrl+C

// Arguments without the program's name. Returns the exit code.
int runCli(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace overlane
