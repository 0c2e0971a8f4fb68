#include "core/engine/device_profile.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "core/engine/embedded_device_profiles.h"

namespace overlane
{
namespace
{

using Json = nlohmann::json;

struct Figure {
    const char* key;
    std::variant<std::int64_t DeviceProfile::*, double DeviceProfile::*> member;
    bool mayBeZero = false;
    double largest = 1e18;
};

const std::vector<Figure>& figures()
{
    using P = DeviceProfile;
    static const std::vector<Figure> list = {
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

struct NamedTable {
    const char* key;
    CostTable DeviceProfile::*member;
};

constexpr NamedTable kTables[] = {
    {"malloc_us", &DeviceProfile::mallocCost},
    {"first_touch_us", &DeviceProfile::firstTouchCost},
    {"host_alloc_us", &DeviceProfile::hostAllocCost},
    {"host_free_us", &DeviceProfile::hostFreeCost},
    {"host_register_us", &DeviceProfile::hostRegisterCost},
    {"host_unregister_us", &DeviceProfile::hostUnregisterCost},
};

// Beyond these a run would need more nanoseconds than an int64 holds.
constexpr double kLongestNs = 1e12;
constexpr double kSlowestBytesPerSecond = 1e6;
constexpr double kSmallestRatio = 1e-3;

// The member `field` of an object that also has a "source"; throws what Json throws.
const Json& sourced(const Json& section, const char* key, const char* field, DeviceProfile& profile)
{
    const Json& entry = section.at(key);
    profile.sources[key] = entry.at("source").get<std::string>();
    if (profile.sources[key].empty())
        throw std::runtime_error(fmt::format("'{}' has an empty source", key));
    return entry.at(field);
}

void readFigure(const Json& section, const Figure& figure, DeviceProfile& profile)
{
    const double value = sourced(section, figure.key, "value", profile).get<double>();
    const std::string_view key = figure.key;
    const auto* real = std::get_if<double DeviceProfile::*>(&figure.member);
    const double smallest = key.ends_with("_per_second") ? kSlowestBytesPerSecond
                            : real != nullptr            ? kSmallestRatio
                                                         : 1;
    const double largest = key.ends_with("_ns") ? kLongestNs : figure.largest;
    if (!(value >= smallest && value <= largest) && !(value == 0 && figure.mayBeZero))
        throw std::runtime_error(fmt::format("'{}' is {}, outside its range", figure.key, value));
    if (real != nullptr)
        profile.*(*real) = value;
    else
        profile.*std::get<std::int64_t DeviceProfile::*>(figure.member) = std::llround(value);
}

void readTable(const Json& section, const NamedTable& table, DeviceProfile& profile)
{
    std::vector<std::pair<std::int64_t, double>> rows;
    for (const Json& row : sourced(section, table.key, "rows", profile)) {
        const std::int64_t bytes = row.at(0).get<std::int64_t>();
        const double costUs = row.at(1).get<double>();
        if (bytes <= (rows.empty() ? 0 : rows.back().first) || !(costUs > 0 && costUs < kLongestNs / 1000))
            throw std::runtime_error(fmt::format("'{}' needs ascending sizes and costs above 0", table.key));
        rows.emplace_back(bytes, costUs * 1000);
    }
    if (rows.empty())
        throw std::runtime_error(fmt::format("'{}' has no rows", table.key));
    profile.*table.member = CostTable(std::move(rows));
}

std::vector<DeviceProfile> readEmbedded()
{
    std::vector<DeviceProfile> profiles;
    for (const std::string_view text : embeddedDeviceProfiles()) {
        auto profile = parseDeviceProfile(text);
        assert(profile.ok());
        profiles.push_back(std::move(profile).value());
    }
    std::stable_sort(profiles.begin(), profiles.end(), [](const DeviceProfile& left, const DeviceProfile& right) {
        return std::pair(left.key != "h200", left.key) < std::pair(right.key != "h200", right.key);
    });
    return profiles;
}

}  // namespace

std::span<const DeviceProfile> allDeviceProfiles()
{
    static const std::vector<DeviceProfile> profiles = readEmbedded();
    return profiles;
}

const DeviceProfile* findDeviceProfile(std::string_view key)
{
    for (const DeviceProfile& profile : allDeviceProfiles())
        if (profile.key == key)
            return &profile;
    return nullptr;
}

Result<DeviceProfile> parseDeviceProfile(std::string_view json)
{
    DeviceProfile profile;
    try {
        const Json root = Json::parse(json);
        profile.key = root.at("key").get<std::string>();
        profile.name = root.at("name").get<std::string>();
        profile.about = root.value("about", "");
        for (const Figure& figure : figures())
            readFigure(root.at("figures"), figure, profile);
        for (const NamedTable& table : kTables)
            readTable(root.at("tables"), table, profile);
    } catch (const std::exception& error) {
        return Error{fmt::format("The device profile cannot be read: {}.", error.what())};
    }
    return profile;
}

}  // namespace overlane
