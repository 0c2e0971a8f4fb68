#include "core/tables/column_values.h"

#include <cassert>

namespace overlane
{
namespace
{

bool bitAt(const void* bits, std::size_t row)
{
    return (static_cast<const std::uint8_t*>(bits)[row / 8] >> (row % 8) & 1) != 0;
}

std::string_view textAt(const std::int32_t* offsets, const char* bytes, std::size_t at)
{
    return {bytes + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at])};
}

}  // namespace

ValueType valueType(const ArrowColumn& column)
{
    switch (column.dictionary ? 'u' : column.format[0]) {
        case 'u':
            return ValueType::Text;
        case 'b':
            return ValueType::Flag;
        case 'g':
            return ValueType::Real;
        default:
            return ValueType::Whole;
    }
}

std::int64_t ColumnValues::whole(std::size_t row) const
{
    const void* values = m_chunk.buffers[1];
    switch (m_column.format[0]) {
        case 'c':
            return static_cast<const std::int8_t*>(values)[row];
        case 'i':
            return static_cast<const std::int32_t*>(values)[row];
        case 'I':
            return static_cast<const std::uint32_t*>(values)[row];
        default:
            assert(m_column.format[0] == 'l');
            return static_cast<const std::int64_t*>(values)[row];
    }
}

ColumnValue ColumnValues::at(std::size_t row) const
{
    if (m_chunk.buffers[0] != nullptr && !bitAt(m_chunk.buffers[0], row))
        return {};
    if (m_column.dictionary) {
        const ArrowTexts& texts = *m_column.dictionary;
        return textAt(texts.offsets.data(), texts.bytes.data(), static_cast<std::size_t>(whole(row)));
    }
    const void* values = m_chunk.buffers[1];
    switch (valueType(m_column)) {
        case ValueType::Text:
            return textAt(static_cast<const std::int32_t*>(values), static_cast<const char*>(m_chunk.buffers[2]), row);
        case ValueType::Flag:
            return bitAt(values, row);
        case ValueType::Real:
            return static_cast<const double*>(values)[row];
        case ValueType::Whole:
            break;
    }
    return whole(row);
}

}  // namespace overlane
