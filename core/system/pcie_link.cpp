#include "core/system/pcie_link.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include "core/base/number_text.h"
#include "core/system/pci_device.h"
#include "core/system/shared_library.h"

namespace overlane
{
namespace
{

struct Speed {
    double gigatransfers;
    double coding;
};
constexpr std::array<Speed, 6> kSpeeds{
    {{2.5, 0.8}, {5, 0.8}, {8, 128.0 / 130}, {16, 128.0 / 130}, {32, 128.0 / 130}, {64, 1}}};

}  // namespace

int pcieGeneration(std::string_view speed)
{
    const double gigatransfers = takeReal(speed).value_or(0);
    for (std::size_t at = 0; at < kSpeeds.size(); ++at)
        if (std::abs(kSpeeds[at].gigatransfers - gigatransfers) < 0.1)
            return static_cast<int>(at) + 1;
    return 0;
}

double pcieBytesPerSecond(int generation, int width)
{
    if (generation < 1 || generation > static_cast<int>(kSpeeds.size()) || width < 1)
        return 0;
    const Speed& speed = kSpeeds[static_cast<std::size_t>(generation) - 1];
    return speed.gigatransfers * 1e9 * speed.coding / 8 * width;
}

PcieLink pcieLinkOfSystem(const std::string& address, const std::string& system)
{
    const auto line = [&](const char* file) { return pciDeviceLine(address, file, system); };
    const auto width = [&](const char* file) {
        const int lanes = std::atoi(line(file).c_str());
        return lanes > 0 && lanes <= 32 ? lanes : 0;  // 255: unknown
    };
    return {pcieGeneration(line("current_link_speed")), width("current_link_width"),
            pcieGeneration(line("max_link_speed")), width("max_link_width")};
}

PcieLink pcieLinkOfNvml(const std::string& address)
{
    constexpr int kSuccess = 0;
    PcieLink link;
    const auto library = SharedLibrary::open("libnvidia-ml.so.1");
    if (!library.ok())
        return link;
    const SharedLibrary& nvml = library.value();
    using Device = void*;
    const auto init = nvml.function<int()>("nvmlInit_v2");
    const auto shutdown = nvml.function<int()>("nvmlShutdown");
    const auto handle = nvml.function<int(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (!init || !shutdown || !handle || init() != kSuccess)
        return link;
    if (Device device = nullptr; handle(address.c_str(), &device) == kSuccess) {
        const auto ask = [&](const char* call) {
            unsigned value = 0;
            const auto function = nvml.function<int(Device, unsigned*)>(call);
            return function && function(device, &value) == kSuccess ? static_cast<int>(value) : 0;
        };
        link = {ask("nvmlDeviceGetCurrPcieLinkGeneration"), ask("nvmlDeviceGetCurrPcieLinkWidth"),
                ask("nvmlDeviceGetMaxPcieLinkGeneration"), ask("nvmlDeviceGetMaxPcieLinkWidth")};
    }
    shutdown();
    return link;
}

PcieLink pcieLink(const std::string& address)
{
    PcieLink link = pcieLinkOfSystem(address);
    if (link.generation > 0 && link.width > 0 && link.largestGeneration > 0 && link.largestWidth > 0)
        return link;
    const PcieLink driver = pcieLinkOfNvml(address);
    const auto fill = [](int& own, int other) { own = own > 0 ? own : other; };
    fill(link.generation, driver.generation);
    fill(link.width, driver.width);
    fill(link.largestGeneration, driver.largestGeneration);
    fill(link.largestWidth, driver.largestWidth);
    return link;
}

}  // namespace overlane
