#include "core/io/sqlite_database.h"

#include <filesystem>
#include <sqlite3.h>

namespace overlane
{
namespace
{

constexpr int kStepsBetweenCancelChecks = 20'000;
constexpr int kLongestValueBytes = 64 << 20;

// A file: URI of an absolute path, in which no character has a meaning to SQLite.
std::string fileUri(const std::filesystem::path& path, std::string_view query)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string uri = "file://";
    for (const char character : path.string()) {
        const auto byte = static_cast<unsigned char>(character);
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                           (byte >= '0' && byte <= '9') || byte == '/' || byte == '.' || byte == '-' || byte == '_';
        if (plain) {
            uri += character;
        } else {
            uri += '%';
            uri += kDigits[byte >> 4];
            uri += kDigits[byte & 15];
        }
    }
    return uri.append(query);
}

int stopIfCancelled(void* progress)
{
    return static_cast<Progress*>(progress)->cancelled() ? 1 : 0;
}

}  // namespace

void SqliteDatabase::Close::operator()(sqlite3* database) const
{
    sqlite3_close(database);
}

Result<SqliteDatabase::Handle> SqliteDatabase::open(const std::string& path, int flags, std::string_view query)
{
    if (path.empty() || path.find('\0') != std::string::npos)
        return Error{"the file name is empty or holds a zero byte."};
    std::error_code failure;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
    if (failure)
        return Error{"the file name cannot be resolved: " + failure.message() + "."};
    sqlite3* raw = nullptr;
    const int code =
        sqlite3_open_v2(fileUri(absolute, query).c_str(), &raw, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    Handle handle(raw);
    if (!raw)
        return Error{"there is not enough memory to open it."};
    if (code != SQLITE_OK)
        return sqliteError(raw);
    return handle;
}

Result<SqliteDatabase> SqliteDatabase::openStranger(const std::string& path, Progress* progress)
{
    ASSIGN_OR_RETURN(Handle handle, open(path, SQLITE_OPEN_READONLY, "?immutable=1"));
    SqliteDatabase database(std::move(handle));
    database.harden();
    if (progress)
        sqlite3_progress_handler(database.m_handle.get(), kStepsBetweenCancelChecks, stopIfCancelled, progress);
    // SQLite looks at the file only when it is first read.
    RETURN_IF_ERROR(database.integer("SELECT count(*) FROM sqlite_master"));
    return database;
}

void SqliteDatabase::harden()
{
    sqlite3* raw = m_handle.get();
    sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kLongestValueBytes);
    sqlite3_limit(raw, SQLITE_LIMIT_SQL_LENGTH, 100'000);
    sqlite3_limit(raw, SQLITE_LIMIT_COLUMN, 500);
    sqlite3_limit(raw, SQLITE_LIMIT_EXPR_DEPTH, 50);
    sqlite3_limit(raw, SQLITE_LIMIT_COMPOUND_SELECT, 10);
    sqlite3_limit(raw, SQLITE_LIMIT_VDBE_OP, 25'000);
    sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(raw, SQLITE_LIMIT_TRIGGER_DEPTH, 5);
    sqlite3_exec(raw, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", nullptr, nullptr, nullptr);
}

Result<SqliteDatabase> SqliteDatabase::openForWriting(const std::string& path, Locks locks)
{
    ASSIGN_OR_RETURN(Handle handle, open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                         locks == Locks::Unlocked ? "?nolock=1" : ""));
    return SqliteDatabase(std::move(handle));
}

Result<void> SqliteDatabase::execute(const char* sql)
{
    if (sqlite3_exec(m_handle.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        return sqliteError(m_handle.get());
    return {};
}

Result<SqliteStatement> SqliteDatabase::prepare(std::string_view sql)
{
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(m_handle.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr) != SQLITE_OK)
        return sqliteError(m_handle.get());
    return SqliteStatement(m_handle.get(), raw);
}

Result<std::vector<std::string>> SqliteDatabase::texts(std::string_view sql, int column)
{
    ASSIGN_OR_RETURN(SqliteStatement rows, prepare(sql));
    std::vector<std::string> texts;
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, rows.step());
        if (!more)
            return texts;
        texts.emplace_back(rows.text(column));
    }
}

Result<std::vector<std::string>> SqliteDatabase::tables()
{
    // A virtual table has no page of its own.
    return texts("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name", 0);
}

Result<std::vector<std::string>> SqliteDatabase::columns(std::string_view table)
{
    return texts("PRAGMA table_info(" + sqliteIdentifier(table) + ")", 1);
}

Result<std::int64_t> SqliteDatabase::rowCount(std::string_view table)
{
    // A plain count(*) walks the whole table in one step, in which SQLite asks for no cancel; LIMIT
    // keeps it from making one of this.
    return integer("SELECT count(*) FROM (SELECT 1 FROM " + sqliteIdentifier(table) + " LIMIT -1)");
}

Result<std::int64_t> SqliteDatabase::integer(std::string_view sql)
{
    ASSIGN_OR_RETURN(SqliteStatement rows, prepare(sql));
    ASSIGN_OR_RETURN(const bool more, rows.step());
    return more ? rows.integer(0) : 0;
}

std::string sqliteIdentifier(std::string_view name)
{
    std::string quoted = "\"";
    for (const char character : name) {
        if (character == '"')
            quoted += '"';
        if (character != '\0')
            quoted += character;
    }
    return quoted += '"';
}

}  // namespace overlane
