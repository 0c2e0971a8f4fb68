// FileStamp: which state of which file lies under a name, so that a change by another program is noticed.
//
// A file that was replaced has another inode, one that was written to another time. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace overlane
{

struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t bytes = 0;
    std::int64_t changedNs = 0;  // Unix time
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Nothing where there is no file.
std::optional<FileStamp> stampOf(const std::string& path);
std::optional<FileStamp> stampOf(int descriptor);

}  // namespace overlane
