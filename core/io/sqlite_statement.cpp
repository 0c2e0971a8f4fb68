#include "core/io/sqlite_statement.h"

#include <sqlite3.h>
#include <string>
#include <utility>

#include "core/base/progress.h"

namespace overlane
{

Error sqliteError(sqlite3* database)
{
    switch (sqlite3_errcode(database)) {
        case SQLITE_INTERRUPT:
            return Error::cancelled();
        case SQLITE_NOTADB:
            return Error{"this is not an SQLite database."};
        case SQLITE_CORRUPT:
            return Error{"the database is damaged or cut short (" + std::string(sqlite3_errmsg(database)) +
                         "); copy or record it again."};
        case SQLITE_FULL:
            return Error{"the disk is full."};
        case SQLITE_TOOBIG:
            return Error{"a value is larger than this program accepts; the file is damaged."};
        default:
            return Error{"SQLite reports: " + std::string(sqlite3_errmsg(database)) + "."};
    }
}

SqliteStatement::SqliteStatement(SqliteStatement&& other) noexcept
    : m_database(other.m_database), m_statement(std::exchange(other.m_statement, nullptr))
{
}

SqliteStatement& SqliteStatement::operator=(SqliteStatement&& other) noexcept
{
    std::swap(m_database, other.m_database);
    std::swap(m_statement, other.m_statement);
    return *this;
}

SqliteStatement::~SqliteStatement()
{
    sqlite3_finalize(m_statement);
}

void SqliteStatement::bind(int parameter, std::int64_t value)
{
    sqlite3_bind_int64(m_statement, parameter, value);
}

void SqliteStatement::bind(int parameter, double value)
{
    sqlite3_bind_double(m_statement, parameter, value);
}

void SqliteStatement::bind(int parameter, std::string_view text)
{
    // A null pointer would bind NULL instead of the empty text.
    sqlite3_bind_text64(m_statement, parameter, text.data() ? text.data() : "", text.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
}

void SqliteStatement::bind(int parameter, std::span<const std::uint8_t> bytes)
{
    if (bytes.empty())
        sqlite3_bind_zeroblob(m_statement, parameter, 0);
    else
        sqlite3_bind_blob64(m_statement, parameter, bytes.data(), bytes.size(), SQLITE_STATIC);
}

void SqliteStatement::bindNull(int parameter)
{
    sqlite3_bind_null(m_statement, parameter);
}

Result<bool> SqliteStatement::step()
{
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    return sqliteError(m_database);
}

Result<void> SqliteStatement::run()
{
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW)
        code = sqlite3_step(m_statement);
    Result<void> result;
    if (code != SQLITE_DONE)
        result = sqliteError(m_database);
    sqlite3_reset(m_statement);
    return result;
}

void SqliteStatement::reset()
{
    sqlite3_reset(m_statement);
}

SqliteType SqliteStatement::type(int column) const
{
    switch (sqlite3_column_type(m_statement, column)) {
        case SQLITE_INTEGER:
            return SqliteType::Integer;
        case SQLITE_FLOAT:
            return SqliteType::Real;
        case SQLITE_TEXT:
            return SqliteType::Text;
        case SQLITE_BLOB:
            return SqliteType::Blob;
        default:
            return SqliteType::Null;
    }
}

std::int64_t SqliteStatement::integer(int column) const
{
    return isInteger(column) ? sqlite3_column_int64(m_statement, column) : 0;
}

double SqliteStatement::real(int column) const
{
    const SqliteType found = type(column);
    return found == SqliteType::Real || found == SqliteType::Integer ? sqlite3_column_double(m_statement, column) : 0;
}

std::string_view SqliteStatement::text(int column) const
{
    if (type(column) != SqliteType::Text)
        return {};
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    const int size = sqlite3_column_bytes(m_statement, column);
    return bytes && size > 0 ? std::string_view(bytes, static_cast<std::size_t>(size)) : std::string_view();
}

std::span<const std::uint8_t> SqliteStatement::blob(int column) const
{
    if (type(column) != SqliteType::Blob)
        return {};
    const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(m_statement, column));
    const int size = sqlite3_column_bytes(m_statement, column);
    return bytes && size > 0 ? std::span(bytes, static_cast<std::size_t>(size)) : std::span<const std::uint8_t>();
}

}  // namespace overlane
