#include "core/record/spool_writer.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "core/record/spool_crc.h"

namespace overlane
{
namespace
{

constexpr std::size_t kLongestString = 64u << 10;
constexpr std::size_t kLargestFrame = 4u << 20;
constexpr spool::FrameKind kDefinitions[] = {spool::FrameKind::ProcessStart, spool::FrameKind::Devices,
                                             spool::FrameKind::Contexts,     spool::FrameKind::Streams,
                                             spool::FrameKind::ThreadNames,  spool::FrameKind::GaugeDefinitions,
                                             spool::FrameKind::Lanes};
constexpr std::size_t kMostIdBytes = 32u << 20;
constexpr std::size_t kIdBytes = 96;  // of a map's entry beside its text, roughly

}  // namespace

SpoolWriter::SpoolWriter() = default;

SpoolWriter::~SpoolWriter()
{
    abandon();
}

void SpoolWriter::abandon()
{
    if (m_file >= 0)
        ::close(m_file);
    m_file = -1;
}

bool SpoolWriter::open(const std::string& directory, std::uint32_t pid, std::int64_t timeNs)
{
    m_path = directory + "/" + std::to_string(pid) + "-" + std::to_string(timeNs) + spool::kFileSuffix;
    m_file = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (m_file < 0)
        m_error = errno;
    return m_file >= 0;
}

std::uint32_t SpoolWriter::intern(std::string_view text)
{
    text = text.substr(0, kLongestString);
    if (m_idBytes > kMostIdBytes) {
        m_ids.clear();
        m_idBytes = 0;
    }
    const auto [entry, isNew] = m_ids.try_emplace(std::string(text), m_nextId);
    if (isNew) {
        ++m_nextId;
        m_idBytes += text.size() + kIdBytes;
        const spool::StringHeader header{entry->second, static_cast<std::uint32_t>(text.size())};
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&header);
        m_strings.insert(m_strings.end(), bytes, bytes + sizeof(header));
        m_strings.insert(m_strings.end(), text.begin(), text.end());
        ++m_stringsInBatch;
        m_pendingBytes += sizeof(header) + text.size();
        if (m_strings.size() >= kLargestFrame) {
            frame(spool::FrameKind::Strings, m_stringsInBatch, 0, m_strings.data(), m_strings.size());
            m_strings.clear();
            m_stringsInBatch = 0;
        }
    }
    return entry->second;
}

void SpoolWriter::append(spool::FrameKind kind, const void* record, std::size_t bytes)
{
    Batch& batch = m_batches[static_cast<std::size_t>(kind)];
    batch.recordBytes = static_cast<std::uint32_t>(bytes);
    const auto* at = static_cast<const std::uint8_t*>(record);
    batch.bytes.insert(batch.bytes.end(), at, at + bytes);
    m_pendingBytes += bytes;
    if (batch.bytes.size() + bytes > kLargestFrame)
        endBatch(kind);
}

void SpoolWriter::endBatch(spool::FrameKind kind)
{
    Batch& batch = m_batches[static_cast<std::size_t>(kind)];
    if (batch.bytes.empty())
        return;
    frame(kind, static_cast<std::uint32_t>(batch.bytes.size() / batch.recordBytes), batch.recordBytes,
          batch.bytes.data(), batch.bytes.size());
    batch.bytes.clear();
}

void SpoolWriter::frame(spool::FrameKind kind, std::uint32_t count, std::uint32_t recordBytes,
                        const std::uint8_t* payload, std::size_t bytes)
{
    spool::FrameHeader header;
    header.kind = kind;
    header.sequence = m_sequence++;
    header.count = count;
    header.recordBytes = recordBytes;
    header.bytes = static_cast<std::uint32_t>(bytes);
    header.crc = spoolCrc(0, payload, bytes);
    header.headerCrc = spoolCrc(0, &header, offsetof(spool::FrameHeader, headerCrc));
    const auto* at = reinterpret_cast<const std::uint8_t*>(&header);
    m_out.insert(m_out.end(), at, at + sizeof(header));
    m_out.insert(m_out.end(), payload, payload + bytes);
}

bool SpoolWriter::flush()
{
    if (m_file < 0 || m_error != 0)
        return false;
    if (!m_strings.empty())
        frame(spool::FrameKind::Strings, m_stringsInBatch, 0, m_strings.data(), m_strings.size());
    m_strings.clear();
    m_stringsInBatch = 0;
    // What others refer to comes first.
    for (const spool::FrameKind kind : kDefinitions)
        endBatch(kind);
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        endBatch(static_cast<spool::FrameKind>(kind));
    std::size_t done = 0;
    while (done < m_out.size()) {
        const ssize_t wrote = ::write(m_file, m_out.data() + done, m_out.size() - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            m_error = wrote < 0 ? errno : ENOSPC;
            // What was written of the last frames is of no use to a reader; failing here changes nothing.
            if (::ftruncate(m_file, static_cast<off_t>(m_writtenBytes)) != 0)
                errno = m_error;
            return false;
        }
        done += static_cast<std::size_t>(wrote);
    }
    m_writtenBytes += m_out.size();
    m_out.clear();
    m_pendingBytes = 0;
    return true;
}

}  // namespace overlane
