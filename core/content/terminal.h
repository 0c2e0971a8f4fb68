// Blocks for a terminal: sentences broken at its width, tables in columns.
//
// Pure functions, any thread, but for the width, which the program sets once, before any command runs. Widths count
// characters: units and digit groups come with a micro sign and thin spaces.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/content/block.h"

namespace overlane
{

// Of texts that go to no terminal.
constexpr std::size_t kTextColumns = 100;
// Longer lines are hard to read, however wide a terminal is.
constexpr std::size_t kMostTextColumns = 120;

std::size_t textColumns();
void setTextColumns(std::size_t terminalColumns);  // 0: there is no terminal

// Breaks a text at spaces into lines of at most `columns` characters that start with `indent`; 0: textColumns().
std::string wrapText(std::string_view text, std::string_view indent, std::size_t columns = 0);
// Behind a mark, further lines below the text: "- text".
std::string markedText(std::string_view mark, std::string_view text, std::string_view indent);
// Labels on the left, values right-aligned in one column.
using TextRow = std::pair<std::string, std::string>;
std::string textTable(const std::vector<TextRow>& rows, std::string_view indent = "  ");

// Muted sentences explain and are indented; a list without items, facts and tables without rows are nothing. Facts
// that are words stand behind their names, broken at the width.
std::string terminalText(const Block& block, std::string_view indent = "  ");
// With an empty line behind a table.
std::string terminalText(const Blocks& blocks);

}  // namespace overlane
