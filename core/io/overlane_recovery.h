// OverlaneRecovery: the file to read when a recorder was killed in the middle of a flush, or still writes.
//
// Only an unfinished file is recovered, and the file alone says whether it is one: by the mark that
// its recorder sets and takes away (overlane_schema.h), or, from recorders of before that mark, by
// being shorter than its header announces. What such an older recorder left when it was killed in a
// flush that only wrote over pages it had cannot be told from a finished file with a stranger's journal:
// it is read as it is, and a note tells of the journal. A journal beside any other file is left alone. The journal
// of an unfinished file is used where it is of this very file and this very transaction, and never by
// SQLite (rollback_journal.h). The user's files are never changed: a copy in a private folder is set
// back to the last whole flush. Owns that folder and removes it; without a journal path() is the file
// itself. Reads the disk; one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/io/rollback_journal.h"
#include "core/io/sqlite_header.h"
#include "core/trace/import_stats.h"

namespace overlane
{

class OverlaneRecovery
{
public:
    enum class Where : std::uint8_t { InPlace, InCopy };

    // In a copy, a recorder that writes on changes nothing while it is read.
    static Result<OverlaneRecovery> forFile(const std::string& path, Where where = Where::InPlace);

    const std::string& path() const { return m_path; }
    // Whether a recorder wrote to the file at path() since: what was read of it may be of two flushes.
    bool changed() const;
    // What there is to say of the file and of a journal beside it.
    void addNotes(ImportStats& stats) const;

private:
    explicit OverlaneRecovery(std::string path) : m_original(path), m_path(std::move(path)) {}
    // False where a recorder wrote to the file while it was looked at.
    Result<bool> prepare(Where where);
    Result<std::optional<RollbackJournal>> journalBeside(const std::string& file, std::uint64_t fileBytes);
    bool originalChanged() const;

    std::string m_original;
    std::string m_path;
    std::optional<SqliteHeader> m_header;  // of the original, before anything else of it was read
    bool m_unfinished = false;
    bool m_hasIdleJournal = false;            // beside a finished file
    std::string m_whyForeign;                 // a journal beside an unfinished file is not used
    std::optional<TemporaryFolder> m_folder;  // none where nothing was copied
};

// Before or after another file takes the place of `path`: removes the journal of the one that was
// there, which would stay for good. Only what is a journal, so nothing else of that name.
void removeJournal(const std::string& path);

}  // namespace overlane
