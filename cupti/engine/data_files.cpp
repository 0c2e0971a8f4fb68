#include "cupti/engine/data_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/base/units.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kPageBytes = 4096;
constexpr std::int64_t kChunkBytes = std::int64_t{1} << 20;
constexpr std::int64_t kShareOfFreeSpace = 4;

Error systemError(const std::string& what)
{
    return Error{fmt::format("{}: {}.", what, std::strerror(errno))};
}

bool drop(int file, std::int64_t offset, std::int64_t bytes)
{
    return posix_fadvise(file, offset, bytes, POSIX_FADV_DONTNEED) == 0;
}

// Whether any page of the file is in memory.
bool isCached(int file, std::int64_t bytes)
{
    void* mapped = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED)
        return true;
    std::vector<unsigned char> pages(static_cast<std::size_t>((bytes + kPageBytes - 1) / kPageBytes));
    const bool asked = mincore(mapped, static_cast<std::size_t>(bytes), pages.data()) == 0;
    munmap(mapped, static_cast<std::size_t>(bytes));
    return !asked || std::any_of(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
}

// Bytes that do not compress, so that a file system which compresses stores them as they are.
void scramble(std::vector<std::uint64_t>& words, std::uint64_t& state)
{
    for (std::uint64_t& word : words) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        word = state;
    }
}

Result<void> fill(int file, std::int64_t bytes)
{
    std::vector<std::uint64_t> words(kChunkBytes / sizeof(std::uint64_t));
    std::uint64_t state = 0x9E3779B97F4A7C15u;
    for (std::int64_t at = 0; at < bytes; at += kChunkBytes) {
        scramble(words, state);
        const auto length = static_cast<std::size_t>(std::min(kChunkBytes, bytes - at));
        const auto* data = reinterpret_cast<const char*>(words.data());
        for (std::size_t done = 0; done < length;) {
            const ssize_t written = pwrite(file, data + done, length - done, at + static_cast<std::int64_t>(done));
            if (written < 0 && errno != EINTR)
                return systemError("The files for the workers cannot be written");
            done += written > 0 ? static_cast<std::size_t>(written) : 0;
        }
    }
    return {};
}

}  // namespace

Result<DataFiles> DataFiles::create(const std::string& folder, op::FileRead read, std::int64_t wantedBytes,
                                    std::int64_t partBytes)
{
    std::error_code error;
    const fs::path place = folder.empty() ? fs::temp_directory_path(error) : fs::path(folder);
    if (error)
        return Error{fmt::format("There is no temporary folder for the workers' files: {}.", error.message())};
    const fs::space_info space = fs::space(place, error);
    if (error)
        return Error{fmt::format("{} cannot hold the workers' files: {}.", place.string(), error.message())};
    const std::int64_t most =
        std::min<std::int64_t>(kMostBytes, static_cast<std::int64_t>(space.available) / kShareOfFreeSpace);
    if (most < partBytes || partBytes <= 0)
        return Error{
            fmt::format("A batch is read from {} of files, more than the {} that {} may hold of them: set "
                        "TMPDIR to a folder with more room, or lower file_bytes.",
                        formatBytes(partBytes), formatBytes(most), place.string())};
    const std::int64_t size = std::clamp(wantedBytes, partBytes, most);
    std::string name = (place / "overlane-data-XXXXXX").string();
    const int file = mkostemp(name.data(), O_CLOEXEC);
    if (file < 0)
        return systemError(fmt::format("No file can be made in {}", place.string()));
    unlink(name.c_str());
    DataFiles made(file, read, size);
    RETURN_IF_ERROR(fill(file, size));
    if (read == op::FileRead::Drive) {
        if (fsync(file) != 0 || !drop(file, 0, size))
            return systemError(fmt::format("The files in {} cannot be dropped from memory", place.string()));
        if (isCached(file, size))
            return Error{
                fmt::format("Files in {} stay in memory, so nothing can be read off a drive there: set TMPDIR "
                            "to a folder on one, or files=cached.",
                            place.string())};
    }
    return made;
}

DataFiles::DataFiles(int file, op::FileRead read, std::int64_t sizeBytes)
    : m_file(file), m_read(read), m_sizeBytes(sizeBytes)
{
}

DataFiles::DataFiles(DataFiles&& other) noexcept
    : m_file(std::exchange(other.m_file, -1)),
      m_read(other.m_read),
      m_sizeBytes(other.m_sizeBytes),
      m_next(other.m_next.load())
{
}

DataFiles& DataFiles::operator=(DataFiles&& other) noexcept
{
    std::swap(m_file, other.m_file);
    m_read = other.m_read;
    m_sizeBytes = other.m_sizeBytes;
    m_next = other.m_next.load();
    return *this;
}

DataFiles::~DataFiles()
{
    if (m_file >= 0)
        close(m_file);
}

Result<void> DataFiles::read(std::int64_t bytes, const std::function<bool()>& stopped)
{
    thread_local std::vector<char> chunk(kChunkBytes);
    // Whole parts only: one that would reach beyond the end begins anew.
    const std::int64_t parts = std::max<std::int64_t>(1, m_sizeBytes / bytes);
    const std::int64_t start = m_next.fetch_add(1) % parts * bytes;
    for (std::int64_t done = 0; done < bytes && !stopped();) {
        const auto length = static_cast<std::size_t>(std::min(kChunkBytes, bytes - done));
        const ssize_t got = pread(m_file, chunk.data(), length, start + done);
        if (got == 0)
            return Error{"The workers' files became shorter."};
        if (got < 0 && errno != EINTR)
            return systemError("The workers' files cannot be read");
        done += std::max<ssize_t>(got, 0);
    }
    if (m_read == op::FileRead::Drive)
        drop(m_file, start, bytes);
    return {};
}

}  // namespace overlane
