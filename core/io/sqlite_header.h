// The first bytes of an SQLite file, for recognizing formats without opening it.
//
// Source: https://www.sqlite.org/fileformat.html, section 1.3. Stateless, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace overlane
{

inline constexpr std::size_t kSqliteHeaderBytes = 100;

inline bool isSqliteHeader(std::span<const char> head)
{
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    return head.size() >= kSqliteHeaderBytes && std::string_view(head.data(), kMagic.size()) == kMagic;
}

// The four bytes at `offset`, big endian as everything in SQLite's files.
inline std::uint32_t sqliteNumber(std::span<const char> bytes, std::size_t offset)
{
    std::uint32_t number = 0;
    for (std::size_t at = offset; at < offset + 4; ++at)
        number = (number << 8) | static_cast<unsigned char>(bytes[at]);
    return number;
}

// Who uses the file, as they registered themselves; 0 = not said.
inline std::int64_t sqliteApplicationId(std::span<const char> head)
{
    return sqliteNumber(head, 68);
}

struct SqliteHeader {
    std::uint32_t pageBytes = 0;
    std::uint32_t changes = 0;  // one more with each transaction
    std::uint32_t pages = 0;    // holds where `validFor` equals `changes`
    std::uint32_t cookie = 0;   // of the schema
    std::uint32_t applicationId = 0;
    std::uint32_t validFor = 0;
    friend bool operator==(const SqliteHeader&, const SqliteHeader&) = default;
};

// Nothing where these are not the first bytes of an SQLite file.
inline std::optional<SqliteHeader> sqliteHeader(std::span<const char> head)
{
    if (!isSqliteHeader(head))
        return std::nullopt;
    SqliteHeader header;
    const std::uint32_t announced = sqliteNumber(head, 16) >> 16;
    header.pageBytes = announced == 1 ? 65'536 : announced;
    header.changes = sqliteNumber(head, 24);
    header.pages = sqliteNumber(head, 28);
    header.cookie = sqliteNumber(head, 40);
    header.applicationId = sqliteNumber(head, 68);
    header.validFor = sqliteNumber(head, 92);
    return header;
}

}  // namespace overlane
