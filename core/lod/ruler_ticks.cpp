#include "core/lod/ruler_ticks.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/base/units.h"

namespace overlane
{

namespace
{

constexpr const char* kThinSpace = "\u2009";

struct Unit {
    std::int64_t ns;
    const char* name;
    int digits;  // decimal digits of a nanosecond in this unit
};
constexpr std::array kUnits = {Unit{kNsPerS, "s", 9}, Unit{kNsPerMs, "ms", 6}, Unit{kNsPerUs, "\u00b5s", 3},
                               Unit{1, "ns", 0}};

// The largest unit in which the step is at least a hundredth: "12.34 ms" rather than "12340 us".
const Unit& unitFor(std::int64_t stepNs, std::int64_t largestNs)
{
    for (const Unit& unit : kUnits)
        if (stepNs * 100 >= unit.ns && largestNs >= unit.ns)
            return unit;
    return kUnits.back();
}

int decimalsFor(std::int64_t stepNs, const Unit& unit)
{
    int decimals = 0;
    for (std::int64_t part = unit.ns; part > stepNs; part /= 10)
        ++decimals;
    return decimals;
}

std::string label(std::int64_t timeNs, const Unit& unit, int decimals)
{
    const std::uint64_t size = timeNs < 0 ? 0 - static_cast<std::uint64_t>(timeNs) : static_cast<std::uint64_t>(timeNs);
    const auto unitNs = static_cast<std::uint64_t>(unit.ns);
    std::string text = fmt::format("{}{}", timeNs < 0 ? "\u2212" : "", size / unitNs);
    if (decimals > 0)
        text += "." + fmt::format("{:0{}}", size % unitNs, unit.digits).substr(0, static_cast<std::size_t>(decimals));
    return text + kThinSpace + unit.name;
}

std::int64_t floorTo(std::int64_t value, std::int64_t step)
{
    const std::int64_t rest = value % step;
    return value - (rest < 0 ? rest + step : rest);
}

}  // namespace

std::int64_t niceStepNs(std::int64_t minimumNs)
{
    for (std::int64_t power = 1;; power *= 10) {
        for (const std::int64_t factor : {1, 2, 5})
            if (power * factor >= minimumNs)
                return power * factor;
        if (power > std::numeric_limits<std::int64_t>::max() / 10)
            return power * 5;
    }
}

Ruler rulerTicks(Interval range, double widthPx, double minimumSpacingPx)
{
    Ruler ruler;
    if (range.empty() || !(widthPx > 0) || !(minimumSpacingPx > 0))
        return ruler;
    const double minimumNs = std::ceil(static_cast<double>(range.lengthNs()) * minimumSpacingPx / widthPx);
    if (minimumNs > 1e18)
        return ruler;
    ruler.stepNs = niceStepNs(static_cast<std::int64_t>(minimumNs));
    // Beyond six significant digits a label is counted from a round base.
    if (range.startNs / ruler.stepNs >= 100'000)
        ruler.baseNs = floorTo(range.startNs, niceStepNs(range.lengthNs()) * 10);

    const bool relative = ruler.baseNs != 0;
    const std::int64_t largestNs = std::max(std::abs(range.startNs - ruler.baseNs), range.endNs - ruler.baseNs);
    const Unit& unit = unitFor(ruler.stepNs, largestNs);
    const int decimals = decimalsFor(ruler.stepNs, unit);
    if (relative) {
        const Unit& baseUnit = ruler.baseNs >= kNsPerS ? kUnits[0] : kUnits[1];
        std::int64_t lastDigitNs = baseUnit.ns;
        while (lastDigitNs > 1 && ruler.baseNs % lastDigitNs != 0)
            lastDigitNs /= 10;
        ruler.baseLabel = label(ruler.baseNs, baseUnit, decimalsFor(lastDigitNs, baseUnit));
    }

    // A 1 or 5 step is cut in five, a 2 step in four.
    std::int64_t leading = ruler.stepNs;
    while (leading >= 10)
        leading /= 10;
    const std::int64_t parts = leading == 2 ? 4 : 5;
    const std::int64_t minorNs = ruler.stepNs % parts == 0 ? ruler.stepNs / parts : ruler.stepNs;
    for (std::int64_t timeNs = floorTo(range.startNs + minorNs - 1, minorNs); timeNs < range.endNs; timeNs += minorNs) {
        const bool major = (timeNs - ruler.baseNs) % ruler.stepNs == 0;
        ruler.ticks.push_back(
            {timeNs, major ? (relative ? "+" : "") + label(timeNs - ruler.baseNs, unit, decimals) : std::string(),
             major});
    }
    return ruler;
}

}  // namespace overlane
