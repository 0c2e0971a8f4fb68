// Text files that commands write: replaced as a whole or left as they were.
//
// One thread; the Error names the file and the reason.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace overlane
{

Result<void> writeTextFile(const std::string& path, std::string_view text);
Result<std::string> readTextFile(const std::string& path);
// Whether two paths lead to the same file; false where one does not exist.
bool sameFile(const std::string& a, const std::string& b);

}  // namespace overlane
