#include "core/analysis/device_losses.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/analysis/cause_table.h"

namespace overlane
{

DeviceLosses lossesOf(const DeviceSummary& device, const DeviceSummary* early)
{
    DeviceLosses made;
    made.device = device.id;
    LostSums lostNs = spokenSums(device.lostNs);
    const LostSums earlyNs = early ? spokenSums(early->lostNs) : LostSums{};
    made.endsNs = std::exchange(lostNs[static_cast<std::size_t>(LostCause::Ends)], 0);
    for (const LostCauseRow& row : lostCauses()) {
        const auto cause = static_cast<std::size_t>(row.cause);
        if (lostNs[cause] <= 0)
            continue;
        if (early && row.mayBeWarmUp &&
            static_cast<double>(earlyNs[cause]) >= kEarlyShare * static_cast<double>(lostNs[cause]))
            made.warmUpNs += lostNs[cause];
        else
            made.losses.push_back({row.cause, lostNs[cause], {}});
    }
    std::stable_sort(made.losses.begin(), made.losses.end(),
                     [](const Verdict::Loss& a, const Verdict::Loss& b) { return a.lostNs > b.lostNs; });
    return made;
}

std::vector<DeviceLosses> lossesOfDevices(const Analysis& analysis, const std::vector<Step>& steps, Interval range)
{
    const Summary summary = analysis.summarize(range);
    std::optional<Summary> early;
    if (wholeSteps(steps, range) >= kManySteps)
        early = analysis.summarize(firstQuarter(range));
    std::vector<DeviceLosses> made;
    for (std::size_t place = 0; place < summary.devices.size(); ++place)
        made.push_back(lossesOf(summary.devices[place], early ? &early->devices[place] : nullptr));
    return made;
}

}  // namespace overlane
