// Reading the tables of an Nsight Systems export whose columns vary by version.
//
// A NsysTable answers the columns it was asked for in the order of asking; those that the file
// lacks read as null. One thread; the database must outlive it. Names of tables and columns come
// from this program or from the file's own schema and are quoted either way.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/io/sqlite_database.h"

namespace overlane
{

class NsysTable
{
public:
    // Without rows where the file has no such table; `ordered` by the first column.
    static Result<NsysTable> open(SqliteDatabase& database, std::string_view table,
                                  std::initializer_list<const char*> columns, bool ordered = false);

    // Whether the file has all of the first `count` columns that were asked for.
    bool hasFirst(std::size_t count) const;
    Result<bool> next();
    // The value as an integer, or none where it is null, absent or of another type.
    std::optional<std::int64_t> integer(std::size_t column) const;
    std::int64_t integerOr(std::size_t column, std::int64_t otherwise) const;
    std::string_view text(std::size_t column) const;

private:
    std::optional<SqliteStatement> m_rows;
    std::vector<bool> m_present;
};

// id -> text of StringIds, or id -> symbol or label of an ENUM_ table; empty where there is none.
using NsysNames = std::unordered_map<std::int64_t, std::string>;
Result<NsysNames> readNsysNames(SqliteDatabase& database, std::string_view table, const char* column);

// Serialized global ids: process and thread numbers, and the bits that tell processes apart.
constexpr std::int64_t nsysPid(std::int64_t globalId)
{
    return (globalId >> 24) & 0xFFFFFF;
}
constexpr std::int64_t nsysTid(std::int64_t globalId)
{
    return globalId & 0xFFFFFF;
}
constexpr std::int64_t nsysProcessKey(std::int64_t globalId)
{
    return globalId >> 24;
}

}  // namespace overlane
