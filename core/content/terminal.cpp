#include "core/content/terminal.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/short_name.h"
#include "core/content/column_table.h"
#include "core/content/markup.h"

namespace overlane
{
namespace
{

constexpr std::size_t kNameColumns = 36;
constexpr std::size_t kLeastTextColumns = 40;

std::size_t& columnsOfTexts()
{
    static std::size_t columns = kTextColumns;
    return columns;
}

std::string terminal(const Sentence& sentence, std::string_view indent)
{
    return sentence.text.empty() ? "" : wrapText(sentence.text, sentence.tone == Tone::Muted ? indent : "");
}

std::string terminal(const List& list, std::string_view indent)
{
    std::string text = list.items.empty() || list.title.empty() ? "" : list.title + "\n";
    for (const std::string& item : list.items)
        text += wrapText(item, indent);
    return text;
}

std::string terminal(const Facts& facts, std::string_view indent)
{
    if (facts.areWords()) {
        std::size_t widest = 0;
        for (const auto& [name, value] : facts.rows)
            widest = std::max(widest, columnsOf(name));
        std::string text;
        for (const auto& [name, value] : facts.rows)
            text += markedText(name + std::string(widest - columnsOf(name) + 1, ' '), value.text, indent);
        return text;
    }
    std::vector<TextRow> rows;
    for (const auto& [name, value] : facts.rows)
        rows.emplace_back(name, value.text);
    return textTable(rows, indent);
}

std::string terminal(const Table& table, std::string_view indent)
{
    if (table.rows.empty())
        return {};
    std::vector<std::string> heads;
    for (const Column& column : table.columns)
        heads.push_back((column.kind == Column::Kind::Number ? "#" : "") + column.title);
    ColumnTable columns(std::move(heads));
    for (const Table::Row& row : table.rows) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            cells.push_back(table.columns[i].kind == Column::Kind::Name
                                ? shortened(shortName(row.cells[i].text), kNameColumns)
                                : row.cells[i].text);
        columns.row(std::move(cells));
    }
    return (table.title.empty() ? "" : table.title + "\n") + columns.text(indent, textColumns());
}

}  // namespace

std::string textTable(const std::vector<TextRow>& rows, std::string_view indent)
{
    std::size_t labelWidth = 0;
    for (const auto& [label, value] : rows)
        labelWidth = std::max(labelWidth, label.size());
    std::string text;
    for (const auto& [label, value] : rows)
        text += fmt::format("{}{:<{}}  {:>12}\n", indent, label, labelWidth, value);
    return text;
}

std::size_t textColumns()
{
    return columnsOfTexts();
}

void setTextColumns(std::size_t terminalColumns)
{
    columnsOfTexts() =
        terminalColumns == 0 ? kTextColumns : std::clamp(terminalColumns, kLeastTextColumns, kMostTextColumns);
}

std::string wrapText(std::string_view text, std::string_view indent, std::size_t columns)
{
    if (columns == 0)
        columns = textColumns();
    std::string wrapped;
    std::string line(indent);
    std::size_t used = columnsOf(indent);
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(std::min(space + 1, text.size()));
        if (line.size() > indent.size() && used + 1 + columnsOf(word) > columns) {
            wrapped += line + "\n";
            line = indent;
            used = columnsOf(indent);
        }
        if (line.size() > indent.size()) {
            line += ' ';
            ++used;
        }
        line += word;
        used += columnsOf(word);
    }
    return wrapped + line + "\n";
}

std::string markedText(std::string_view mark, std::string_view text, std::string_view indent)
{
    const std::string under = std::string(indent) + std::string(columnsOf(mark) + 1, ' ');
    std::string lines = wrapText(text, under);
    lines.replace(0, under.size(), fmt::format("{}{} ", indent, mark));
    return lines;
}

std::string terminalText(const Block& block, std::string_view indent)
{
    return std::visit([indent](const auto& one) { return terminal(one, indent); }, block);
}

std::string terminalText(const Blocks& blocks)
{
    std::string text;
    bool behindTable = false;
    for (const Block& block : blocks) {
        const std::string piece = terminalText(block);
        if (piece.empty())
            continue;
        text += (behindTable ? "\n" : "") + piece;
        behindTable = std::holds_alternative<Table>(block);
    }
    return text;
}

}  // namespace overlane
