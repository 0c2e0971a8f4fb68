// sshFailure(): one sentence of what failed between here and another machine, with ssh's own words and what to do.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace overlane
{

// ssh's own exit code where it, and not the program it started, failed.
constexpr int kSshFailed = 255;

// The last line with something on it, without what surrounds it.
std::string lastLine(std::string_view text);

// `words` is ssh's standard error.
Error sshFailure(const std::string& host, std::string_view words);
// ssh went well, and a command of the script did not: `words` are its own.
Error scriptFailure(const std::string& host, std::string_view words);
// ssh went well, and what answered is no POSIX shell. `words` is all it said.
Error noShell(const std::string& host, std::string_view words);

}  // namespace overlane
