// Blocks for a page: HTML without scripts, its looks left to the page's style.
//
// Pure functions, any thread. Every text is escaped. Tones are the classes "muted", "better", "worse" and "warning".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/content/block.h"

namespace overlane
{

std::string htmlText(const Block& block);
std::string htmlText(const Blocks& blocks);
std::string htmlText(const Cell& cell);
// With a mark, which is HTML already, before the first cell of each row.
std::string htmlText(const Table& table, const std::vector<std::string>& marks);
// A page whose numbers keep their digits and unit on one line: thin spaces, where a browser breaks, become narrow ones
// that do not.
std::string withWholeNumbers(std::string page);

// A table whose cells are HTML already, for those that hold pictures. A column whose head begins with '#' holds
// numbers, with '@' names.
class HtmlTable
{
public:
    explicit HtmlTable(const std::vector<std::string>& heads);
    void row(const std::vector<std::string>& cells);
    std::string html() const;

private:
    std::vector<std::string_view> m_classes;
    std::string m_head;
    std::string m_rows;
};

}  // namespace overlane
