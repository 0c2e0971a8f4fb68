#include "core/devices/profile_figures.h"

#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace overlane
{

std::span<const ProfileFigure> profileFigures()
{
    using P = DeviceProfile;
    static const std::vector<ProfileFigure> list = {
        {"device_memory_bytes", &P::deviceMemoryBytes},
        {"h2d_bytes_per_second", &P::h2dBytesPerSecond},
        {"d2h_bytes_per_second", &P::d2hBytesPerSecond},
        {"bidirectional_bytes_per_second", &P::bidirectionalBytesPerSecond},
        {"copy_latency_ns", &P::copyLatencyNs, true},
        {"submit_latency_ns", &P::submitLatencyNs, true},
        {"dependency_latency_ns", &P::dependencyLatencyNs, true},
        {"device_memory_bytes_per_second", &P::deviceMemoryBytesPerSecond},
        {"peak_flops_per_second", &P::peakFlopsPerSecond},
        {"sustained_flops_share", &P::sustainedFlopsShare, false, 1},
        {"copy_kernel_slowdown", &P::copyKernelSlowdown},
        {"concurrent_kernels", &P::concurrentKernels},
        {"copy_call_ns", &P::copyCallNs, true},
        {"launch_call_ns", &P::launchCallNs, true},
        {"event_call_ns", &P::eventCallNs, true},
        {"sync_call_ns", &P::syncCallNs, true},
        {"sync_return_ns", &P::syncReturnNs, true},
        {"run_ahead_launches", &P::runAheadLaunches},
        {"staging_chunk_bytes", &P::stagingChunkBytes},
        {"staging_warm_bytes_per_second", &P::stagingWarmBytesPerSecond},
        {"staging_cold_bytes_per_second", &P::stagingColdBytesPerSecond},
        {"staging_d2h_bytes_per_second", &P::stagingD2hBytesPerSecond},
        {"inline_copy_bytes", &P::inlineCopyBytes, true},
        {"last_level_cache_bytes", &P::lastLevelCacheBytes},
        {"host_memcpy_bytes_per_second", &P::hostMemcpyBytesPerSecond},
        {"host_memcpy_warm_bytes_per_second", &P::hostMemcpyWarmBytesPerSecond},
        {"host_write_bytes_per_second", &P::hostWriteBytesPerSecond},
        {"fresh_pages_bytes_per_second", &P::freshPagesBytesPerSecond},
        {"malloc_keeps_bytes", &P::mallocKeepsBytes, true},
        {"host_alloc_chunk_bytes", &P::hostAllocChunkBytes, true},
        {"staging_call_ns", &P::stagingCallNs, true},
        {"hand_over_ns", &P::handOverNs, true},
        {"thread_spread", &P::threadSpread, true, 1},
        {"host_cores", &P::hostCores},
        {"numa_nodes", &P::numaNodes},
        {"host_memory_bytes_per_second", &P::hostMemoryBytesPerSecond},
        {"remote_memory_ratio", &P::remoteMemoryRatio, false, 1},
        {"remote_dma_ratio", &P::remoteDmaRatio, false, 1},
        {"worker_process_bytes", &P::workerProcessBytes, true},
        {"ram_bytes", &P::ramBytes},
        {"used_ram_bytes", &P::usedRamBytes, true},
        {"dataset_bytes", &P::datasetBytes, true},
        {"swap_bytes", &P::swapBytes, true},
        {"storage_bytes_per_second", &P::storageBytesPerSecond},
        {"swap_bytes_per_second", &P::swapBytesPerSecond},
    };
    return list;
}

std::span<const ProfileTable> profileTables()
{
    static constexpr ProfileTable kTables[] = {
        {"malloc_us", &DeviceProfile::mallocCost, "malloc"},
        {"first_touch_us", &DeviceProfile::firstTouchCost, "first_touch"},
        {"give_back_us", &DeviceProfile::pageableFreeCost, "give_back"},
        {"shared_touch_us", &DeviceProfile::sharedTouchCost, "shared_touch"},
        {"shared_give_back_us", &DeviceProfile::sharedFreeCost, "shared_give_back"},
        {"host_alloc_us", &DeviceProfile::hostAllocCost, "host_alloc"},
        {"host_free_us", &DeviceProfile::hostFreeCost, "host_free"},
        {"host_register_us", &DeviceProfile::hostRegisterCost, "host_register"},
        {"host_unregister_us", &DeviceProfile::hostUnregisterCost, "host_unregister"},
    };
    return kTables;
}

double ProfileFigure::valueIn(const DeviceProfile& profile) const
{
    return std::visit([&](auto field) { return static_cast<double>(profile.*field); }, member);
}

void ProfileFigure::assign(DeviceProfile& profile, double value) const
{
    if (const auto* real = std::get_if<double DeviceProfile::*>(&member))
        profile.*(*real) = value;
    else
        profile.*std::get<std::int64_t DeviceProfile::*>(member) = std::llround(value);
}

const ProfileFigure* findProfileFigure(std::string_view key)
{
    for (const ProfileFigure& figure : profileFigures())
        if (figure.key == key)
            return &figure;
    return nullptr;
}

std::string rowKey(std::string_view table, std::int64_t bytes)
{
    return fmt::format("{}@{}", table, bytes);
}

}  // namespace overlane
