#include "core/io/rollback_journal.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace overlane
{
namespace
{

constexpr std::string_view kMagic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
constexpr std::size_t kHeaderBytes = 28;
constexpr std::uint32_t kCountedBySize = 0xFFFFFFFFu;  // of a writer that does not wait for the disk
constexpr std::uint32_t kChecksumStep = 200;
constexpr std::uint64_t kLockByte = 0x40000000;  // its page holds nothing, and its number marks a super-journal

Error noJournal(const std::string& what)
{
    return Error{"it is no journal of a recording: " + what + "."};
}

bool isZero(std::span<const char> bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == 0; });
}

bool isSize(std::uint32_t bytes, std::uint32_t least)
{
    return std::has_single_bit(bytes) && bytes >= least && bytes <= 65'536;
}

}  // namespace

// Without following a link and without waiting for a pipe.
RollbackJournal::RollbackJournal(const std::string& path)
    : m_file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
{
    struct stat found {
    };
    if (m_file.valid() && (::fstat(m_file.get(), &found) != 0 || !S_ISREG(found.st_mode)))
        m_file = Descriptor();
    m_bytes = static_cast<std::uint64_t>(found.st_size);
}

Result<RollbackJournal> RollbackJournal::read(const std::string& path)
{
    RollbackJournal journal(path);
    if (!journal.m_file.valid())
        return noJournal("it cannot be opened as a plain file");
    RETURN_IF_ERROR(journal.readAll());
    journal.m_page = {};
    return journal;
}

bool RollbackJournal::readAt(std::uint64_t offset, std::vector<char>& bytes) const
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got =
            ::pread(m_file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        done += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return true;
}

Result<void> RollbackJournal::readAll()
{
    std::vector<char> tail(kMagic.size());
    if (m_bytes >= tail.size() && readAt(m_bytes - tail.size(), tail) &&
        std::string_view(tail.data(), tail.size()) == kMagic)
        return noJournal("it names a super-journal");
    std::uint64_t next = 0;
    do {
        ASSIGN_OR_RETURN(std::uint64_t segment, readSegment(next));
        next = segment;
    } while (next != 0);
    return {};
}

Result<std::uint64_t> RollbackJournal::readSegment(std::uint64_t offset)
{
    std::vector<char> header(kHeaderBytes);
    if (offset + header.size() > m_bytes || !readAt(offset, header))
        return std::uint64_t{0};
    // The head is written last, when the records are on disk; before that it is zero.
    if (isZero(std::span(header).first(kMagic.size() + 4)))
        return std::uint64_t{0};
    if (std::string_view(header.data(), kMagic.size()) != kMagic)
        return noJournal("it does not begin as one");
    std::uint64_t count = sqliteNumber(header, 8);
    const std::uint32_t nonce = sqliteNumber(header, 12);
    const std::uint32_t pagesBefore = sqliteNumber(header, 16);
    if (offset == 0) {
        m_pagesBefore = pagesBefore;
        m_sectorBytes = sqliteNumber(header, 20);
        m_pageBytes = sqliteNumber(header, 24);
        if (!isSize(m_sectorBytes, 32) || !isSize(m_pageBytes, 512))
            return noJournal("its sizes are out of range");
        m_page.resize(4 + std::size_t{m_pageBytes} + 4);
    } else if (pagesBefore != m_pagesBefore) {
        return noJournal("its parts are of different transactions");
    }
    std::uint64_t at = offset + m_sectorBytes;
    const std::uint64_t room = at < m_bytes ? (m_bytes - at) / m_page.size() : 0;
    if (count == kCountedBySize)
        count = room;
    if (count > room)
        return noJournal("it ends before its last record");
    for (; count > 0; --count, at += m_page.size())
        RETURN_IF_ERROR(readRecord(at, nonce));
    const std::uint64_t next = (at + m_sectorBytes - 1) / m_sectorBytes * m_sectorBytes;
    return next < m_bytes ? next : std::uint64_t{0};
}

Result<void> RollbackJournal::readRecord(std::uint64_t offset, std::uint32_t nonce)
{
    if (!readAt(offset, m_page))
        return noJournal("it cannot be read to its end");
    const std::uint32_t page = sqliteNumber(m_page, 0);
    if (page == 0 || page > m_pagesBefore || page == kLockByte / m_pageBytes + 1)
        return noJournal("it holds page " + std::to_string(page) + " of " + std::to_string(m_pagesBefore));
    const std::span<const char> content = std::span(m_page).subspan(4, m_pageBytes);
    std::uint32_t sum = nonce;
    for (std::uint32_t at = m_pageBytes - kChecksumStep; at > 0 && at < m_pageBytes; at -= kChecksumStep)
        sum += static_cast<unsigned char>(content[at]);
    if (sum != sqliteNumber(m_page, 4 + std::size_t{m_pageBytes}))
        return noJournal("page " + std::to_string(page) + " in it is damaged");
    if (page == 1) {
        const std::optional<SqliteHeader> before = sqliteHeader(content);
        if (!before || before->pageBytes != m_pageBytes)
            return noJournal("it is of another database");
        m_before = *before;
    }
    m_records.push_back({page, offset + 4});
    return {};
}

Result<void> RollbackJournal::undo(const std::string& database) const
{
    const Descriptor file(::open(database.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    bool done = file.valid();
    std::vector<char> page(m_pageBytes);
    for (const Record& record : m_records) {
        const auto target = static_cast<off_t>(std::uint64_t{record.page - 1} * m_pageBytes);
        done = done && readAt(record.offset, page) &&
               ::pwrite(file.get(), page.data(), page.size(), target) == static_cast<ssize_t>(page.size());
    }
    done = done && ::ftruncate(file.get(), static_cast<off_t>(std::uint64_t{m_pagesBefore} * m_pageBytes)) == 0;
    if (!done)
        return Error{std::generic_category().message(errno) + "."};
    return {};
}

bool RollbackJournal::isOne(const std::string& path)
{
    const RollbackJournal journal(path);
    if (!journal.m_file.valid())
        return false;
    std::vector<char> head(kMagic.size() + 4);
    if (journal.m_bytes < head.size() || !journal.readAt(0, head))
        return journal.m_bytes == 0;
    return isZero(head) || std::string_view(head.data(), kMagic.size()) == kMagic;
}

}  // namespace overlane
