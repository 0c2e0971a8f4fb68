#include "core/cli/convert_target.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "core/cli/nearest_name.h"
#include "core/io/format.h"
#include "core/tables/csv_table.h"
#include "core/tables/sqlite_tables.h"

namespace overlane
{
namespace
{

constexpr std::array<std::string_view, 3> kSqliteExtensions{".sqlite", ".sqlite3", ".db"};
constexpr std::array<std::string_view, 2> kCsvExtensions{".csv", ".csv.gz"};
constexpr std::string_view kStandardOutput = "-";

template <typename Extensions>
bool endsWithOne(const std::string& out, const Extensions& extensions)
{
    const std::string name = std::filesystem::path(out).filename().string();
    return std::any_of(extensions.begin(), extensions.end(), [&](std::string_view extension) {
        return name.size() > extension.size() && name.ends_with(extension);
    });
}

// All that can be written.
std::vector<std::string_view> extensions()
{
    std::vector<std::string_view> all;
    for (const TraceFormat* format : allFormats())
        if (format->canWrite())
            std::ranges::copy(format->extensions(), std::back_inserter(all));
    std::ranges::copy(kSqliteExtensions, std::back_inserter(all));
    std::ranges::copy(kCsvExtensions, std::back_inserter(all));
    return all;
}

std::string tableNames()
{
    std::vector<std::string_view> names;
    for (const TableKind& table : allTables())
        names.push_back(table.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

Result<void> writeCsvTo(std::ostream& out, const ArrowTable& table, Progress& progress)
{
    RETURN_IF_ERROR(makeCsv(table, CsvLines::Lf, progress, [&](std::string_view text) -> Result<void> {
        out << text;
        return out.good() ? Result<void>() : Error{"the rest of it cannot be written to standard output."};
    }));
    return {};
}

}  // namespace

Result<const TableKind*> findTable(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const TableKind& table : allTables()) {
        if (table.name == name)
            return &table;
        names.push_back(table.name);
    }
    return Error{unknownName("table", name, names)};
}

Result<ConvertTarget> convertTarget(const std::string& out, const std::string& table)
{
    if (!table.empty())
        RETURN_IF_ERROR(findTable(table).ok() ? Result<void>() : findTable(table).failure());
    if (out == kStandardOutput || endsWithOne(out, kCsvExtensions)) {
        if (table.empty())
            return Error{fmt::format("CSV holds one table; choose it with --table: {}.", tableNames())};
        return ConvertTarget::Csv;
    }
    if (endsWithOne(out, kSqliteExtensions))
        return ConvertTarget::Tables;
    if (formatToWrite(out) == nullptr)
        return Error{
            fmt::format("{} has an extension that cannot be written; {} can.", out, fmt::join(extensions(), ", "))};
    if (!table.empty())
        return Error{fmt::format("--table is for .csv and .sqlite, and {} takes the whole trace.", out)};
    return ConvertTarget::Trace;
}

Result<void> writeConverted(const std::shared_ptr<const Trace>& trace, const ConvertRequest& request,
                            ConvertTarget target, const Judge& judge, Progress& progress, std::ostream* standardOutput)
{
    if (target == ConvertTarget::Trace)
        return writeTrace(*trace, request.out, progress);
    std::vector<const TableKind*> kinds;
    for (const TableKind& kind : allTables())
        if (request.table.empty() || kind.name == request.table)
            kinds.push_back(&kind);
    TableAsked asked{trace, judge, {request.iteration, {}, false}, progress};
    const auto named = [&](const Result<void>& done) { return done.ok() ? done : done.failure().in(request.out); };
    if (target == ConvertTarget::Tables)
        return named(writeSqliteTables(asked, kinds, request.source, request.out));
    ASSIGN_OR_RETURN(const ArrowTable table, kinds.front()->make(asked));
    if (request.out != kStandardOutput)
        return named(writeCsv(table, request.out, progress));
    return standardOutput != nullptr ? named(writeCsvTo(*standardOutput, table, progress))
                                     : Error{"there is no standard output here; name a file."};
}

std::string leftOutText(const std::string& out, ConvertTarget target)
{
    const TraceFormat* format = target == ConvertTarget::Trace ? formatToWrite(out) : nullptr;
    return format == nullptr || format->leavesOut().empty()
               ? std::string()
               : fmt::format("Not in this format: {}.", format->leavesOut());
}

std::string convertTargetsHelp()
{
    std::string text;
    const auto add = [&](const std::string& extensions, std::string_view words) {
        text += fmt::format("  {:<24}{}\n", extensions, words);
    };
    for (const TraceFormat* format : allFormats())
        if (format->canWrite())
            add(fmt::format("{}", fmt::join(format->extensions(), ", ")), format->description());
    add(fmt::format("{}", fmt::join(kSqliteExtensions, ", ")), "the trace's tables, for SQL");
    add(fmt::format("{}, -", fmt::join(kCsvExtensions, ", ")), "one table (--table), for spreadsheets and scripts");
    text += "\nTables, with the columns that they have in Python (docs/export.md of the source):\n";
    for (const TableKind& table : allTables())
        text += fmt::format("  {:<12}{}\n", table.name, table.content);
    return text;
}

}  // namespace overlane
