#include "core/judgement/device_judgement.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/analysis/verdict.h"
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

LostCause DeviceJudgement::mainCause() const
{
    std::array<std::int64_t, kLostCauseCount> spokenNs{};
    for (std::size_t cause = 0; cause < lostNs.size(); ++cause)
        spokenNs[static_cast<std::size_t>(spokenOf(static_cast<LostCause>(cause)))] += lostNs[cause];
    std::int64_t& endsNs = spokenNs[static_cast<std::size_t>(LostCause::Ends)];
    if (endsNs < std::accumulate(spokenNs.begin(), spokenNs.end(), std::int64_t{0}))
        endsNs = 0;
    return static_cast<LostCause>(std::distance(spokenNs.begin(), std::ranges::max_element(spokenNs)));
}

std::vector<DeviceJudgement> judgeDevices(const Analysis& analysis, const Summary& summary)
{
    std::vector<DeviceJudgement> judged;
    for (const DeviceActivity& activity : analysis.devices()) {
        const auto figures = std::find_if(summary.devices.begin(), summary.devices.end(),
                                          [&](const DeviceSummary& device) { return device.id == activity.id; });
        if (figures == summary.devices.end())
            continue;
        DeviceJudgement device;
        device.device = activity.id;
        device.name = activity.name;
        device.range = summary.range;
        device.toDevice = sumsOf(analysis, activity.h2dCopies, summary.range);
        device.toHost = sumsOf(analysis, activity.d2hCopies, summary.range);
        device.kernelBusyNs = figures->kernelBusyNs;
        device.lostNs = figures->lostNs;
        judged.push_back(std::move(device));
    }
    return judged;
}

}  // namespace overlane
