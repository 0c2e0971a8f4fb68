#include "core/tables/sqlite_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/work_meter.h"
#include "core/io/overlane_schema.h"
#include "core/io/sqlite_database.h"
#include "core/tables/column_values.h"

namespace overlane
{
namespace
{

constexpr std::size_t kRowsOfSql = 8192;

std::string_view sqlType(const ArrowColumn& column)
{
    switch (valueType(column)) {
        case ValueType::Text:
            return "TEXT";
        case ValueType::Real:
            return "REAL";
        default:
            return "INTEGER";
    }
}

// By which rows are looked up; empty where they have no time.
std::string_view timeColumn(const ArrowTable& table)
{
    for (const std::string_view name : {"start_ns", "time_ns"})
        for (const ArrowColumn& column : table.columns)
            if (column.name == name)
                return name;
    return {};
}

struct ValueBinder {
    SqliteStatement& insert;
    int parameter;

    void operator()(std::monostate) const { insert.bindNull(parameter); }
    void operator()(bool flag) const { insert.bind(parameter, std::int64_t{flag}); }
    void operator()(std::int64_t whole) const { insert.bind(parameter, whole); }
    void operator()(double real) const { insert.bind(parameter, real); }
    void operator()(std::string_view words) const { insert.bind(parameter, words); }
};

Result<void> fill(SqliteDatabase& database, const std::string& name, const ArrowTable& table, const WorkMeter& work)
{
    std::string columns;
    std::string places;
    for (const ArrowColumn& column : table.columns) {
        columns += fmt::format("{}{} {}{}", columns.empty() ? "" : ", ", sqliteIdentifier(column.name), sqlType(column),
                               column.nullable ? "" : " NOT NULL");
        places += places.empty() ? "?" : ",?";
    }
    RETURN_IF_ERROR(database.execute(fmt::format("CREATE TABLE {} ({})", sqliteIdentifier(name), columns).c_str()));
    ASSIGN_OR_RETURN(SqliteStatement insert,
                     database.prepare(fmt::format("INSERT INTO {} VALUES ({})", sqliteIdentifier(name), places)));
    for (std::size_t first = 0; first < table.rows; first += kRowsOfSql) {
        const std::size_t rows = std::min(kRowsOfSql, table.rows - first);
        std::vector<ColumnValues> values;
        for (const ArrowColumn& column : table.columns)
            values.emplace_back(column, first, rows);
        for (std::size_t row = 0; row < rows; ++row) {
            work.count(10 * values.size());
            for (std::size_t column = 0; column < values.size(); ++column)
                std::visit(ValueBinder{insert, static_cast<int>(column) + 1}, values[column].at(row));
            RETURN_IF_ERROR(insert.run());
        }
    }
    const std::string_view time = timeColumn(table);
    if (time.empty())
        return {};
    return database.execute(fmt::format("CREATE INDEX {} ON {} ({})",
                                        sqliteIdentifier(fmt::format("{}_by_{}", name, time)), sqliteIdentifier(name),
                                        sqliteIdentifier(time))
                                .c_str());
}

Result<void> fillMeta(SqliteDatabase& database, const Trace& trace, const std::string& source)
{
    RETURN_IF_ERROR(database.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID"));
    ASSIGN_OR_RETURN(SqliteStatement insert, database.prepare("INSERT INTO meta VALUES (?, ?)"));
    const auto put = [&](const std::string& key, const auto& value) {
        insert.bind(1, std::string_view(key));
        insert.bind(2, value);
        return insert.run();
    };
    const TraceMetadata& metadata = trace.metadata();
    RETURN_IF_ERROR(put("format_version", std::int64_t{kSqliteTablesVersion}));
    RETURN_IF_ERROR(put("source", std::string_view(source)));
    RETURN_IF_ERROR(put("recorded_by", std::string_view(metadata.format)));
    RETURN_IF_ERROR(put("title", std::string_view(metadata.title)));
    RETURN_IF_ERROR(put("start_epoch_ns", metadata.startEpochNs));
    RETURN_IF_ERROR(put("duration_ns", trace.span().lengthNs()));
    for (const DeviceInfo& device : trace.devices()) {
        RETURN_IF_ERROR(put(fmt::format("device_{}", device.id), std::string_view(device.name)));
        RETURN_IF_ERROR(put(fmt::format("device_{}_memory_bytes", device.id), device.memoryBytes));
    }
    return {};
}

Result<void> fillAll(SqliteDatabase& database, TableAsked& asked, std::span<const TableKind* const> kinds,
                     const std::string& source, const WorkMeter& work)
{
    const std::string identity = fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                             kOverlaneTablesApplicationId, kSqliteTablesVersion);
    for (const char* sql :
         {"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 16384", "BEGIN", identity.c_str()})
        RETURN_IF_ERROR(database.execute(sql));
    RETURN_IF_ERROR(fillMeta(database, *asked.trace, source));
    std::size_t done = 0;
    for (const TableKind* kind : kinds) {
        ASSIGN_OR_RETURN(const ArrowTable table, kind->make(asked));
        RETURN_IF_ERROR(fill(database, std::string(kind->name), table, work));
        asked.progress.report(static_cast<double>(++done) / static_cast<double>(kinds.size()));
    }
    return database.execute("COMMIT");
}

}  // namespace

Result<void> writeSqliteTables(TableAsked& asked, std::span<const TableKind* const> kinds, const std::string& source,
                               const std::string& path)
{
    return attempt("write the tables", &asked.progress, [&](const WorkMeter& work) -> Result<void> {
        ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::beside(path));
        {
            ASSIGN_OR_RETURN(SqliteDatabase database,
                             SqliteDatabase::openForWriting(file.temporary(), SqliteDatabase::Locks::Unlocked));
            if (Result<void> filled = fillAll(database, asked, kinds, source, work); !filled.ok())
                return filled.isCancelled() ? filled.failure()
                                            : Error{filled.error() + " What was there before is unchanged."};
        }
        return file.commit();
    });
}

}  // namespace overlane
