#include "core/io/overlane_recovery.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/io/overlane_schema.h"
#include "core/io/rollback_journal.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

std::optional<SqliteHeader> headerOf(const std::string& path)
{
    std::array<char, kSqliteHeaderBytes> head{};
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), head.size());
    return file ? sqliteHeader(head) : std::nullopt;
}

// The journal of a flush: what the file was before it, or before the one that just ended.
bool isOf(const RollbackJournal& journal, const SqliteHeader& file, std::uint64_t fileBytes)
{
    const SqliteHeader& before = journal.before();
    return before.applicationId == file.applicationId && before.cookie == file.cookie &&
           journal.pageBytes() == file.pageBytes &&
           (before.changes == file.changes || before.changes + 1 == file.changes) &&
           std::uint64_t{journal.pagesBefore()} * journal.pageBytes() <= fileBytes;
}

Error noCopy(const std::string& reason)
{
    return Error{
        "its recording is not finished, and the copy from which the last complete state is read cannot be "
        "made: " +
        reason};
}

// By its mark, or by what it announces.
bool isUnfinished(const SqliteHeader& header, std::uint64_t bytes)
{
    return isRecordingMark(header.cookie) ||
           (header.validFor == header.changes && std::uint64_t{header.pages} * header.pageBytes > bytes);
}

}  // namespace

Result<OverlaneRecovery> OverlaneRecovery::forFile(const std::string& path, Where where)
{
    constexpr int kAttempts = 5;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        OverlaneRecovery recovery(path);
        ASSIGN_OR_RETURN(const bool ready, recovery.prepare(where));
        if (ready)
            return recovery;
    }
    return Error{"it is being written right now. Open it again in a moment."};
}

Result<bool> OverlaneRecovery::prepare(Where where)
{
    m_header = headerOf(m_original);
    std::error_code failure;
    // SQLite puts a journal beside the file, not beside a link to it.
    const fs::path real = fs::canonical(m_original, failure);
    const std::uintmax_t bytes = failure ? 0 : fs::file_size(real, failure);
    if (failure || !m_header || m_header->applicationId != kOverlaneApplicationId)
        return true;  // reading it tells what it is
    m_unfinished = isUnfinished(*m_header, bytes);
    if (!m_unfinished) {
        m_hasIdleJournal = RollbackJournal::isOne(real.string() + "-journal");
        return true;
    }
    ASSIGN_OR_RETURN(const std::optional<RollbackJournal> journal, journalBeside(real.string(), bytes));
    if (!m_whyForeign.empty() && originalChanged())
        return false;
    if (!journal && where == Where::InPlace)
        return true;

    Result<TemporaryFolder> folder = TemporaryFolder::make("recovery");
    if (!folder.ok())
        return noCopy(folder.error());
    m_path = folder.value().file("trace");
    m_folder = std::move(folder).value();
    fs::copy_file(real, m_path, failure);
    if (failure)
        return noCopy(failure.message() + ".");
    if (originalChanged())
        return false;
    if (journal)
        if (const Result<void> undone = journal->undo(m_path); !undone.ok())
            return noCopy(undone.error());
    return true;
}

// Nothing where there is none to use; `m_whyForeign` says what is wrong with one.
Result<std::optional<RollbackJournal>> OverlaneRecovery::journalBeside(const std::string& file, std::uint64_t fileBytes)
{
    const std::string path = file + "-journal";
    Result<RollbackJournal> read = RollbackJournal::read(path);
    std::error_code failure;
    if (!fs::exists(fs::symlink_status(path, failure)))
        return std::optional<RollbackJournal>();
    if (!read.ok())
        m_whyForeign = read.error();
    else if (read.value().isOfNewFile())
        return Error{"its recorder was stopped before it had written anything."};
    else if (!read.value().empty() && !isOf(read.value(), *m_header, fileBytes))
        m_whyForeign = "it is of another file.";
    else if (!read.value().empty())
        return std::optional(std::move(read).value());
    return std::optional<RollbackJournal>();
}

bool OverlaneRecovery::originalChanged() const
{
    return headerOf(m_original) != m_header;
}

bool OverlaneRecovery::changed() const
{
    return m_unfinished && !m_folder && originalChanged();
}

void OverlaneRecovery::addNotes(ImportStats& stats) const
{
    if (m_unfinished)
        stats.add("unfinished_recording", "recording that was not finished: it ends with its last complete flush",
                  Severity::Warning);
    if (!m_whyForeign.empty())
        stats.add("foreign_journal", "journal next to the file that was not used: " + m_whyForeign, Severity::Warning);
    if (m_hasIdleJournal)
        stats.add("foreign_journal", "journal next to the file that was not used: the file is complete without it",
                  Severity::Info);
}

void removeJournal(const std::string& path)
{
    std::error_code failure;
    const std::string journal = fs::weakly_canonical(path, failure).string() + "-journal";
    if (!failure && RollbackJournal::isOne(journal))
        fs::remove(journal, failure);
}

}  // namespace overlane
