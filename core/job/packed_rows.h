// PackedRows: a table of integers in the fewest bits that hold it, every value exactly.
//
// A column is kept as differences to its least value, each in as many bits as the largest of them needs: none where all
// values are the same, 34 for times within 17 s. Rows lie one behind the other without gaps, so that all columns of a
// row are read from one place. A column of more than kMostPackedBits takes 64, begins at a whole byte, and makes its
// rows whole bytes: any 64-bit integers are held. Memory: the bits of the rows, and 24 bytes a column. Made once, then
// immutable; any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace overlane
{

// With the bits of its first byte that are others', a value of so many lies within 8 bytes.
constexpr std::uint32_t kMostPackedBits = 57;

class PackedRows
{
public:
    // Rows one after another, `columns` values each.
    PackedRows(std::span<const std::int64_t> values, std::size_t columns);

    std::size_t rows() const { return m_rows; }
    std::int64_t at(std::size_t row, std::size_t column) const
    {
        const Column& of = m_columns[column];
        const std::uint64_t bit = row * std::uint64_t{m_rowBits} + of.firstBit;
        std::uint64_t word = 0;
        std::memcpy(&word, m_bytes.data() + bit / 8, sizeof(word));
        static_assert(std::endian::native == std::endian::little);
        return static_cast<std::int64_t>(of.least + ((word >> (bit % 8)) & of.mask));
    }
    std::size_t bytes() const { return m_bytes.size() + m_columns.size() * sizeof(Column); }

private:
    struct Column {
        std::uint64_t least = 0;  // as are sums and differences: modulo 2^64
        std::uint64_t mask = 0;
        std::uint32_t firstBit = 0;  // of a row
    };
    void layOut();

    std::size_t m_rows = 0;
    std::uint32_t m_rowBits = 0;
    std::vector<Column> m_columns;
    std::vector<std::uint8_t> m_bytes;  // with 8 behind the last row, which a value is read with
};

}  // namespace overlane
