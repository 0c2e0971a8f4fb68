#include "core/trace/counter_names.h"

#include <fmt/format.h>

namespace overlane
{

std::string clearCounterName(std::string_view recorded)
{
    constexpr std::string_view kOfProcess = "Device memory of process ";
    if (recorded == "Device memory used")
        return std::string(kWholeDeviceMemoryCounter);
    if (recorded == "Device memory")
        return std::string(kDeviceMemoryCounter);
    if (recorded.starts_with(kOfProcess))
        return fmt::format("{} by process {}", kDeviceMemoryCounter, recorded.substr(kOfProcess.size()));
    return std::string(recorded);
}

}  // namespace overlane
