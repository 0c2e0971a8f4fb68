#include "core/io/nsys_tables.h"

#include <algorithm>

namespace overlane
{

Result<NsysTable> NsysTable::open(SqliteDatabase& database, std::string_view table,
                                  std::initializer_list<const char*> columns, bool ordered)
{
    Result<std::vector<std::string>> known = database.columns(table);
    if (!known.ok())
        return Error{known.error()};
    NsysTable result;
    std::string list;
    for (const char* column : columns) {
        const bool present = std::find(known.value().begin(), known.value().end(), column) != known.value().end();
        result.m_present.push_back(present);
        list += list.empty() ? "" : ", ";
        list += present ? sqliteIdentifier(column) : std::string("NULL");
    }
    if (known.value().empty())
        return result;
    std::string sql = "SELECT " + list + " FROM " + sqliteIdentifier(table);
    if (ordered)
        sql += " ORDER BY 1";
    Result<SqliteStatement> rows = database.prepare(sql);
    if (!rows.ok())
        return Error{rows.error()};
    result.m_rows = std::move(rows).value();
    return result;
}

bool NsysTable::hasFirst(std::size_t count) const
{
    return std::all_of(m_present.begin(), m_present.begin() + static_cast<std::ptrdiff_t>(count),
                       [](bool present) { return present; });
}

Result<bool> NsysTable::next()
{
    return m_rows ? m_rows->step() : Result<bool>(false);
}

std::optional<std::int64_t> NsysTable::integer(std::size_t column) const
{
    const int at = static_cast<int>(column);
    return m_rows->isInteger(at) ? std::optional(m_rows->integer(at)) : std::nullopt;
}

std::int64_t NsysTable::integerOr(std::size_t column, std::int64_t otherwise) const
{
    return integer(column).value_or(otherwise);
}

std::string_view NsysTable::text(std::size_t column) const
{
    return m_rows->text(static_cast<int>(column));
}

Result<NsysNames> readNsysNames(SqliteDatabase& database, std::string_view table, const char* column)
{
    Result<NsysTable> opened = NsysTable::open(database, table, {"id", column});
    if (!opened.ok())
        return Error{opened.error()};
    NsysTable& rows = opened.value();
    NsysNames names;
    for (;;) {
        const Result<bool> more = rows.next();
        if (!more.ok())
            return Error{more.error()};
        if (!more.value())
            return names;
        if (const auto id = rows.integer(0))
            names.insert_or_assign(*id, std::string(rows.text(1)));
    }
}

}  // namespace overlane
