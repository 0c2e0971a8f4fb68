// EnumSet: some of the values of an enum of at most 32, as the row of a table lists them.
//
// A value; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace overlane
{

template <typename Enum>
class EnumSet
{
public:
    constexpr EnumSet() = default;
    constexpr EnumSet(std::initializer_list<Enum> values)
    {
        for (const Enum value : values)
            m_bits |= bitOf(value);
    }
    constexpr bool has(Enum value) const { return (m_bits & bitOf(value)) != 0; }
    constexpr bool empty() const { return m_bits == 0; }

private:
    static constexpr std::uint32_t bitOf(Enum value) { return 1u << static_cast<unsigned>(value); }

    std::uint32_t m_bits = 0;
};

}  // namespace overlane
