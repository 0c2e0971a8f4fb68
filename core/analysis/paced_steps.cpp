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
    std::vector<Interval> each;
    std::vector<std::int64_t> timesNs;
    for (const Step& step : steps)
        if (!step.warmUp && step.interval.startNs >= range.startNs && step.interval.endNs <= range.endNs) {
            each.push_back({step.interval.startNs, step.interval.startNs + step.timeNs});
            timesNs.push_back(step.timeNs);
        }
    if (timesNs.size() < kFewest)
        return false;
    const std::int64_t stepNs = median(timesNs);
    const std::int64_t stepsNs = deviationNs(timesNs);
    if (static_cast<double>(stepsNs) > kSameTime * static_cast<double>(stepNs))
        return false;
    // Such steps follow each other, so each piece of work is looked at once or twice.
    const std::vector<Interval>& busy = device.busy.intervals();
    std::vector<std::int64_t> worksNs;
    worksNs.reserve(each.size());
    auto at = busy.begin();
    for (const Interval step : each) {
        while (at != busy.end() && at->endNs <= step.startNs)
            ++at;
        std::int64_t workNs = 0;
        for (auto piece = at; piece != busy.end() && piece->startNs < step.endNs; at = piece++)
            workNs += piece->intersected(step).lengthNs();
        worksNs.push_back(workNs);
    }
    return static_cast<double>(median(worksNs)) <= (1 - kIdleShare) * static_cast<double>(stepNs) &&
           static_cast<double>(deviationNs(worksNs)) > kWorkVariesMore * static_cast<double>(stepsNs);
}

}  // namespace overlane
