#include "core/content/column_table.h"

#include <algorithm>

namespace overlane
{
namespace
{

// A last column of less room is left as it is.
constexpr std::size_t kLeastRoom = 12;

// Where the words of a text that fit into so many columns end, one at least; all of it where there is no limit.
std::size_t fittingEnd(std::string_view text, std::size_t room)
{
    if (room == 0 || columnsOf(text) <= room)
        return text.size();
    std::size_t end = text.find(' ');
    for (std::size_t next = end; next != std::string_view::npos && columnsOf(text.substr(0, next)) <= room;
         next = text.find(' ', next + 1))
        end = next;
    return std::min(end, text.size());
}

}  // namespace

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

std::string ColumnTable::text(std::string_view indent, std::size_t most) const
{
    std::vector<std::size_t> widths(m_right.size(), 0);
    for (const auto& row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columnsOf(row[i]));
    if (widths.empty())
        return {};
    std::size_t before = columnsOf(indent);
    for (std::size_t i = 0; i + 1 < widths.size(); ++i)
        before += widths[i] + 2;
    const std::size_t room = !m_right.back() && most >= before + kLeastRoom ? most - before : 0;
    std::string text;
    for (const auto& row : m_rows) {
        std::string line(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool isLast = i + 1 == row.size();
            const std::string fill(widths[i] - columnsOf(row[i]), ' ');
            if (m_right[i] || !isLast) {
                line += (m_right[i] ? fill + row[i] : row[i] + fill) + "  ";
                continue;
            }
            std::string_view rest = row[i];
            for (std::size_t end = fittingEnd(rest, room); end < rest.size(); end = fittingEnd(rest, room)) {
                text += line.append(rest.substr(0, end)) + "\n";
                line.assign(before, ' ');
                rest.remove_prefix(end + 1);
            }
            line += rest;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

}  // namespace overlane
