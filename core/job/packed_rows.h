// PackedRows: a table of integers in the fewest bits that hold it, every value exactly.
//
// A column is kept as differences to its least value, each in as many bits as the largest of them needs: none where all
// values are the same, 34 for times within 17 s. Rows lie one behind the other without gaps, so that all columns of a
// row are read from one place. A column of more than kMostPackedBits takes 64, begins at a whole byte, and makes its
// rows whole bytes: any 64-bit integers are held. Memory: the bits of the rows, and 24 bytes a column. Made once, then
// immutable; any thread.
#pragma once

#include <algorithm>
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
    // write(row, into) writes the values of a row; each is asked for twice.
    template <typename Write>
    PackedRows(std::size_t rows, std::size_t columns, Write write) : m_rows(rows), m_columns(columns)
    {
        std::vector<std::int64_t> values(columns);
        std::vector<std::int64_t> least;
        std::vector<std::int64_t> most;
        for (std::size_t row = 0; row < rows; ++row) {
            write(row, values.data());
            if (row == 0)
                least = most = values;
            for (std::size_t column = 0; column < columns; ++column) {
                least[column] = std::min(least[column], values[column]);
                most[column] = std::max(most[column], values[column]);
            }
        }
        layOut(least, most);
        for (std::size_t row = 0; row < rows; ++row) {
            write(row, values.data());
            put(row, values);
        }
    }

    std::size_t rows() const { return m_rows; }
    [[gnu::always_inline]] std::int64_t at(std::size_t row, std::size_t column) const
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
    void layOut(std::span<const std::int64_t> least, std::span<const std::int64_t> most);
    void put(std::size_t row, std::span<const std::int64_t> values);

    std::size_t m_rows = 0;
    std::uint32_t m_rowBits = 0;
    std::vector<Column> m_columns;
    std::vector<std::uint8_t> m_bytes;  // with 8 behind the last row, which a value is read with
};

}  // namespace overlane
