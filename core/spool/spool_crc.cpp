#include "core/spool/spool_crc.h"

#include <array>
#include <bit>
#include <cstring>

namespace overlane
{
namespace
{

static_assert(std::endian::native == std::endian::little);

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables makeTables()
{
    constexpr std::uint32_t kPolynomial = 0xEDB88320;
    Tables tables{};
    for (std::uint32_t value = 0; value < 256; ++value) {
        std::uint32_t crc = value;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 1) != 0 ? (crc >> 1) ^ kPolynomial : crc >> 1;
        tables[0][value] = crc;
    }
    for (std::uint32_t value = 0; value < 256; ++value)
        for (std::size_t step = 1; step < tables.size(); ++step)
            tables[step][value] = (tables[step - 1][value] >> 8) ^ tables[0][tables[step - 1][value] & 0xFF];
    return tables;
}

constexpr Tables kTables = makeTables();

}  // namespace

std::uint32_t spoolCrc(std::uint32_t crc, const void* data, std::size_t bytes)
{
    const auto* at = static_cast<const std::uint8_t*>(data);
    crc = ~crc;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof(word));
        word ^= crc;
        crc = 0;
        for (std::size_t step = 0; step < 8; ++step)
            crc ^= kTables[7 - step][(word >> (8 * step)) & 0xFF];
    }
    for (; bytes > 0; --bytes, ++at)
        crc = (crc >> 8) ^ kTables[0][(crc ^ *at) & 0xFF];
    return ~crc;
}

}  // namespace overlane
