#include "core/lod/counter_text.h"

#include <cstdint>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{

std::string counterText(CounterUnit unit, double value)
{
    const auto whole = static_cast<std::int64_t>(value);
    switch (unit) {
        case CounterUnit::Bytes:
            return formatBytes(whole);
        case CounterUnit::Nanoseconds:
            return formatDuration(whole);
        case CounterUnit::BytesPerSecond:
            return formatRate(whole, kNsPerS);
        case CounterUnit::Percent:
            return fmt::format("{:.0f}\u2009%", value);
        case CounterUnit::Count:
            break;
    }
    return formatCount(whole);
}

}  // namespace overlane
