#include "core/spool/spool_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/spool/spool_crc.h"

namespace overlane
{
namespace
{

constexpr std::size_t kReadBytes = 1u << 20;
// More ids than any program has names; a larger one is damage or malice.
constexpr std::uint32_t kMostStrings = 64u << 20;
constexpr std::uint64_t kMostRechecked = 64u << 20;

}  // namespace

Result<SpoolReader> SpoolReader::open(const std::string& path)
{
    SpoolReader reader(path);
    if (!reader.reopen())
        return Error{reader.m_error};
    return reader;
}

bool SpoolReader::reopen()
{
    if (m_file >= 0)
        return true;
    m_error.clear();
    m_file = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC);
    if (m_file < 0)
        m_error = m_path + " cannot be read: " + std::strerror(errno) + '.';
    return m_file >= 0;
}

void SpoolReader::release()
{
    if (m_file >= 0)
        ::close(m_file);
    m_file = -1;
    m_buffer = std::vector<std::uint8_t>();
    m_used = m_filled = 0;
}

SpoolReader::SpoolReader(SpoolReader&& other) noexcept
{
    *this = std::move(other);
}

SpoolReader& SpoolReader::operator=(SpoolReader&& other) noexcept
{
    std::swap(m_file, other.m_file);
    m_path = std::move(other.m_path);
    m_error = std::move(other.m_error);
    m_buffer = std::move(other.m_buffer);
    m_used = other.m_used;
    m_filled = other.m_filled;
    m_position = other.m_position;
    m_damagedFrames = other.m_damagedFrames;
    m_recheckedBytes = other.m_recheckedBytes;
    m_lost = other.m_lost;
    m_tooNewVersion = other.m_tooNewVersion;
    m_texts = std::move(other.m_texts);
    m_known = std::move(other.m_known);
    return *this;
}

SpoolReader::~SpoolReader()
{
    release();
}

bool SpoolReader::have(std::size_t bytes)
{
    if (m_filled - m_used >= bytes)
        return true;
    struct stat info = {};
    if (!reopen() || ::fstat(m_file, &info) != 0)
        return false;
    const auto size = static_cast<std::uint64_t>(info.st_size);
    const std::uint64_t left = size > m_position ? size - m_position : 0;
    if (left < bytes)
        return false;
    if (m_used > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_used, m_filled - m_used);
        m_filled -= m_used;
        m_used = 0;
    }
    // No more than there is: most spools of many are small.
    const std::size_t wanted = std::max(bytes, static_cast<std::size_t>(std::min<std::uint64_t>(left, kReadBytes)));
    if (m_buffer.size() < wanted)
        m_buffer.resize(wanted);
    while (m_filled < bytes) {
        const ssize_t got = ::pread(m_file, m_buffer.data() + m_filled, m_buffer.size() - m_filled,
                                    static_cast<off_t>(m_position + m_filled));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            m_error = m_path + " cannot be read: " + std::strerror(errno) + '.';
        if (got <= 0)
            return false;
        m_filled += static_cast<std::size_t>(got);
    }
    return true;
}

SpoolReader::Look SpoolReader::look(spool::FrameHeader& header, std::size_t& least)
{
    least = 1;
    if (!have(sizeof(header)))
        return Look::Incomplete;
    std::memcpy(&header, m_buffer.data() + m_used, sizeof(header));
    if (header.magic != spool::kMagic ||
        header.headerCrc != spoolCrc(0, &header, offsetof(spool::FrameHeader, headerCrc)))
        return Look::Damaged;
    if (header.version > spool::kVersion) {
        m_tooNewVersion = header.version;
        return Look::Incomplete;
    }
    const bool isStrings = header.kind == spool::FrameKind::Strings;
    if (header.bytes > spool::kLongestPayload ||
        (!isStrings && ((header.count > 0 && header.recordBytes == 0) ||
                        std::uint64_t{header.count} * header.recordBytes != header.bytes)))
        return Look::Damaged;
    if (!have(sizeof(header) + header.bytes))
        return Look::Incomplete;
    const bool holds = spoolCrc(0, m_buffer.data() + m_used + sizeof(header), header.bytes) == header.crc;
    if (holds)
        return Look::Frame;
    // Whole frames may lie within one whose length is wrong; but a file made of headers that promise
    // much must not have every byte checked again for each of them.
    m_recheckedBytes += header.bytes;
    if (m_recheckedBytes > kMostRechecked + m_position)
        least = sizeof(header) + header.bytes;
    return Look::Damaged;
}

void SpoolReader::resynchronize(std::size_t least)
{
    if (!m_lost)
        ++m_damagedFrames;
    m_lost = true;
    const std::uint8_t* first = m_buffer.data() + m_used + least;
    const std::uint8_t* last = m_buffer.data() + m_filled;
    const auto* found = static_cast<const std::uint8_t*>(
        std::memchr(first, static_cast<int>(spool::kMagic & 0xFF), static_cast<std::size_t>(last - first)));
    const auto skipped = static_cast<std::size_t>((found == nullptr ? last : found) - (m_buffer.data() + m_used));
    m_used += skipped;
    m_position += skipped;
}

bool SpoolReader::next(SpoolFrame& frame)
{
    while (m_tooNewVersion == 0) {
        spool::FrameHeader header;
        std::size_t least = 1;
        switch (look(header, least)) {
            case Look::Incomplete:
                return false;
            case Look::Damaged:
                resynchronize(least);
                continue;
            case Look::Frame:
                break;
        }
        m_lost = false;
        const std::uint8_t* payload = m_buffer.data() + m_used + sizeof(header);
        const std::size_t bytes = sizeof(header) + header.bytes;
        m_used += bytes;
        m_position += bytes;
        if (header.kind == spool::FrameKind::Strings) {
            readStrings(header, payload);
            continue;
        }
        frame.header = header;
        frame.payload = payload;
        return true;
    }
    return false;
}

void SpoolReader::readStrings(const spool::FrameHeader& header, const std::uint8_t* payload)
{
    std::size_t at = 0;
    for (std::uint32_t entry = 0; entry < header.count; ++entry) {
        spool::StringHeader string;
        if (header.bytes - at < sizeof(string))
            return;
        std::memcpy(&string, payload + at, sizeof(string));
        at += sizeof(string);
        if (string.length > header.bytes - at)
            return;
        // Ids count up, so a file cannot make the table larger than itself by much.
        if (string.id < kMostStrings && string.id <= m_texts.size() + header.bytes) {
            if (string.id >= m_texts.size()) {
                m_texts.resize(string.id + std::size_t{1});
                m_known.resize(string.id + std::size_t{1});
            }
            m_texts[string.id].assign(reinterpret_cast<const char*>(payload + at), string.length);
            m_known[string.id] = true;
        }
        at += string.length;
    }
}

std::string_view SpoolReader::text(std::uint32_t id) const
{
    return id < m_texts.size() ? std::string_view(m_texts[id]) : std::string_view();
}

std::uint64_t SpoolReader::tailBytes() const
{
    struct stat info = {};
    if (::stat(m_path.c_str(), &info) != 0 || info.st_size < 0)
        return 0;
    const auto size = static_cast<std::uint64_t>(info.st_size);
    return size > m_position ? size - m_position : 0;
}

}  // namespace overlane
