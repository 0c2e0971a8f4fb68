#include "core/job/packed_rows.h"

#include <algorithm>
#include <cassert>

namespace overlane
{

PackedRows::PackedRows(std::span<const std::int64_t> values, std::size_t columns)
    : m_rows(columns == 0 ? 0 : values.size() / columns), m_columns(columns)
{
    assert(columns > 0 && values.size() % columns == 0);
    const std::span<const std::int64_t> first = values.first(m_rows == 0 ? 0 : columns);
    std::vector<std::int64_t> least(first.begin(), first.end());
    std::vector<std::int64_t> most = least;
    for (std::size_t at = 0; at < values.size(); at += columns)
        for (std::size_t column = 0; column < columns; ++column) {
            least[column] = std::min(least[column], values[at + column]);
            most[column] = std::max(most[column], values[at + column]);
        }
    for (std::size_t column = 0; column < least.size(); ++column) {
        m_columns[column].least = static_cast<std::uint64_t>(least[column]);
        m_columns[column].mask = static_cast<std::uint64_t>(most[column]) - m_columns[column].least;
    }
    layOut();
    m_bytes.resize((m_rows * std::uint64_t{m_rowBits} + 7) / 8 + sizeof(std::uint64_t));
    for (std::size_t row = 0; row < m_rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            const Column& of = m_columns[column];
            const std::uint64_t bit = row * std::uint64_t{m_rowBits} + of.firstBit;
            std::uint64_t word = 0;
            std::memcpy(&word, m_bytes.data() + bit / 8, sizeof(word));
            word |= (static_cast<std::uint64_t>(values[row * columns + column]) - of.least) << (bit % 8);
            std::memcpy(m_bytes.data() + bit / 8, &word, sizeof(word));
        }
}

// Their masks are the largest differences yet. Wide columns come first, where each begins at a whole byte.
void PackedRows::layOut()
{
    constexpr std::uint32_t kWideBits = 64;
    const auto bitsOf = [](std::uint64_t largest) {
        const auto bits = static_cast<std::uint32_t>(std::bit_width(largest));
        return bits > kMostPackedBits ? kWideBits : bits;
    };
    const auto place = [&](bool isWide) {
        for (Column& column : m_columns) {
            const std::uint32_t bits = bitsOf(column.mask);
            if ((bits == kWideBits) != isWide)
                continue;
            column.firstBit = m_rowBits;
            m_rowBits += bits;
        }
    };
    place(true);
    const bool hasWide = m_rowBits > 0;
    place(false);
    if (hasWide)
        m_rowBits = (m_rowBits + 7) / 8 * 8;
    for (Column& column : m_columns) {
        const std::uint32_t bits = bitsOf(column.mask);
        column.mask = bits == kWideBits ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    }
}

}  // namespace overlane
