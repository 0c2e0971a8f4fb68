// Which sweep the words of a command line or a caller mean.
//
// Reads profiles where a file is named; any thread. Mistakes are sentences that name the nearest of what there is.
#pragma once

#include <string>
#include <vector>

#include "core/cli/scenario_options.h"
#include "core/sweep/sweep_ready.h"

namespace overlane
{

struct ChosenSweep {
    SweepPlan plan;
    const DeviceProfile* device = nullptr;
};

Result<const ReadySweep*> chooseReadySweep(const std::string& wanted);
// `over` is a list of "KEY=RANGE"; `ready` brings ranges of its own, nullptr: none. Not yet checked (checkSweep()).
Result<ChosenSweep> chooseSweep(const ScenarioOptions& options, const std::vector<std::string>& over,
                                const ReadySweep* ready, int repeats);

}  // namespace overlane
