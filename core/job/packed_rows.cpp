#include "core/job/packed_rows.h"

namespace overlane
{

void PackedRows::put(std::size_t row, std::span<const std::int64_t> values)
{
    const std::uint64_t first = row * std::uint64_t{m_rowBits};
    for (std::size_t column = 0; column < values.size(); ++column) {
        const Column& of = m_columns[column];
        if (of.mask == 0)
            continue;
        const std::uint64_t bit = first + of.firstBit;
        std::uint64_t word = 0;
        std::memcpy(&word, m_bytes.data() + bit / 8, sizeof(word));
        word |= (static_cast<std::uint64_t>(values[column]) - of.least) << (bit % 8);
        std::memcpy(m_bytes.data() + bit / 8, &word, sizeof(word));
    }
}

// Wide columns come first, where each begins at a whole byte.
void PackedRows::layOut(std::span<const std::int64_t> least, std::span<const std::int64_t> most)
{
    for (std::size_t column = 0; column < least.size(); ++column) {
        m_columns[column].least = static_cast<std::uint64_t>(least[column]);
        m_columns[column].mask = static_cast<std::uint64_t>(most[column]) - m_columns[column].least;
    }
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
    m_bytes.resize((m_rows * std::uint64_t{m_rowBits} + 7) / 8 + sizeof(std::uint64_t));
}

}  // namespace overlane
