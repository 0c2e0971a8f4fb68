#include "core/content/block.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{
namespace
{

std::size_t placeOf(const Table& table, std::string_view id)
{
    const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                    [id](const Column& column) { return column.id == id; });
    assert(found != table.columns.end());
    return static_cast<std::size_t>(found - table.columns.begin());
}

std::string csvText(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quotes = "\"";
    for (const char character : text)
        quotes += character == '"' ? std::string("\"\"") : std::string(1, character);
    return quotes + '"';
}

// Nothing for a figure that is missing.
std::string valueText(const Cell& cell)
{
    if (const auto* whole = std::get_if<std::int64_t>(&cell.value))
        return fmt::format("{}", *whole);
    if (const auto* number = std::get_if<double>(&cell.value))
        return fmt::format("{:.6g}", *number);
    return cell.tone == Tone::Muted && cell.text == "-" ? "" : csvText(cell.text);
}

}  // namespace

Cell durationCell(std::int64_t ns, Tone tone)
{
    return {formatDuration(ns), ns, tone};
}

Cell countCell(std::int64_t count)
{
    return {formatCount(count), count};
}

Cell bytesCell(std::int64_t bytes)
{
    return {formatBytes(bytes), bytes};
}

Cell shareCell(double share)
{
    return {formatShare(share), share};
}

Cell missingCell()
{
    return {"-", {}, Tone::Muted};
}

const Cell& Table::at(const Row& row, std::string_view id) const
{
    return row.cells[placeOf(*this, id)];
}

Table Table::picked(std::initializer_list<std::string_view> ids, std::size_t mostRows) const
{
    Table picked{title, {}, {}};
    picked.rows.resize(std::min(rows.size(), mostRows));
    for (std::size_t row = 0; row < picked.rows.size(); ++row)
        picked.rows[row].remark = rows[row].remark;
    for (const std::string_view id : ids) {
        const std::size_t place = placeOf(*this, id);
        picked.columns.push_back(columns[place]);
        for (std::size_t row = 0; row < picked.rows.size(); ++row)
            picked.rows[row].cells.push_back(rows[row].cells[place]);
    }
    return picked;
}

bool Facts::areWords() const
{
    return std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.second.value.index() == 0; });
}

std::string tabSeparated(const Table& table)
{
    std::string text;
    for (const Column& column : table.columns)
        text += column.title + '\t';
    for (const Table::Row& row : table.rows) {
        text.back() = '\n';
        for (const Cell& cell : row.cells)
            text += cell.text + '\t';
    }
    if (!text.empty())
        text.back() = '\n';
    return text;
}

std::string commaSeparated(const Table& table)
{
    std::string text;
    for (const Column& column : table.columns)
        text += (text.empty() ? "" : ",") + csvText(column.id);
    text += '\n';
    for (const Table::Row& row : table.rows) {
        for (std::size_t column = 0; column < row.cells.size(); ++column)
            text += (column > 0 ? "," : "") + valueText(row.cells[column]);
        text += '\n';
    }
    return text;
}

std::string spokenText(const Table& table)
{
    std::string text;
    for (const Table::Row& row : table.rows) {
        text += text.empty() ? "" : "; ";
        for (std::size_t column = 0; column < row.cells.size(); ++column) {
            const auto& [id, title, kind] = table.columns[column];
            const bool named = column > 0 || kind == Column::Kind::Number;
            text += (column > 0 ? ", " : "") + (named ? title + " " : "") + row.cells[column].text;
        }
    }
    return text;
}

}  // namespace overlane
