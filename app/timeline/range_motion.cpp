#include "app/timeline/range_motion.h"

#include <algorithm>
#include <cmath>

namespace overlane
{

Interval RangeMotion::at(std::int64_t elapsedMs) const
{
    if (doneAt(elapsedMs))
        return m_to;
    const double left =
        1 - static_cast<double>(std::max<std::int64_t>(0, elapsedMs)) / static_cast<double>(m_durationMs);
    const double way = 1 - left * left * left;
    const auto from = static_cast<double>(m_from.lengthNs());
    const auto to = static_cast<double>(m_to.lengthNs());
    double share = way;  // of the way of both edges
    if (from > 0 && to > 0 && from != to)
        share = (from - from * std::pow(to / from, way)) / (from - to);
    const auto between = [share](std::int64_t a, std::int64_t b) {
        return a + std::llround(share * static_cast<double>(b - a));
    };
    return {between(m_from.startNs, m_to.startNs), between(m_from.endNs, m_to.endNs)};
}

}  // namespace overlane
