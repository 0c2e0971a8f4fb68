#include "core/sweep/sweep.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/statistics.h"
#include "core/loader/setting_value.h"

namespace overlane
{
namespace
{

// Spread of a seed that is not swept: repeats take the seeds that follow.
constexpr std::string_view kSeed = "seed";

}  // namespace

std::string_view sweepEngineName(SweepEngine engine)
{
    return engine == SweepEngine::Gpu ? "gpu" : "simulated";
}

std::size_t SweepPlan::points() const
{
    std::size_t points = axes.empty() ? 0 : 1;
    for (const SweepAxis& axis : axes)
        points *= axis.values.size();
    return points;
}

std::vector<std::size_t> SweepPlan::places(std::size_t point) const
{
    std::vector<std::size_t> places(axes.size());
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        places[axis] = point % axes[axis].values.size();
        point /= axes[axis].values.size();
    }
    return places;
}

double SweepPlan::value(std::size_t point, std::size_t axis) const
{
    return axes[axis].values[places(point)[axis]];
}

Result<void> checkSweep(const SweepPlan& plan)
{
    if (plan.axes.empty() || plan.axes.size() > 2)
        return Error{"A sweep takes one or two settings through their values."};
    if (plan.axes.size() == 2 && plan.axes[0].key == plan.axes[1].key)
        return Error{fmt::format("Both axes are '{}': choose two different settings.", plan.axes[0].key)};
    if (plan.repeats < 1 || plan.repeats > kMostRepeats)
        return Error{fmt::format("A sweep repeats each point 1 to {} times, not {}.", kMostRepeats, plan.repeats)};
    for (const SweepAxis& axis : plan.axes)
        if (axis.key == kSeed && plan.repeats > 1)
            return Error{"Repeats differ in their seed, so it cannot be swept as well: repeat once."};
    if (plan.runs() > kMostSweepRuns)
        return Error{fmt::format("That makes {} runs; at most {} are possible.", plan.runs(), kMostSweepRuns)};
    return checkScenario(plan.base);
}

std::string sweepTitle(const SweepPlan& plan)
{
    if (!plan.title.empty())
        return plan.title;
    std::string title;
    for (const SweepAxis& axis : plan.axes)
        title += (title.empty() ? "" : " × ") + std::string(axis.setting().label);
    return title;
}

Scenario scenarioOf(const SweepPlan& plan, std::size_t point, int repeat)
{
    Scenario scenario = plan.base;
    const std::vector<std::size_t> places = plan.places(point);
    std::string name;
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
        const Setting& setting = plan.axes[axis].setting();
        const double value = plan.axes[axis].values[places[axis]];
        setting.set(scenario, value);
        name += fmt::format("{}{} {}", name.empty() ? "" : ", ", setting.label, settingValueText(setting, value));
    }
    scenario.seed += static_cast<std::uint64_t>(repeat);
    scenario.name = name;
    return scenario;
}

std::optional<SweepSpread> SweepResult::spread(std::size_t point, const RunMetric& metric) const
{
    std::vector<double> values;
    for (const SweepRun& run : runs)
        if (run.point == point)
            if (const double value = figureOf(run.figures, metric); !std::isnan(value))
                values.push_back(value);
    if (values.empty())
        return std::nullopt;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return SweepSpread{median(values), *least, *most, static_cast<int>(values.size())};
}

std::optional<double> SweepResult::ideal(std::size_t point, const RunMetric& metric) const
{
    const auto bound = metric.bound.empty() ? std::nullopt : spread(point, runMetric(metric.bound));
    return bound ? std::optional(bound->median) : std::nullopt;
}

std::string SweepResult::error(std::size_t point) const
{
    for (const SweepRun& run : runs)
        if (run.point == point && !run.error.empty())
            return run.error;
    return {};
}

std::optional<std::size_t> SweepResult::smallest(const RunMetric& metric) const
{
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        const auto here = spread(point, metric);
        if (here && (!best || here->median < least)) {
            best = point;
            least = here->median;
        }
    }
    return best;
}

}  // namespace overlane
