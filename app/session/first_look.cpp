#include "app/session/first_look.h"

#include <algorithm>
#include <span>

#include "core/analysis/verdict.h"

namespace overlane
{

namespace
{

bool isSteady(std::span<const Step> steps)
{
    return std::none_of(steps.begin(), steps.end(), [](const Step& step) { return step.warmUp || step.outlier; }) &&
           std::none_of(steps.begin(), steps.end() - 1, [](const Step& step) { return step.phaseEnds; });
}

// The pause behind a step is a part of it.
Interval spanOf(std::span<const Step> steps)
{
    Interval span = steps.front().interval;
    for (const Step& step : steps)
        span.endNs = std::max({span.endNs, step.interval.endNs, step.interval.startNs + step.timeNs});
    return span;
}

}  // namespace

Interval firstSteps(const std::vector<Step>& steps)
{
    if (steps.empty())
        return {};
    const std::span<const Step> all(steps);
    if (all.size() <= kFirstSteps)
        return spanOf(all);
    for (std::size_t i = 0; i + kFirstSteps <= all.size(); ++i)
        if (isSteady(all.subspan(i, kFirstSteps)))
            return spanOf(all.subspan(i, kFirstSteps));
    const auto warm = std::find_if(steps.begin(), steps.end() - 1, [](const Step& step) { return !step.warmUp; });
    const auto first = static_cast<std::size_t>(warm - steps.begin());
    return spanOf(all.subspan(first, std::min(kFirstSteps, all.size() - first)));
}

Interval firstLook(const AnalyzedTrace& trace, Interval whole)
{
    constexpr double kMost = 0.8;
    constexpr int kMarginShare = 50;
    Interval shown = firstSteps(trace.steps.steps);
    if (shown.empty())
        shown = activeRange(*trace.analysis, trace.steps.steps).range;
    if (shown.empty() || static_cast<double>(shown.lengthNs()) > kMost * static_cast<double>(whole.lengthNs()))
        return whole;
    const std::int64_t margin = shown.lengthNs() / kMarginShare;
    return {shown.startNs - margin, shown.endNs + margin};
}

}  // namespace overlane
