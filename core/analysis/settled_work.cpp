#include "core/analysis/settled_work.h"

#include <algorithm>
#include <optional>

#include "core/analysis/verdict.h"

namespace overlane
{

SettledWork settledWork(const Analysis& analysis, const std::vector<Step>& steps)
{
    std::optional<std::int64_t> lastNs;
    for (const DeviceActivity& device : analysis.devices())
        if (!device.busy.empty())
            lastNs = std::min(lastNs.value_or(device.busy.span().endNs), device.busy.span().endNs);
    SettledWork settled;
    if (!lastNs)
        return settled;
    for (const Step& step : steps)
        if (step.interval.endNs <= *lastNs)
            settled.steps.push_back(step);
    settled.range = activeRange(analysis, settled.steps).range;
    settled.range.endNs = std::max(settled.range.startNs, std::min(settled.range.endNs, *lastNs));
    return settled;
}

}  // namespace overlane
