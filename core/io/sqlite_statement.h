// SqliteStatement: one prepared statement of a SqliteDatabase, finalised with it.
//
// Must not outlive its database. One thread. Parameters count from 1, columns from 0, as in
// SQLite. Text and blobs of a row are views that hold until the next step().
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace overlane
{

enum class SqliteType : std::uint8_t { Null, Integer, Real, Text, Blob };

class SqliteStatement
{
public:
    SqliteStatement(sqlite3* database, sqlite3_stmt* statement) : m_database(database), m_statement(statement) {}
    SqliteStatement(SqliteStatement&& other) noexcept;
    SqliteStatement& operator=(SqliteStatement&& other) noexcept;
    ~SqliteStatement();

    void bind(int parameter, std::int64_t value);
    void bind(int parameter, double value);
    // The text and the bytes must stay valid until the statement has run.
    void bind(int parameter, std::string_view text);
    void bind(int parameter, std::span<const std::uint8_t> bytes);
    void bindNull(int parameter);

    // True where there is a row to read, false at the end.
    Result<bool> step();
    // Runs to the end and makes the statement ready for its next parameters.
    Result<void> run();
    void reset();

    SqliteType type(int column) const;
    bool isInteger(int column) const { return type(column) == SqliteType::Integer; }
    // 0, 0 or empty where the value is of another type.
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string_view text(int column) const;
    std::span<const std::uint8_t> blob(int column) const;

private:
    sqlite3* m_database = nullptr;
    sqlite3_stmt* m_statement = nullptr;
};

// What SQLite says of its latest failure, as a sentence for people.
Error sqliteError(sqlite3* database);

}  // namespace overlane
