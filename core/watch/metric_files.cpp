#include "core/watch/metric_files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/atomic_file.h"
#include "core/base/descriptor.h"

namespace overlane
{
namespace
{

constexpr int kReadableByAll = 0644;  // the collector is another user

Error because(const std::string& file, int error)
{
    return Error{file + " cannot be written: " + std::strerror(error) + ". Look at the folder and the room there."};
}

}  // namespace

Result<void> writeMetricFile(const std::string& file, std::string_view text)
{
    const auto failed = [&](const Error& error) { return error.in(file + " cannot be written"); };
    auto made = AtomicFile::beside(file);
    if (!made.ok())
        return failed(made.failure());
    AtomicFile& replacing = made.value();
    if (const auto written = replacing.write(text); !written.ok())
        return failed(written.failure());
    ::fchmod(replacing.descriptor(), kReadableByAll);
    const auto committed = replacing.commit();
    return committed.ok() ? committed : Result<void>(failed(committed.failure()));
}

Result<void> appendMetricLine(const std::string& file, std::string_view line, std::int64_t mostBytes)
{
    struct stat info = {};
    if (::stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
        info.st_size + static_cast<std::int64_t>(line.size()) > mostBytes) {
        std::error_code error;
        std::filesystem::rename(file, file + ".1", error);
    }
    const Descriptor opened(
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, kReadableByAll));
    if (!opened.valid())
        return because(file, errno);
    // One write, so that a reader sees a line or none.
    const ssize_t written = ::write(opened.get(), line.data(), line.size());
    if (written != static_cast<ssize_t>(line.size()))
        return because(file, written < 0 ? errno : ENOSPC);
    return {};
}

}  // namespace overlane
