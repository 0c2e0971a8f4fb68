#include "core/base/units.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace overlane
{
namespace
{

constexpr const char* kThinSpace = "\u2009";

// Three significant digits without switching to exponents.
std::string threeDigits(double value)
{
    const double size = std::abs(value);
    const int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f}", value, decimals);
}

struct Unit {
    double size;
    const char* name;
};

std::string scaled(double value, std::span<const Unit> units)
{
    const double size = std::abs(value);
    // 999.5 and more would be written 1000: take the next unit instead.
    for (const Unit& unit : units.first(units.size() - 1))
        if (size >= unit.size * 0.9995)
            return threeDigits(value / unit.size) + kThinSpace + unit.name;
    return fmt::format("{:.0f}{}{}", value / units.back().size, kThinSpace, units.back().name);
}

}  // namespace

std::string formatDuration(std::int64_t ns)
{
    static constexpr std::array<Unit, 4> kUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1, "ns"}}};
    return scaled(static_cast<double>(ns), kUnits);
}

std::string formatBytes(std::int64_t bytes)
{
    static constexpr std::array<Unit, 5> kUnits{
        {{1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}, {1, "B"}}};
    return scaled(static_cast<double>(bytes), kUnits);
}

std::string formatRate(std::int64_t bytes, std::int64_t ns)
{
    static constexpr std::array<Unit, 4> kUnits{{{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}}};
    return ns <= 0 ? "-" : scaled(static_cast<double>(bytes) * 1e9 / static_cast<double>(ns), kUnits);
}

std::string formatCount(std::int64_t count)
{
    std::string digits = std::to_string(count);
    const std::size_t firstDigit = count < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > firstDigit + 3;)
        digits.insert(at -= 3, kThinSpace);
    return digits;
}

std::string formatShare(double share)
{
    return fmt::format("{}{}%", threeDigits(share * 100), kThinSpace);
}

}  // namespace overlane
