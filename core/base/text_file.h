// Text files: read whole, and replaced as a whole or left as they were.
//
// Any thread. An Error names the file and the reason.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace overlane
{

constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

Result<void> writeTextFile(const std::string& path, std::string_view text);
// A file of more than `mostBytes` is refused.
Result<std::string> readTextFile(const std::string& path, std::size_t mostBytes = kAnySize);
// What can be read of it, `mostBytes` at most: for files that may not be there, and those of /proc and /sys, whose
// process or group may end just then.
std::string textOfFile(const std::string& path, std::size_t mostBytes = kAnySize);
// Whether two paths lead to the same file; false where one does not exist.
bool sameFile(const std::string& a, const std::string& b);

}  // namespace overlane
