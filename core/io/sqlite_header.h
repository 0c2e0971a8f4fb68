// The first bytes of an SQLite file, for recognising formats without opening it.
//
// Source: https://www.sqlite.org/fileformat.html, section 1.3. Stateless, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace overlane
{

inline bool isSqliteHeader(std::span<const char> head)
{
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    return head.size() >= 100 && std::string_view(head.data(), kMagic.size()) == kMagic;
}

// Who uses the file, as they registered themselves; 0 = nobody said.
inline std::int64_t sqliteApplicationId(std::span<const char> head)
{
    constexpr std::size_t kOffset = 68;
    std::int64_t id = 0;
    for (std::size_t at = kOffset; at < kOffset + 4; ++at)
        id = (id << 8) | static_cast<unsigned char>(head[at]);
    return id;
}

}  // namespace overlane
