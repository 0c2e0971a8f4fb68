#include "core/sweep/advisor_error.h"

namespace overlane
{

BatchMemory batchMemory(const Scenario& scenario)
{
    if (scenario.pin == PinStrategy::None)
        return BatchMemory::Pageable;
    // Without workers there is no pin thread: the training thread pins.
    return scenario.pin == PinStrategy::Thread && scenario.workers > 0 ? BatchMemory::PinThread : BatchMemory::Pinned;
}

const SimulationError& simulationError(const Scenario& scenario)
{
    return kSimulationErrors[static_cast<std::size_t>(batchMemory(scenario))];
}

}  // namespace overlane
