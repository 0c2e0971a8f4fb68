#include "core/system/memory_status.h"

#include <algorithm>

#include "core/base/text_file.h"
#include "core/system/proc_text.h"

namespace overlane
{
namespace
{

std::int64_t kilobytes(std::string_view text, std::string_view key)
{
    return numberAfter(text, key).value_or(0) * kBytesPerKb;
}

}  // namespace

MachineMemory parseMachineMemory(std::string_view meminfo)
{
    MachineMemory memory;
    memory.totalBytes = kilobytes(meminfo, "MemTotal:");
    memory.availableBytes = kilobytes(meminfo, "MemAvailable:");
    memory.cachedBytes = kilobytes(meminfo, "Cached:");
    memory.swapTotalBytes = kilobytes(meminfo, "SwapTotal:");
    memory.swapUsedBytes = memory.swapTotalBytes - kilobytes(meminfo, "SwapFree:");
    return memory;
}

MachineMemory machineMemory()
{
    return parseMachineMemory(textOfFile("/proc/meminfo"));
}

PagingCounts parsePagingCounts(std::string_view vmstat)
{
    return {numberAfter(vmstat, "pswpin").value_or(0), numberAfter(vmstat, "pswpout").value_or(0),
            numberAfter(vmstat, "pgmajfault").value_or(0)};
}

MemoryPressure parseMemoryPressure(std::string_view pressure)
{
    const std::size_t full = std::min(pressure.find("full"), pressure.size());
    const std::string_view someLine = pressure.substr(0, full);
    const std::string_view fullLine = pressure.substr(full);
    MemoryPressure result;
    result.somePercent = realAfter(someLine, "avg10=").value_or(0);
    result.fullPercent = realAfter(fullLine, "avg10=").value_or(0);
    result.someTotalUs = static_cast<std::int64_t>(realAfter(someLine, "total=").value_or(0));
    return result;
}

ProcessMemory parseProcessMemory(std::string_view status)
{
    return {kilobytes(status, "VmRSS:"), kilobytes(status, "RssFile:") + kilobytes(status, "RssShmem:"),
            kilobytes(status, "VmSwap:")};
}

}  // namespace overlane
