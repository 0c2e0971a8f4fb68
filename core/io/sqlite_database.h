// SqliteDatabase: one open SQLite file.
//
// Owns the connection; statements must be gone before it. One thread. A stranger's file is opened
// read-only and immutable (no locks, no journal beside it is touched), in defensive mode, with an
// untrusted schema and with limits on sizes, so that nothing in the file can run or write anything.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/io/sqlite_statement.h"

namespace overlane
{

class SqliteDatabase
{
public:
    // `progress`, where given, is asked for a cancel while statements run; it must outlive this.
    static Result<SqliteDatabase> openStranger(const std::string& path, Progress* progress = nullptr);
    // Opens our own file for writing, making it where `path` does not exist. A transaction that a
    // killed writer left open is rolled back. `Unlocked`: for a file that no other program knows of.
    enum class Locks : std::uint8_t { Sqlite, Unlocked };
    static Result<SqliteDatabase> openForWriting(const std::string& path, Locks locks = Locks::Sqlite);

    Result<void> execute(const char* sql);
    Result<SqliteStatement> prepare(std::string_view sql);

    // Ordinary tables only: no views and no virtual tables.
    Result<std::vector<std::string>> tables();
    // Empty where there is no such table.
    Result<std::vector<std::string>> columns(std::string_view table);
    // The rows of a table, counted so that a cancel is noticed.
    Result<std::int64_t> rowCount(std::string_view table);
    // The single integer that a query answers; 0 where it has no row.
    Result<std::int64_t> integer(std::string_view sql);

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    using Handle = std::unique_ptr<sqlite3, Close>;

    explicit SqliteDatabase(Handle handle) : m_handle(std::move(handle)) {}
    static Result<Handle> open(const std::string& path, int flags, std::string_view query);
    void harden();
    // One column of every row of a query.
    Result<std::vector<std::string>> texts(std::string_view sql, int column);

    Handle m_handle;
};

// Calls `row` with every row of a query until it answers an Error.
template <typename Row>
Result<void> forEachRow(SqliteDatabase& database, std::string_view sql, Row row)
{
    ASSIGN_OR_RETURN(SqliteStatement rows, database.prepare(sql));
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, rows.step());
        if (!more)
            return {};
        if (Result<void> done = row(rows); !done.ok())
            return done;
    }
}

// `name` as an SQL identifier, quoted so that any text is a name and nothing else.
std::string sqliteIdentifier(std::string_view name);

}  // namespace overlane
