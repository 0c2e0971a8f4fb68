// Strong ids: an index that cannot be mixed up with another kind of index.
//
// A default-constructed id is "none". Ids are dense and start at 0, so index() addresses a vector.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace overlane
{

template <typename Tag>
class StrongId
{
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    constexpr StrongId() = default;
    constexpr explicit StrongId(std::uint32_t value) : m_value(value) {}
    constexpr explicit StrongId(std::size_t value) : m_value(static_cast<std::uint32_t>(value)) {}
    constexpr explicit StrongId(int value) : m_value(static_cast<std::uint32_t>(value)) {}

    constexpr bool valid() const { return m_value != kNone; }
    constexpr std::size_t index() const { return m_value; }
    constexpr std::uint32_t value() const { return m_value; }

    friend constexpr auto operator<=>(StrongId, StrongId) = default;  // NOLINT(modernize-use-nullptr)

private:
    std::uint32_t m_value = kNone;
};

using TrackId = StrongId<struct TrackTag>;
using StringId = StrongId<struct StringTag>;
using EventIndex = StrongId<struct EventTag>;

}  // namespace overlane

template <typename Tag>
struct std::hash<overlane::StrongId<Tag>> {
    std::size_t operator()(overlane::StrongId<Tag> id) const noexcept { return id.index(); }
};
