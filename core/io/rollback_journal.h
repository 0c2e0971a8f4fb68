// RollbackJournal: what a database held before a transaction that did not end, read without SQLite.
//
// SQLite obeys a journal: one that names a super-journal makes it delete the file of that name. So
// a journal from outside is never shown to SQLite. It is checked here to its last record, and its
// pages are put back by undo(). Owns the open journal. One thread.
// Source: https://www.sqlite.org/fileformat.html, section 3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/result.h"
#include "core/io/sqlite_header.h"

namespace overlane
{

class RollbackJournal
{
public:
    // The Error says what is wrong with it; a journal with one bad record is refused as a whole.
    static Result<RollbackJournal> read(const std::string& path);
    // Whether a file begins as a journal does, or is empty; false for a link and where there is none.
    static bool isOne(const std::string& path);

    // Its transaction had not reached the database yet: nothing is to be undone.
    bool empty() const { return m_records.empty(); }
    // Before its transaction there was no database.
    bool isOfNewFile() const { return m_pageBytes != 0 && m_pagesBefore == 0; }
    // Of the database as it was, from its first page; all zero where the journal lacks that page.
    const SqliteHeader& before() const { return m_before; }
    std::uint32_t pagesBefore() const { return m_pagesBefore; }
    std::uint32_t pageBytes() const { return m_pageBytes; }

    // Puts every page back and cuts off what was added since. `database` is a copy of our own, of at
    // least pagesBefore() pages.
    Result<void> undo(const std::string& database) const;

private:
    struct Record {
        std::uint32_t page;  // from 1
        std::uint64_t offset;
    };

    explicit RollbackJournal(const std::string& path);
    bool readAt(std::uint64_t offset, std::vector<char>& bytes) const;
    Result<void> readAll();
    // One header and its records; answers where the next header may begin, or 0 at the end.
    Result<std::uint64_t> readSegment(std::uint64_t offset);
    Result<void> readRecord(std::uint64_t offset, std::uint32_t nonce);

    Descriptor m_file;
    std::uint64_t m_bytes = 0;
    std::uint32_t m_sectorBytes = 0;
    std::uint32_t m_pageBytes = 0;
    std::uint32_t m_pagesBefore = 0;
    SqliteHeader m_before;
    std::vector<Record> m_records;
    std::vector<char> m_page;
};

}  // namespace overlane
