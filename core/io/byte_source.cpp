#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <vector>
#include <zlib.h>

#include "core/io/read_ahead.h"

namespace overlane
{
namespace
{

// Text of traces shrinks 10 to 60 times; deflate itself cannot exceed 1032. Small files may
// repeat themselves more, so the ratio is only looked at past a size that is harmless anyway.
constexpr std::int64_t kHarmlessBytes = std::int64_t{128} << 20;
constexpr std::int64_t kLargestRatio = 200;

struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using FilePtr = std::unique_ptr<std::FILE, FileCloser>;

class FileSource final : public ByteSource
{
public:
    FileSource(FilePtr file, std::string path, std::int64_t size)
        : m_file(std::move(file)), m_path(std::move(path)), m_size(size)
    {
    }
    Result<std::size_t> read(std::span<char> target) override
    {
        const std::size_t count = std::fread(target.data(), 1, target.size(), m_file.get());
        if (count == 0 && std::ferror(m_file.get()) != 0)
            return Error{
                fmt::format("Reading {} failed ({}); check the disk and try again.", m_path, std::strerror(errno))};
        m_at += static_cast<std::int64_t>(count);
        return count;
    }
    double fraction() const override
    {
        return m_size > 0 ? std::min(1.0, static_cast<double>(m_at) / static_cast<double>(m_size)) : 1.0;
    }

private:
    FilePtr m_file;
    std::string m_path;
    std::int64_t m_size;
    std::int64_t m_at = 0;
};

class GzipSource final : public ByteSource
{
public:
    GzipSource(std::unique_ptr<ByteSource> packed, std::string path, const Progress* progress)
        : m_packed(std::move(packed)), m_path(std::move(path)), m_progress(progress)
    {
        // 15 bits of window, +16: gzip header and checksum.
        m_ready = inflateInit2(&m_stream, 15 + 16) == Z_OK;
    }
    ~GzipSource() override
    {
        if (m_ready)
            inflateEnd(&m_stream);
    }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;

    Result<std::size_t> read(std::span<char> target) override
    {
        if (!m_ready)
            return Error{fmt::format("Not enough memory to decompress {}; close other programs.", m_path)};
        m_stream.next_out = reinterpret_cast<Bytef*>(target.data());
        m_stream.avail_out = static_cast<uInt>(target.size());
        while (m_stream.avail_out > 0 && !m_done) {
            if (m_stream.avail_in == 0) {
                if (m_progress != nullptr && m_progress->cancelled())
                    return Error::cancelled();
                ASSIGN_OR_RETURN(const std::size_t count, m_packed->read(m_input));
                if (count == 0) {
                    m_done = true;
                    if (m_insideMember)
                        m_damage = "the gzip data ends in the middle";
                    break;
                }
                m_stream.next_in = reinterpret_cast<Bytef*>(m_input.data());
                m_stream.avail_in = static_cast<uInt>(count);
                m_consumed += static_cast<std::int64_t>(count);
            }
            step();
        }
        const std::size_t produced = target.size() - m_stream.avail_out;
        m_produced += static_cast<std::int64_t>(produced);
        if (m_produced > kHarmlessBytes && m_produced / kLargestRatio > m_consumed)
            return Error{
                fmt::format("{} expands more than {} times when decompressed, as no trace does; it was not "
                            "opened. Decompress it with gunzip if you trust it.",
                            m_path, kLargestRatio)};
        return produced;
    }
    std::string damage() const override { return m_damage; }
    double fraction() const override { return m_packed->fraction(); }

private:
    void step()
    {
        m_insideMember = true;
        const int status = inflate(&m_stream, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            m_insideMember = false;
            m_memberSeen = true;
            inflateReset(&m_stream);  // another member may follow
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            m_done = true;
            // Bytes after a complete member that are no gzip header are padding, as gunzip sees it.
            if (!m_memberSeen || m_stream.total_out > 0)
                m_damage = fmt::format("the gzip data is corrupt ({})", m_stream.msg ? m_stream.msg : "unknown reason");
        }
    }

    std::unique_ptr<ByteSource> m_packed;
    std::string m_path;
    const Progress* m_progress;
    std::vector<char> m_input = std::vector<char>(std::size_t{256} * 1024);
    z_stream m_stream = {};
    bool m_ready = false;
    bool m_done = false;
    bool m_insideMember = false;
    bool m_memberSeen = false;
    std::int64_t m_consumed = 0;
    std::int64_t m_produced = 0;
    std::string m_damage;
};

Result<std::unique_ptr<ByteSource>> open(const std::string& path, const Progress* progress, bool prefetch)
{
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return Error{fmt::format("There is no file {}; check the name.", path)};
        return Error{fmt::format("{} cannot be reached ({}); check its permissions.", path, std::strerror(errno))};
    }
    if (S_ISDIR(info.st_mode))
        return Error{
            fmt::format("{} is a folder; choose a trace file inside it, or compare the ranks of a job with "
                        "`overlane job {}`.",
                        path, path)};
    if (!S_ISREG(info.st_mode))
        return Error{fmt::format("{} is not a regular file; save the trace to a file first.", path)};
    FilePtr file(std::fopen(path.c_str(), "rb"));
    if (!file)
        return Error{fmt::format("{} cannot be opened ({}); check its permissions.", path, std::strerror(errno))};
    if (info.st_size == 0)
        return Error{fmt::format("{} is empty; record the trace again.", path)};
    std::array<unsigned char, 2> magic{};
    const std::size_t got = std::fread(magic.data(), 1, magic.size(), file.get());
    std::rewind(file.get());
    std::unique_ptr<ByteSource> source = std::make_unique<FileSource>(std::move(file), path, info.st_size);
    if (got == 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
        source = std::make_unique<GzipSource>(std::move(source), path, progress);
        if (prefetch)
            source = std::make_unique<ReadAhead>(std::move(source));
    }
    return source;
}

}  // namespace

Result<std::size_t> MemorySource::read(std::span<char> target)
{
    const std::size_t count = std::min(target.size(), m_text.size() - m_at);
    std::copy_n(m_text.data() + m_at, count, target.data());
    m_at += count;
    return count;
}

double MemorySource::fraction() const
{
    return m_text.empty() ? 1.0 : static_cast<double>(m_at) / static_cast<double>(m_text.size());
}

Result<std::unique_ptr<ByteSource>> openByteSource(const std::string& path, const Progress* progress)
{
    return open(path, progress, true);
}

Result<std::unique_ptr<ByteSource>> openByteSourceInline(const std::string& path, const Progress* progress)
{
    return open(path, progress, false);
}

}  // namespace overlane
