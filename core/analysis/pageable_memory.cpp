#include "core/analysis/pageable_memory.h"

#include <algorithm>
#include <array>

#include "core/analysis/gpu_link.h"

namespace overlane
{

bool readsPageableMemory(std::string_view gpuName)
{
    constexpr std::array<std::string_view, 5> kCoherent{"GH200", "GB200", "GB300", "GB10", "Grace"};
    return std::any_of(kCoherent.begin(), kCoherent.end(),
                       [&](std::string_view model) { return isModel(gpuName, model); });
}

bool readsPageableMemory(const Trace& trace)
{
    return std::any_of(trace.devices().begin(), trace.devices().end(),
                       [](const DeviceInfo& device) { return readsPageableMemory(device.name); });
}

bool readsPageableMemory(const Trace& trace, EventIndex gpuWork)
{
    const std::int32_t id = trace.track(trace.trackOf(gpuWork)).device;
    return std::any_of(trace.devices().begin(), trace.devices().end(),
                       [id](const DeviceInfo& device) { return device.id == id && readsPageableMemory(device.name); });
}

Interval stagedPart(const Trace& trace, EventIndex copy)
{
    const CopyInfo* info = trace.copy(copy);
    const EventIndex call = trace.link(copy);
    if (trace.kind(copy) != EventKind::CopyH2D || info == nullptr || info->source != MemoryKind::Pageable ||
        !call.valid() || readsPageableMemory(trace, copy))
        return {};
    return trace.interval(copy).intersected(trace.interval(call));
}

}  // namespace overlane
