#include "core/io/overlane_checksum.h"

#include <array>
#include <bit>
#include <zlib.h>

namespace overlane
{
namespace
{

std::array<unsigned char, 8> littleEndian(std::uint64_t value)
{
    std::array<unsigned char, 8> bytes{};
    for (std::size_t at = 0; at < bytes.size(); ++at)
        bytes[at] = static_cast<unsigned char>(value >> (8 * at));
    return bytes;
}

}  // namespace

void OverlaneChecksum::update(const void* bytes, std::size_t count)
{
    m_crc = static_cast<std::uint32_t>(::crc32_z(m_crc, static_cast<const Bytef*>(bytes), count));
}

void OverlaneChecksum::add(char type, const void* bytes, std::size_t count)
{
    const auto length = littleEndian(count);
    update(&type, 1);
    update(length.data(), length.size());
    if (count > 0)
        update(bytes, count);
}

void OverlaneChecksum::add(std::int64_t value)
{
    const auto bytes = littleEndian(static_cast<std::uint64_t>(value));
    update("i", 1);
    update(bytes.data(), bytes.size());
}

void OverlaneChecksum::add(double value)
{
    const auto bytes = littleEndian(std::bit_cast<std::uint64_t>(value));
    update("r", 1);
    update(bytes.data(), bytes.size());
}

void OverlaneChecksum::addNull()
{
    update("n", 1);
}

void OverlaneChecksum::addRow(const SqliteStatement& row, int columns)
{
    for (int column = 0; column < columns; ++column)
        switch (row.type(column)) {
            case SqliteType::Integer:
                add(row.integer(column));
                break;
            case SqliteType::Real:
                add(row.real(column));
                break;
            case SqliteType::Text:
                add(row.text(column));
                break;
            case SqliteType::Blob:
                add(row.blob(column));
                break;
            case SqliteType::Null:
                addNull();
                break;
        }
}

std::int64_t columnChecksum(std::int64_t chunk, std::string_view name, std::int64_t count, std::int64_t rawBytes,
                            std::span<const std::uint8_t> data)
{
    OverlaneChecksum sum;
    sum.add(chunk);
    sum.add(name);
    sum.add(count);
    sum.add(rawBytes);
    sum.add(data);
    return sum.value();
}

Result<OverlaneChecksum> checksumOf(SqliteDatabase& database, const OverlanePart& part)
{
    OverlaneChecksum sum;
    const Result<void> done = forEachRow(database, part.rows, [&](SqliteStatement& row) {
        sum.addRow(row, part.columns);
        return Result<void>();
    });
    if (!done.ok())
        return done.failure();
    return sum;
}

}  // namespace overlane
