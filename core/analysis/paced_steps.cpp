#include "core/analysis/paced_steps.h"

#include <cstdint>
#include <cstdlib>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

constexpr std::size_t kFewest = 20;
// Most steps differ by no more than this part of their time, ...
constexpr double kSameTime = 0.004;
// ... leave the device idle for this part of it, ...
constexpr double kIdleShare = 0.1;
// ... and their work differs by far more than they do: else it is the work that is so even.
constexpr double kWorkVariesMore = 3;

// Median distance from the median.
std::int64_t deviationNs(const std::vector<std::int64_t>& timesNs)
{
    const std::int64_t medianNs = median(timesNs);
    std::vector<std::int64_t> distances;
    distances.reserve(timesNs.size());
    for (const std::int64_t timeNs : timesNs)
        distances.push_back(std::abs(timeNs - medianNs));
    return median(std::move(distances));
}

}  // namespace

bool arePaced(const std::vector<Step>& steps, const DeviceActivity& device, Interval range)
{
    std::vector<std::int64_t> timesNs;
    std::vector<std::int64_t> worksNs;
    for (const Step& step : stepsWithin(steps, range)) {
        if (step.warmUp)
            continue;
        timesNs.push_back(step.timeNs);
        worksNs.push_back(device.busy.measureNs({step.interval.startNs, step.interval.startNs + step.timeNs}));
    }
    if (timesNs.size() < kFewest)
        return false;
    const auto workNs = static_cast<double>(median(worksNs));
    if (workNs > (1 - kIdleShare) * static_cast<double>(median(timesNs)))
        return false;
    const std::int64_t stepsNs = deviationNs(timesNs);
    return static_cast<double>(stepsNs) <= kSameTime * static_cast<double>(median(timesNs)) &&
           static_cast<double>(deviationNs(worksNs)) > kWorkVariesMore * static_cast<double>(stepsNs);
}

}  // namespace overlane
