// What `overlane machine --set ...` prints of a loader: the memory it page-locks and needs besides, and
// how that fits machines of 16, 32 and 64 GB and this one.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/cli/device_figures.h"
#include "core/loader/pinned_calculator.h"
#include "core/system/machine_memory.h"

namespace overlane
{

struct LoaderMemoryReport {
    Scenario scenario;
    std::int64_t workerProcessBytes = 0;
    std::vector<MachineSize> machines;
};

// `machines`: the usual ones, as the profile's is used, and this one, as it is now.
LoaderMemoryReport loaderMemoryReport(const Scenario& scenario, const DeviceProfile& device, const MemoryParts& here);

std::string loaderMemoryText(const LoaderMemoryReport& report);
OrderedJson loaderMemoryJson(const LoaderMemoryReport& report);

}  // namespace overlane
