#include "core/content/column_table.h"

#include <algorithm>

namespace overlane
{

std::size_t columnsOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

ColumnTable::ColumnTable(std::vector<std::string> heads)
{
    for (std::string& head : heads) {
        m_right.push_back(head.starts_with('#'));
        if (m_right.back())
            head.erase(0, 1);
    }
    m_rows.push_back(std::move(heads));
}

void ColumnTable::row(std::vector<std::string> cells)
{
    cells.resize(m_right.size());
    m_rows.push_back(std::move(cells));
}

std::string ColumnTable::text(std::string_view indent) const
{
    std::vector<std::size_t> widths(m_right.size(), 0);
    for (const auto& row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columnsOf(row[i]));
    std::string text;
    for (const auto& row : m_rows) {
        std::string line(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string fill(widths[i] - columnsOf(row[i]), ' ');
            line += m_right[i] ? fill + row[i] : row[i] + fill;
            line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

}  // namespace overlane
