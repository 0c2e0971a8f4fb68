// Block: a piece of what a feature says, as data: a sentence, a list, facts, a table.
//
// A feature's room makes each block once; the terminal (terminal.h), a page (html.h) and the window
// (app/widgets/rich_text.h, cell_table.h) show it. Plain data, any thread. Texts are UTF-8 and hold the figures as
// people read them; a cell's value is the same figure in nanoseconds, bytes or a share, to sort and to export by.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace overlane
{

enum class Tone : std::uint8_t { Plain, Muted, Better, Worse, Warning };

struct Cell {
    std::string text;
    std::variant<std::monostate, std::int64_t, double> value = {};  // none: words
    Tone tone = Tone::Plain;
};
Cell durationCell(std::int64_t ns, Tone tone = Tone::Plain);
Cell countCell(std::int64_t count);
Cell bytesCell(std::int64_t bytes);
Cell shareCell(double share);
// "-": there is no such figure.
Cell missingCell();

struct Column {
    enum class Kind : std::uint8_t { Words, Number, Name };  // names are long, and elided where room is short

    std::string id;  // stable: the key of an export, with the unit: "a_ns"
    std::string title;
    Kind kind = Kind::Number;
};

struct Table {
    struct Row {
        std::vector<Cell> cells;
        std::string remark;  // in the window on hover, on a page below the first cell
    };

    std::string title;
    std::vector<Column> columns;
    std::vector<Row> rows;

    // The cell of a row in the column with that id, which there must be.
    const Cell& at(const Row& row, std::string_view id) const;
    // The columns with these ids, in this order, of at most so many rows.
    Table picked(std::initializer_list<std::string_view> ids, std::size_t mostRows = SIZE_MAX) const;
};

struct Sentence {
    std::string text;
    Tone tone = Tone::Plain;
    bool lead = false;  // the answer itself; what follows explains it
};

struct List {
    std::string title;
    std::vector<std::string> items;
    Tone tone = Tone::Plain;
};

struct Facts {
    std::vector<std::pair<std::string, Cell>> rows;

    // None is a number: they are read as text, not compared in a column.
    bool areWords() const;
};

using Block = std::variant<Sentence, List, Facts, Table>;
using Blocks = std::vector<Block>;

// A table for a spreadsheet: cells between tabs, heads first.
std::string tabSeparated(const Table& table);
// The same figures for another program: ids as heads, values in nanoseconds and bytes, by RFC 4180 (quotes doubled)
// with lines as Unix ends them.
std::string commaSeparated(const Table& table);
// A table for a screen reader: "kernels, time 39.8 ms, share 32.3 %; exposed copies, time ...", a row that begins with
// words without their head.
std::string spokenText(const Table& table);

}  // namespace overlane
