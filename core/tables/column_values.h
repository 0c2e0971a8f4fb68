// ColumnValues: a range of rows of a column, read as values, for what writes tables as text or SQL.
//
// Keeps the buffers of its chunk; texts are views into them or into the column's dictionary. One thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "core/tables/arrow_column.h"

namespace overlane
{

// Nothing for none.
using ColumnValue = std::variant<std::monostate, bool, std::int64_t, double, std::string_view>;

enum class ValueType : std::uint8_t { Flag, Whole, Real, Text };
ValueType valueType(const ArrowColumn& column);

class ColumnValues
{
public:
    ColumnValues(const ArrowColumn& column, std::size_t first, std::size_t rows)
        : m_column(column), m_chunk(column.chunk(first, rows))
    {
    }
    // `row` counts from the first of the range.
    ColumnValue at(std::size_t row) const;

private:
    std::int64_t whole(std::size_t row) const;

    const ArrowColumn& m_column;
    const ArrowChunk m_chunk;
};

}  // namespace overlane
