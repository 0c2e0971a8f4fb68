#include "core/io/overlane_columns.h"

#include <bit>
#include <string>

namespace overlane
{
namespace
{

std::uint64_t zigzag(std::uint64_t difference)
{
    return (difference << 1) ^ (difference >> 63 ? ~std::uint64_t{0} : 0);
}

std::uint64_t unzigzag(std::uint64_t coded)
{
    return (coded >> 1) ^ (coded & 1 ? ~std::uint64_t{0} : 0);
}

}  // namespace

PackedBytes encodeIntegers(std::span<const std::int64_t> values)
{
    PackedBytes bytes;
    bytes.reserve(values.size() * 2);
    std::uint64_t before = 0;
    for (const std::int64_t value : values) {
        std::uint64_t rest = zigzag(static_cast<std::uint64_t>(value) - before);
        before = static_cast<std::uint64_t>(value);
        for (; rest >= 0x80; rest >>= 7)
            bytes.push_back(static_cast<std::uint8_t>(rest | 0x80));
        bytes.push_back(static_cast<std::uint8_t>(rest));
    }
    return bytes;
}

Result<std::vector<std::int64_t>> decodeIntegers(std::span<const std::uint8_t> bytes, std::size_t count)
{
    // Every value takes a byte at least; this also bounds the memory asked for.
    if (bytes.size() < count)
        return Error{"a column of " + std::to_string(count) + " numbers has only " + std::to_string(bytes.size()) +
                     " bytes."};
    std::vector<std::int64_t> values;
    values.reserve(count);
    std::uint64_t before = 0;
    std::size_t at = 0;
    for (std::size_t index = 0; index < count; ++index) {
        std::uint64_t coded = 0;
        for (int shift = 0;; shift += 7) {
            if (at == bytes.size() || shift > 63)
                return Error{"a column ends or is damaged at number " + std::to_string(index) + " of " +
                             std::to_string(count) + "."};
            const std::uint64_t byte = bytes[at++];
            coded |= (byte & 0x7F) << shift;
            if (byte < 0x80)
                break;
        }
        before += unzigzag(coded);
        values.push_back(static_cast<std::int64_t>(before));
    }
    if (at != bytes.size())
        return Error{"a column of " + std::to_string(count) + " numbers is followed by " +
                     std::to_string(bytes.size() - at) + " more bytes."};
    return values;
}

PackedBytes encodeReals(std::span<const double> values)
{
    PackedBytes bytes;
    bytes.reserve(values.size() * sizeof(double));
    for (const double value : values) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (int shift = 0; shift < 64; shift += 8)
            bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
    }
    return bytes;
}

Result<std::vector<double>> decodeReals(std::span<const std::uint8_t> bytes, std::size_t count)
{
    if (bytes.size() != count * sizeof(double))
        return Error{"a column of " + std::to_string(count) + " reals has " + std::to_string(bytes.size()) + " bytes."};
    std::vector<double> values;
    values.reserve(count);
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(double)) {
        std::uint64_t bits = 0;
        for (std::size_t byte = 0; byte < sizeof(double); ++byte)
            bits |= std::uint64_t{bytes[at + byte]} << (8 * byte);
        values.push_back(std::bit_cast<double>(bits));
    }
    return values;
}

}  // namespace overlane
