// What the advisor tries: every combination of the settings a DataLoader's user can change, and the run
// that tells how fast each is.
//
// Pure functions, any thread.
#pragma once

#include <vector>

#include "core/devices/device_profile.h"
#include "core/loader/scenario.h"
#include "core/sweep/advisor.h"

namespace overlane
{

Scenario withLimits(const Scenario& scenario, const AdvisorLimits& limits);

// Pageable or pinned by the pin thread, blocking or not, in the compute's stream or a stream of its own with one
// to four batches on the device, 1 worker up to the cores and the present number, 1 to 8 batches per worker; what makes
// no difference (prefetching without workers, depth without a side stream) once. Those that fit on the device.
std::vector<Scenario> candidates(const Scenario& base, const DeviceProfile& device);

// The same with as many batches as it takes to see the pace of a run without end.
Scenario longRun(const Scenario& scenario);

}  // namespace overlane
