#include "core/replay/prediction_range.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/units.h"

namespace overlane
{

void PredictionRange::reach(std::int64_t lowNs, std::int64_t highNs, std::string origin)
{
    m_parts.push_back({std::max<std::int64_t>(0, std::min(lowNs, highNs)), std::max(lowNs, highNs), std::move(origin)});
}

void PredictionRange::store(Prediction& prediction) const
{
    double below = 0, above = 0;
    for (const Part& part : m_parts) {
        below = std::hypot(below, static_cast<double>(std::max<std::int64_t>(0, m_stepNs - part.lowNs)));
        above = std::hypot(above, static_cast<double>(std::max<std::int64_t>(0, part.highNs - m_stepNs)));
    }
    prediction.lowNs = std::max<std::int64_t>(0, m_stepNs - saturatedRound(below));
    prediction.highNs = saturatedSum(m_stepNs, saturatedRound(above));
    std::vector<Part> widest = m_parts;
    std::stable_sort(widest.begin(), widest.end(),
                     [](const Part& a, const Part& b) { return a.highNs - a.lowNs > b.highNs - b.lowNs; });
    for (const Part& part : widest) {
        const std::string low = formatDuration(std::min(part.lowNs, m_stepNs));
        const std::string high = formatDuration(std::max(part.highNs, m_stepNs));
        if (low != high)
            prediction.rangeOrigins.push_back(fmt::format("{}: {} to {}", part.origin, low, high));
    }
}

}  // namespace overlane
