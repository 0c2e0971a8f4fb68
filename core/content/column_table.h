// ColumnTable: a table for a terminal, columns as wide as what they hold.
//
// Owns its cells; one thread. Widths count characters: units and digit groups come with a micro sign
// and thin spaces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

// Characters of a UTF-8 text.
std::size_t columnsOf(std::string_view text);

class ColumnTable
{
public:
    // A head that begins with '#' is a column of numbers, aligned to the right.
    explicit ColumnTable(std::vector<std::string> heads);
    void row(std::vector<std::string> cells);
    bool empty() const { return m_rows.size() == 1; }
    // The last column goes on below itself where a line were longer than `most`; 0: never.
    std::string text(std::string_view indent = "  ", std::size_t most = 0) const;

private:
    std::vector<bool> m_right;
    std::vector<std::vector<std::string>> m_rows;  // heads first
};

}  // namespace overlane
