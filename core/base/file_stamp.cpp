#include "core/base/file_stamp.h"

#include <sys/stat.h>

namespace overlane
{
namespace
{

FileStamp stampFrom(const struct stat& found)
{
    constexpr std::int64_t kSecondNs = 1'000'000'000;
    return {found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec * kSecondNs + found.st_mtim.tv_nsec};
}

}  // namespace

std::optional<FileStamp> stampOf(const std::string& path)
{
    struct stat found {
    };
    return ::stat(path.c_str(), &found) == 0 ? std::optional(stampFrom(found)) : std::nullopt;
}

std::optional<FileStamp> stampOf(int descriptor)
{
    struct stat found {
    };
    return ::fstat(descriptor, &found) == 0 ? std::optional(stampFrom(found)) : std::nullopt;
}

}  // namespace overlane
