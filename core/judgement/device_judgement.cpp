#include "core/judgement/device_judgement.h"

#include <algorithm>

#include "core/base/saturated.h"

namespace overlane
{
namespace
{

CopySums sumsOf(const Analysis& analysis, const std::vector<CopyRecord>& copies, Interval range)
{
    CopySums sums;
    sums.groups = groupCopies(analysis, copies, range);
    sums.reasons = exposedGroups(sums.groups);
    for (const CopyGroup& group : sums.groups) {
        sums.copies += group.copies;
        sums.exposedNs = saturatedSum(sums.exposedNs, group.exposedNs);
    }
    for (const CopyGroup& reason : sums.reasons)
        sums.exposedCopies += reason.copies;
    return sums;
}

}  // namespace

std::vector<DeviceJudgement> judgeDevices(const Analysis& analysis, const Summary& summary)
{
    std::vector<DeviceJudgement> judged;
    for (const DeviceActivity& activity : analysis.devices()) {
        const auto figures = std::find_if(summary.devices.begin(), summary.devices.end(),
                                          [&](const DeviceSummary& device) { return device.id == activity.id; });
        if (figures == summary.devices.end())
            continue;
        judged.push_back({*figures, sumsOf(analysis, activity.h2dCopies, summary.range),
                          sumsOf(analysis, activity.d2hCopies, summary.range)});
    }
    return judged;
}

}  // namespace overlane
