#include "core/analysis/summary.h"

#include <algorithm>
#include <utility>

namespace overlane
{

const DeviceSummary* Summary::worst() const
{
    const auto found =
        std::max_element(devices.begin(), devices.end(), [](const DeviceSummary& a, const DeviceSummary& b) {
            const auto exposedNs = [](const DeviceSummary& device) {
                return device.exposedCopyNs + device.exposedCommunicationNs;
            };
            return std::pair(exposedNs(a), a.kernelBusyNs) < std::pair(exposedNs(b), b.kernelBusyNs);
        });
    return found == devices.end() ? nullptr : &*found;
}

}  // namespace overlane
