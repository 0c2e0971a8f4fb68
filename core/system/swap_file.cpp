#include "core/system/swap_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>

#include "core/base/text_file.h"
#include "core/system/proc_text.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kHeaderAt = 1024;  // behind the place for a boot loader
constexpr const char* kSignature = "SWAPSPACE2";
constexpr int kHighestPriority = 32767;
constexpr long kXfsMagic = 0x58465342;  // not in linux/magic.h of every kernel

struct SwapHeader {
    std::uint32_t version = 1;
    std::uint32_t lastPage = 0;
    std::uint32_t badPages = 0;
};

Error failed(const std::string& what, const std::string& path)
{
    return Error{what + ' ' + path + " (" + std::strerror(errno) + ")."};
}

std::vector<char> firstPage(std::int64_t pages)
{
    std::vector<char> page(static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), 0);
    SwapHeader header;
    header.lastPage = static_cast<std::uint32_t>(pages - 1);
    std::memcpy(page.data() + kHeaderAt, &header, sizeof(header));
    std::memcpy(page.data() + page.size() - std::strlen(kSignature), kSignature, std::strlen(kSignature));
    return page;
}

Result<void> makeFile(const std::string& path, std::int64_t bytes)
{
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return failed("The swap file cannot be made:", path);
    const std::int64_t pages = bytes / sysconf(_SC_PAGESIZE);
    const std::vector<char> header = firstPage(pages);
    const int code = posix_fallocate(file, 0, pages * sysconf(_SC_PAGESIZE));
    bool done = code == 0;
    if (!done)
        errno = code;
    done = done && pwrite(file, header.data(), header.size(), 0) == static_cast<ssize_t>(header.size());
    done = done && fsync(file) == 0;
    const int reason = errno;
    close(file);
    errno = reason;
    if (!done) {
        const Error error = failed("The swap file cannot be filled:", path);
        unlink(path.c_str());
        return error;
    }
    return {};
}

}  // namespace

std::vector<SwapArea> parseSwapAreas(std::string_view swaps)
{
    std::vector<SwapArea> areas;
    std::istringstream lines{std::string(swaps)};
    std::string line;
    std::getline(lines, line);  // the heading
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        SwapArea area;
        std::string type;
        if (!(words >> area.path >> type >> area.totalBytes >> area.usedBytes))
            continue;
        area.path = unescapedPath(area.path);
        area.totalBytes *= kBytesPerKb;
        area.usedBytes *= kBytesPerKb;
        areas.push_back(area);
    }
    return areas;
}

std::vector<SwapArea> swapAreas()
{
    return parseSwapAreas(textOfFile("/proc/swaps"));
}

std::string swapFileProblem(const std::string& folder)
{
    struct statfs status {
    };
    if (statfs(folder.c_str(), &status) != 0)
        return folder + " cannot be looked at (" + std::strerror(errno) + ").";
    const long type = status.f_type;
    if (type == EXT4_SUPER_MAGIC || type == kXfsMagic)
        return {};
    if (type == TMPFS_MAGIC || type == RAMFS_MAGIC)
        return folder + " lies in memory itself: a swap file there would take what it is to give.";
    return folder +
           " is on a file system other than ext4 and xfs, where swap files need more care than this program "
           "takes; name another folder.";
}

Result<void> startSwapFile(const std::string& path, std::int64_t bytes)
{
    if (auto made = makeFile(path, bytes); !made.ok())
        return made;
    if (swapon(path.c_str(), SWAP_FLAG_PREFER | kHighestPriority) != 0) {
        const Error error = failed("The system refuses the swap file", path);
        unlink(path.c_str());
        return error;
    }
    return {};
}

bool isOwnFile(const std::string& path)
{
    struct stat status {
    };
    return lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
}

Result<void> endSwapFile(const std::string& path)
{
    if (!isOwnFile(path))
        return {};
    // EINVAL: it is not in use as swap.
    if (swapoff(path.c_str()) != 0 && errno != EINVAL)
        return failed("The swap file cannot be switched off; `swapoff` it by hand:", path);
    if (unlink(path.c_str()) != 0)
        return failed("The swap file cannot be removed:", path);
    return {};
}

}  // namespace overlane
