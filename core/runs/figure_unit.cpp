#include "core/runs/figure_unit.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{
namespace
{

// Beyond these a double is no longer a sound count of nanoseconds or bytes.
constexpr double kLargest = 9e18;

// Three digits where a fraction says something, whole numbers as they are.
std::string numberText(double value)
{
    const double size = std::abs(value);
    if (std::abs(value - std::round(value)) < 1e-9 || size >= 100)
        return size < kLargest ? formatCount(std::llround(value)) : fmt::format("{:.3g}", value);
    return fmt::format("{:.{}f}", value, size >= 10 ? 1 : size >= 0.995 ? 2 : 3);
}

}  // namespace

std::string unitName(const FigureUnit& unit)
{
    if (unit.truth)
        return "true or false";
    if (unit.isNumber())
        return unit.share ? "a share" : "a number";
    if (unit.sameAs(kTimeUnit))
        return "a time";
    if (unit.sameAs(kSizeUnit))
        return "a size";
    if (unit.sameAs(kRateUnit))
        return "a rate";
    return fmt::format("a product of time^{} and bytes^{}", unit.time, unit.bytes);
}

std::string figureText(double value, const FigureUnit& unit)
{
    if (unit.truth)
        return value != 0 ? "yes" : "no";
    if (!std::isfinite(value) || std::abs(value) > kLargest)
        return "unknown";
    if (unit.sameAs(kTimeUnit))
        return formatDuration(std::llround(value));
    if (unit.sameAs(kSizeUnit))
        return formatBytes(std::llround(value));
    if (unit.sameAs(kRateUnit) && std::abs(value) < 1e9)
        return formatRate(std::llround(value * static_cast<double>(kNsPerS)), kNsPerS);
    if (unit.isNumber() && unit.share)
        return formatShare(value);
    return numberText(value);
}

}  // namespace overlane
