#include "core/base/exact_time.h"

#include <array>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{

std::string formatExactTime(std::int64_t ns)
{
    struct Unit {
        std::uint64_t ns;
        int groups;  // of three digits behind the point
        const char* name;
    };
    static constexpr std::array<Unit, 3> kUnits{{{kNsPerS, 3, "s"}, {kNsPerMs, 2, "ms"}, {kNsPerUs, 1, "\u00b5s"}}};
    // Also of the smallest number, which has no positive counterpart.
    const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    const std::string sign = ns < 0 ? "-" : "";
    for (const Unit& unit : kUnits) {
        if (size < unit.ns)
            continue;
        std::string text = sign + formatCount(static_cast<std::int64_t>(size / unit.ns));
        std::uint64_t groupNs = unit.ns;
        std::uint64_t rest = size % unit.ns;
        for (int group = 0; group < unit.groups; ++group) {
            groupNs /= 1'000;
            text += fmt::format("{}{:03}", group == 0 ? "." : "\u2009", rest / groupNs);
            rest %= groupNs;
        }
        return text + "\u2009" + unit.name;
    }
    return fmt::format("{}{}\u2009ns", sign, size);
}

}  // namespace overlane
