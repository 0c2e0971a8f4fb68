#include "core/base/read_only.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

// With the rights of the process, and not root's alone: one bit at least must allow it.
bool isProtected(const fs::path& path)
{
    struct stat found {
    };
    if (::stat(path.c_str(), &found) != 0)
        return false;
    return (found.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 ||
           ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0;
}

}  // namespace

Result<void> mayReplace(const std::string& path)
{
    std::error_code failure;
    const fs::path target = fs::weakly_canonical(fs::absolute(path, failure), failure);
    if (failure || !fs::is_regular_file(target, failure))
        return {};
    if (isProtected(target))
        return Error{"the file is read-only. Choose another name, or make it writable (chmod u+w)."};
    if (isProtected(target.parent_path()))
        return Error{"its folder is read-only. Choose a name in another folder."};
    return {};
}

}  // namespace overlane
