#include "core/devices/calibration_limits.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLargestBlock = std::int64_t{4} << 30;
constexpr std::int64_t kLargestQuickBlock = std::int64_t{64} << 20;
constexpr std::int64_t kWalk = std::int64_t{1} << 30;
constexpr std::int64_t kHostPart = 8;
constexpr std::int64_t kDevicePart = 4;

// The sizes that are measured step by four from 4 KiB.
std::int64_t measuredSizeBelow(std::int64_t bytes)
{
    std::int64_t size = 4096;
    while (size * 4 <= bytes)
        size *= 4;
    return size;
}

}  // namespace

Result<CalibrationLimits> calibrationLimits(std::int64_t availableBytes, std::int64_t freeOnDeviceBytes, bool quick)
{
    if (availableBytes < kLeastAvailableBytes)
        return Error{
            fmt::format("A calibration needs {} of available memory, of which it takes a quarter at most; this "
                        "machine has {} left. Close other programs and try again.",
                        formatBytes(kLeastAvailableBytes), formatBytes(availableBytes))};
    if (freeOnDeviceBytes < kLeastFreeOnDeviceBytes)
        return Error{
            fmt::format("A calibration needs {} of free memory on the GPU; it has {} left. End the programs "
                        "that use it and try again.",
                        formatBytes(kLeastFreeOnDeviceBytes), formatBytes(freeOnDeviceBytes))};
    CalibrationLimits limits;
    limits.largestBlockBytes = measuredSizeBelow(std::min(
        {quick ? kLargestQuickBlock : kLargestBlock, availableBytes / kHostPart, freeOnDeviceBytes / kDevicePart}));
    limits.walkBytes =
        measuredSizeBelow(std::min({kWalk, availableBytes / kHostPart, freeOnDeviceBytes / kDevicePart}));
    return limits;
}

}  // namespace overlane
