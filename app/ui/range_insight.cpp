#include "app/ui/range_insight.h"

#include <algorithm>

#include "core/analysis/kernel_record.h"
#include "core/analysis/settled_work.h"
#include "core/analysis/verdict.h"
#include "core/findings/findings.h"

namespace overlane
{

namespace
{

CopySums copySums(const Analysis& analysis, const std::vector<CopyRecord>& copies, Interval range)
{
    CopySums sums;
    std::array<CopySums::Reason, kCopyCauseCount> byCause;
    const auto [first, last] = analysis.startingIn(copies, range);
    for (std::size_t i = first; i < last; ++i) {
        const CopyRecord& copy = copies[i];
        ++sums.copies;
        sums.exposedNs += copy.exposedNs();
        if (copy.cause == CopyCause::Hidden)
            continue;
        ++sums.exposedCopies;
        CopySums::Reason& reason = byCause[static_cast<std::size_t>(copy.cause)];
        ++reason.copies;
        reason.exposedNs += copy.exposedNs();
    }
    for (std::size_t i = 0; i < byCause.size(); ++i)
        if (byCause[i].copies > 0) {
            byCause[i].cause = static_cast<CopyCause>(i);
            sums.reasons.push_back(byCause[i]);
        }
    std::stable_sort(sums.reasons.begin(), sums.reasons.end(),
                     [](const auto& a, const auto& b) { return a.exposedNs > b.exposedNs; });
    return sums;
}

bool kernelsKnown(KernelRecord record, const Summary& summary)
{
    if (record != KernelRecord::Sampled)
        return record == KernelRecord::All;
    return summary.range.lengthNs() <= kKernelWindowNs &&
           std::any_of(summary.devices.begin(), summary.devices.end(),
                       [](const DeviceSummary& device) { return device.kernels > 0; });
}

}  // namespace

std::vector<DeviceInsight> deviceInsights(const Analysis& analysis, Interval range)
{
    std::vector<DeviceInsight> insights;
    const Summary summary = analysis.summarise(range);
    for (const DeviceActivity& activity : analysis.devices()) {
        const auto figures = std::find_if(summary.devices.begin(), summary.devices.end(),
                                          [&](const DeviceSummary& device) { return device.id == activity.id; });
        if (figures == summary.devices.end())
            continue;
        DeviceInsight insight;
        insight.device = activity.id;
        insight.range = summary.range;
        insight.toDevice = copySums(analysis, activity.h2dCopies, range);
        insight.toHost = copySums(analysis, activity.d2hCopies, range);
        insight.kernelBusyNs = figures->kernelBusyNs;
        insight.lostNs = figures->lostNs;
        insights.push_back(std::move(insight));
    }
    return insights;
}

RangeInsight rangeInsight(const AnalysedTrace& shown, const FindingFacts& facts, std::optional<Interval> selected)
{
    const Analysis& analysis = *shown.analysis;
    RangeInsight insight;
    insight.trace = shown.trace;
    insight.selected = selected.has_value();
    std::optional<SettledWork> settled;
    if (shown.live && !selected)
        settled = settledWork(analysis, shown.steps);
    const std::vector<Step>& steps = settled ? settled->steps : shown.steps;
    if (selected)
        insight.range = *selected;
    else
        insight.range = settled ? settled->range : judgedRange(analysis, steps).range;
    insight.hasKernels = kernelsKnown(facts.kernelRecord(), analysis.summarise(insight.range));
    if (settled && insight.range.empty())
        return insight;
    insight.findings = findings(facts, *shown.trace, analysis, steps, insight.range);
    insight.devices = deviceInsights(analysis, insight.range);
    return insight;
}

}  // namespace overlane
