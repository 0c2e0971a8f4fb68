#include "core/tables/csv_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "core/base/csv_text.h"
#include "core/base/work_meter.h"
#include "core/io/text_sink.h"
#include "core/tables/column_values.h"

namespace overlane
{
namespace
{

constexpr std::size_t kRowsOfCsv = 8192;

struct CsvAppender {
    std::string& text;

    void operator()(std::monostate) const {}
    void operator()(bool flag) const { text += flag ? "true" : "false"; }
    void operator()(std::int64_t whole) const { fmt::format_to(std::back_inserter(text), "{}", whole); }
    void operator()(double real) const
    {
        if (std::isfinite(real))
            fmt::format_to(std::back_inserter(text), "{}", real);
    }
    void operator()(std::string_view words) const
    {
        if (words.empty())
            text += "\"\"";  // since an empty field is none
        appendCsvText(text, words);
    }
};

Result<void> makeAllCsv(const ArrowTable& table, CsvLines lines, Progress& progress, const WorkMeter& work,
                        const std::function<Result<void>(std::string_view text)>& take)
{
    const std::string_view end = lines == CsvLines::CrLf ? "\r\n" : "\n";
    std::string text;
    for (const ArrowColumn& column : table.columns) {
        text += text.empty() ? "" : ",";
        appendCsvText(text, column.name);
    }
    text += end;
    for (std::size_t first = 0; first < table.rows; first += kRowsOfCsv) {
        const std::size_t rows = std::min(kRowsOfCsv, table.rows - first);
        std::vector<ColumnValues> columns;
        for (const ArrowColumn& column : table.columns)
            columns.emplace_back(column, first, rows);
        for (std::size_t row = 0; row < rows; ++row) {
            work.count(columns.size());
            for (std::size_t column = 0; column < columns.size(); ++column) {
                text += column > 0 ? "," : "";
                std::visit(CsvAppender{text}, columns[column].at(row));
            }
            text += end;
        }
        RETURN_IF_ERROR(take(text));
        text.clear();
        progress.report(static_cast<double>(first) / static_cast<double>(table.rows));
    }
    RETURN_IF_ERROR(take(text));
    progress.report(1);
    return {};
}

}  // namespace

Result<void> makeCsv(const ArrowTable& table, CsvLines lines, Progress& progress,
                     const std::function<Result<void>(std::string_view text)>& take)
{
    return attempt("write the table", &progress,
                   [&](const WorkMeter& work) { return makeAllCsv(table, lines, progress, work, take); });
}

Result<void> writeCsv(const ArrowTable& table, const std::string& path, Progress& progress)
{
    ASSIGN_OR_RETURN(TextSink sink, TextSink::open(path));
    RETURN_IF_ERROR(makeCsv(table, CsvLines::CrLf, progress, [&](std::string_view text) {
        sink.text() += text;
        return sink.pass();
    }));
    return sink.commit();
}

}  // namespace overlane
