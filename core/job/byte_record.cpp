#include "core/job/byte_record.h"

#include <utility>

#include "core/io/overlane_columns.h"

namespace overlane
{

void ByteRecord::number(std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        m_bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
    m_bytes.push_back(static_cast<std::uint8_t>(value));
}

void ByteRecord::text(std::string_view text)
{
    number(text.size());
    m_bytes.insert(m_bytes.end(), text.begin(), text.end());
}

void ByteRecord::integers(std::span<const std::int64_t> values)
{
    number(values.size());
    bytes(encodeIntegers(values));
}

void ByteRecord::bytes(std::span<const std::uint8_t> bytes)
{
    number(bytes.size());
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
}

void ByteCursor::damaged()
{
    m_ok = false;
    m_rest = {};
}

std::uint64_t ByteCursor::number()
{
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (m_rest.empty())
            break;
        const std::uint64_t byte = m_rest.front();
        m_rest = m_rest.subspan(1);
        value |= (byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    damaged();
    return 0;
}

std::span<const std::uint8_t> ByteCursor::bytes()
{
    const std::uint64_t count = number();
    if (count > m_rest.size()) {
        damaged();
        return {};
    }
    const auto taken = m_rest.first(static_cast<std::size_t>(count));
    m_rest = m_rest.subspan(static_cast<std::size_t>(count));
    return taken;
}

std::string ByteCursor::text()
{
    const std::span<const std::uint8_t> taken = bytes();
    return {taken.begin(), taken.end()};
}

std::vector<std::int64_t> ByteCursor::integers()
{
    const std::uint64_t count = number();
    Result<std::vector<std::int64_t>> values = decodeIntegers(bytes(), static_cast<std::size_t>(count));
    if (values.ok())
        return std::move(values).value();
    damaged();
    return {};
}

}  // namespace overlane
