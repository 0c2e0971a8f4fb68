// Numbers and paths out of the text files of /proc and /sys (core/base/text_file.h reads them). Pure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace overlane
{

// What /proc calls kB.
constexpr std::int64_t kBytesPerKb = 1024;
// The number behind `key` at the start of a line, as in "MemTotal:   16 kB" or "pswpin 0".
std::optional<std::int64_t> numberAfter(std::string_view text, std::string_view key);
// The same for a decimal fraction behind `key` anywhere in the text: "avg10=1.25".
std::optional<double> realAfter(std::string_view text, std::string_view key);
// A path as it is: the kernel's tables write what would end a word, and backslashes, as "\040".
std::string unescapedPath(std::string_view path);

}  // namespace overlane
