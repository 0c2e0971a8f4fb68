#include "core/spool/spool_writer.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

#include "core/spool/spool_crc.h"

namespace overlane
{
namespace
{

constexpr std::size_t kLongestString = 64u << 10;
constexpr std::size_t kLargestFrame = 4u << 20;
constexpr spool::FrameKind kDefinitions[] = {spool::FrameKind::ProcessStart, spool::FrameKind::Devices,
                                             spool::FrameKind::Contexts,     spool::FrameKind::Streams,
                                             spool::FrameKind::ThreadNames,  spool::FrameKind::GaugeDefinitions,
                                             spool::FrameKind::Lanes,        spool::FrameKind::Collectives};
constexpr std::size_t kMostIdBytes = 32u << 20;
constexpr std::size_t kIdBytes = 96;  // of a map's entry beside its text, roughly

// A write beyond the largest size that a file may have sends SIGXFSZ to the thread that writes, which
// ends a program that does not expect it. While this lives the signal waits; then it is taken away.
class NoFileSizeSignal
{
public:
    NoFileSizeSignal()
    {
        sigemptyset(&m_signal);
        sigaddset(&m_signal, SIGXFSZ);
        sigset_t pending;
        sigpending(&pending);
        m_wasPending = sigismember(&pending, SIGXFSZ) == 1;
        pthread_sigmask(SIG_BLOCK, &m_signal, &m_before);
    }
    ~NoFileSizeSignal()
    {
        const int error = errno;
        const timespec now = {};
        while (!m_wasPending && sigtimedwait(&m_signal, nullptr, &now) < 0 && errno == EINTR) {
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
        errno = error;
    }
    NoFileSizeSignal(const NoFileSizeSignal&) = delete;
    NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

private:
    sigset_t m_signal{};
    sigset_t m_before{};
    bool m_wasPending = false;
};

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
    freeMemory();
}

void SpoolWriter::freeMemory()
{
    m_batches = {};
    m_strings = std::vector<std::uint8_t>();
    m_stringsInBatch = 0;
    m_ids = std::unordered_map<std::string, std::uint32_t>();
    m_idBytes = 0;
    m_out = std::vector<std::uint8_t>();
    m_pendingBytes = 0;
}

bool SpoolWriter::open(const std::string& directory, std::uint32_t pid, std::int64_t timeNs)
{
    m_error = 0;
    m_sequence = 0;
    m_nextId = 0;
    m_writtenBytes = 0;
    m_path = directory + "/" + std::to_string(pid) + "-" + std::to_string(timeNs) + spool::kFileSuffix;
    m_file = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (m_file < 0)
        m_error = errno;
    return m_file >= 0;
}

std::uint32_t SpoolWriter::intern(std::string_view text)
{
    if (m_file < 0 || m_error != 0)
        return spool::kNone;
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
    if (m_file < 0 || m_error != 0)
        return;
    Batch& batch = m_batches[static_cast<std::size_t>(kind)];
    batch.recordBytes = static_cast<std::uint32_t>(bytes);
    const auto* at = static_cast<const std::uint8_t*>(record);
    batch.bytes.insert(batch.bytes.end(), at, at + bytes);
    m_pendingBytes += bytes;
    if (batch.bytes.size() + bytes <= kLargestFrame)
        return;
    endDefinitions();
    endBatch(kind);
}

void SpoolWriter::endDefinitions()
{
    if (!m_strings.empty())
        frame(spool::FrameKind::Strings, m_stringsInBatch, 0, m_strings.data(), m_strings.size());
    m_strings.clear();
    m_stringsInBatch = 0;
    for (const spool::FrameKind kind : kDefinitions)
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

void SpoolWriter::giveUp(int error)
{
    m_error = error;
    // What was written of the last frames is of no use to a reader; failing here changes nothing.
    if (::ftruncate(m_file, static_cast<off_t>(m_writtenBytes)) != 0)
        errno = error;
    freeMemory();
}

bool SpoolWriter::flush()
{
    if (m_file < 0 || m_error != 0)
        return false;
    endDefinitions();
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        endBatch(static_cast<spool::FrameKind>(kind));
    const NoFileSizeSignal quiet;
    std::size_t done = 0;
    while (done < m_out.size()) {
        const ssize_t wrote = ::write(m_file, m_out.data() + done, m_out.size() - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            giveUp(wrote < 0 ? errno : ENOSPC);
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
