#include "core/system/nvml_gauges.h"

#include <array>
#include <functional>
#include <optional>

#include "core/system/shared_library.h"

namespace overlane
{
namespace
{

// The binary interface of nvml.h that is used here; NVIDIA keeps it stable across drivers.
using Device = void*;
struct MemoryInfo {
    unsigned long long total, free, used;
};
struct Utilization {
    unsigned gpu, memory;
};
constexpr int kSuccess = 0;
constexpr int kPcieToHost = 0;    // NVML_PCIE_UTIL_TX_BYTES: sent by the GPU
constexpr int kPcieFromHost = 1;  // NVML_PCIE_UTIL_RX_BYTES
constexpr double kBytesPerKilobyte = 1000;

}  // namespace

struct NvmlGauges::Impl {
    std::optional<SharedLibrary> library;
    int (*shutdown)() = nullptr;
    std::vector<GaugeInfo> gauges;
    std::vector<std::function<std::optional<double>()>> readers;
    std::vector<double> values;

    // Keeps the gauge if the GPU answers.
    void add(GaugeInfo info, std::function<std::optional<double>()> reader)
    {
        const std::optional<double> value = reader();
        if (!value)
            return;
        gauges.push_back(std::move(info));
        readers.push_back(std::move(reader));
        values.push_back(*value);
    }
    void addDevice(unsigned index);
    void addPcie(Device device, const std::string& uuid, int direction, const char* name);
};

void NvmlGauges::Impl::addPcie(Device device, const std::string& uuid, int direction, const char* name)
{
    const auto throughput = library->function<int(Device, int, unsigned*)>("nvmlDeviceGetPcieThroughput");
    add({name, GaugeUnit::BytesPerSecond, uuid}, [=]() -> std::optional<double> {
        unsigned kilobytes = 0;
        if (!throughput || throughput(device, direction, &kilobytes) != kSuccess)
            return std::nullopt;
        return kilobytes * kBytesPerKilobyte;
    });
}

void NvmlGauges::Impl::addDevice(unsigned index)
{
    const auto handle = library->function<int(unsigned, Device*)>("nvmlDeviceGetHandleByIndex_v2");
    const auto uuidOf = library->function<int(Device, char*, unsigned)>("nvmlDeviceGetUUID");
    const auto memory = library->function<int(Device, MemoryInfo*)>("nvmlDeviceGetMemoryInfo");
    const auto utilization = library->function<int(Device, Utilization*)>("nvmlDeviceGetUtilizationRates");
    Device device = nullptr;
    std::array<char, 96> uuid{};
    if (!handle || handle(index, &device) != kSuccess)
        return;
    if (!uuidOf || uuidOf(device, uuid.data(), static_cast<unsigned>(uuid.size())) != kSuccess)
        return;
    add({std::string(kDeviceMemoryGauge), GaugeUnit::Bytes, uuid.data()}, [=]() -> std::optional<double> {
        MemoryInfo info{};
        if (!memory || memory(device, &info) != kSuccess)
            return std::nullopt;
        return static_cast<double>(info.used);
    });
    add({"GPU utilisation", GaugeUnit::Percent, uuid.data()}, [=]() -> std::optional<double> {
        Utilization rates{};
        if (!utilization || utilization(device, &rates) != kSuccess)
            return std::nullopt;
        return rates.gpu;
    });
    addPcie(device, uuid.data(), kPcieFromHost, "Link traffic from the host");
    addPcie(device, uuid.data(), kPcieToHost, "Link traffic to the host");
}

NvmlGauges::NvmlGauges() : m_impl(std::make_unique<Impl>())
{
    auto library = SharedLibrary::open("libnvidia-ml.so.1");
    if (!library.ok())
        return;
    m_impl->library.emplace(std::move(library).value());
    const auto init = m_impl->library->function<int()>("nvmlInit_v2");
    const auto count = m_impl->library->function<int(unsigned*)>("nvmlDeviceGetCount_v2");
    unsigned devices = 0;
    if (!init || !count || init() != kSuccess)
        return;
    m_impl->shutdown = m_impl->library->function<int()>("nvmlShutdown");
    if (count(&devices) == kSuccess)
        for (unsigned index = 0; index < devices; ++index)
            m_impl->addDevice(index);
}

NvmlGauges::~NvmlGauges()
{
    if (m_impl->shutdown)
        m_impl->shutdown();
}

const std::vector<GaugeInfo>& NvmlGauges::gauges() const
{
    return m_impl->gauges;
}

std::span<const double> NvmlGauges::sample(std::int64_t)
{
    for (std::size_t at = 0; at < m_impl->readers.size(); ++at)
        if (const auto value = m_impl->readers[at]())
            m_impl->values[at] = *value;
    return m_impl->values;
}

}  // namespace overlane
