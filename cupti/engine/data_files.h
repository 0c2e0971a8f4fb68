// DataFiles: real files for workers to read: one file in the temporary folder, filled before the run and
// unlinked at once, so that nothing stays behind whatever happens.
//
// Each read takes the next part of the file, from the start again after its end, and copies it with
// pread() into memory that nobody looks at. Cached: the parts are in the page cache, because they have
// just been written. Drive: they are not: the file is synchronized and dropped before the run, and every
// part again once it was read (posix_fadvise, POSIX_FADV_DONTNEED), which create() tries and refuses where
// a folder lies in memory. What the drive or a hypervisor keeps of its own is out of reach. read() may be
// called from any thread. Bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/engine/operation.h"

namespace overlane
{

class DataFiles
{
public:
    // At most this much is written; where a run reads more, parts come again.
    static constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;

    // `folder` empty: the temporary one (TMPDIR). `wantedBytes` are all that the run will read, in parts
    // of `partBytes`; a quarter of the folder's free space is not exceeded.
    static Result<DataFiles> create(const std::string& folder, op::FileRead read, std::int64_t wantedBytes,
                                    std::int64_t partBytes);
    DataFiles(DataFiles&& other) noexcept;
    DataFiles& operator=(DataFiles&& other) noexcept;
    ~DataFiles();

    std::int64_t sizeBytes() const { return m_sizeBytes; }
    // The Error is the system's. Ends early, without one, where `stopped` says so.
    Result<void> read(std::int64_t bytes, const std::function<bool()>& stopped);

private:
    DataFiles(int file, op::FileRead read, std::int64_t sizeBytes);

    int m_file = -1;
    op::FileRead m_read = op::FileRead::Cached;
    std::int64_t m_sizeBytes = 0;
    std::atomic<std::int64_t> m_next = 0;
};

}  // namespace overlane
