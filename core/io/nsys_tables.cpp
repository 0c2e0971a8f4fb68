#include "core/io/nsys_tables.h"

#include <algorithm>

namespace overlane
{

Result<NsysTable> NsysTable::open(SqliteDatabase& database, std::string_view table,
                                  std::initializer_list<const char*> columns, bool ordered)
{
    ASSIGN_OR_RETURN(std::vector<std::string> known, database.columns(table));
    NsysTable result;
    std::string list;
    for (const char* column : columns) {
        const bool present = std::find(known.begin(), known.end(), column) != known.end();
        result.m_present.push_back(present);
        list += list.empty() ? "" : ", ";
        list += present ? sqliteIdentifier(column) : std::string("NULL");
    }
    if (known.empty())
        return result;
    std::string sql = "SELECT " + list + " FROM " + sqliteIdentifier(table);
    if (ordered)
        sql += " ORDER BY 1";
    ASSIGN_OR_RETURN(SqliteStatement rows, database.prepare(sql));
    result.m_rows = std::move(rows);
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
    ASSIGN_OR_RETURN(NsysTable opened, NsysTable::open(database, table, {"id", column}));
    NsysTable& rows = opened;
    NsysNames names;
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, rows.next());
        if (!more)
            return names;
        if (const auto id = rows.integer(0))
            names.insert_or_assign(*id, std::string(rows.text(1)));
    }
}

}  // namespace overlane
