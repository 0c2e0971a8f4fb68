#include "core/cli/sweep_answer.h"

#include "core/cli/nearest_name.h"

namespace overlane
{

Result<const ReadySweep*> chooseReadySweep(const std::string& wanted)
{
    if (const ReadySweep* sweep = findReadySweep(wanted))
        return sweep;
    std::vector<std::string_view> keys;
    for (const ReadySweep& sweep : allSweeps())
        keys.push_back(sweep.key);
    return Error{unknownName("ready-made sweep", wanted, keys)};
}

Result<ChosenSweep> chooseSweep(const ScenarioOptions& options, const std::vector<std::string>& over,
                                const ReadySweep* ready, int repeats)
{
    ASSIGN_OR_RETURN(const ChosenScenario base, chooseScenario(options));
    ChosenSweep chosen;
    chosen.device = base.device;
    if (ready != nullptr) {
        chosen.plan = ready->plan(base.scenario, *base.device);
        chosen.plan.title = ready->title;
    } else {
        chosen.plan.base = base.scenario;
    }
    chosen.plan.deviceKey = options.device.empty() ? base.device->key : options.device;
    chosen.plan.engine = options.onGpu() ? SweepEngine::Gpu : SweepEngine::Simulated;
    chosen.plan.gpu = options.gpu();
    chosen.plan.repeats = repeats;
    for (const std::string& text : over) {
        ASSIGN_OR_RETURN(auto axis, parseSweepAxis(text));
        chosen.plan.axes.push_back(std::move(axis));
    }
    return chosen;
}

}  // namespace overlane
