#include "cupti/collector/gpu_inventory.h"

#include <array>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <fstream>

#include "core/base/number_text.h"

namespace overlane
{
namespace
{

std::string readLine(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

void readSysfs(std::string busId, spool::Device& device)
{
    for (char& character : busId)
        character = static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
    const std::string folder = "/sys/bus/pci/devices/" + busId;
    // An idle GPU slows its link down, so the current speed says nothing.
    device.linkBytesPerSecond = linkRate(readLine(folder + "/max_link_speed"), readLine(folder + "/max_link_width"));
    const std::string node = readLine(folder + "/numa_node");
    device.numaNode = node.empty() ? -1 : static_cast<std::int32_t>(std::strtol(node.c_str(), nullptr, 10));
}

// The name is the one that the driver exports, which for some calls is another than cuda.h says.
template <typename Function>
Function functionOf(void* driver, const char* name)
{
    return reinterpret_cast<Function>(dlsym(driver, name));
}

}  // namespace

int driverMajorOf(std::string_view path)
{
    constexpr std::string_view kName = "libcuda.so.";
    constexpr long kFirstOfCuda13 = 580;
    constexpr long kFirstOfCuda12 = 525;
    const auto name = path.rfind(kName);
    if (name == std::string_view::npos)
        return 0;
    const long release = std::strtol(std::string(path.substr(name + kName.size())).c_str(), nullptr, 10);
    if (release >= kFirstOfCuda13)
        return 13;
    return release >= kFirstOfCuda12 ? 12 : 0;
}

double linkRate(std::string_view speed, std::string_view width)
{
    const double transfers = takeReal(speed).value_or(0) * 1e9;
    const double lanes = takeReal(width).value_or(0);
    if (transfers <= 0 || lanes <= 0 || lanes > 64)
        return 0;
    double coding = 242.0 / 256.0;
    if (transfers < 6e9)
        coding = 8.0 / 10.0;
    else if (transfers < 40e9)
        coding = 128.0 / 130.0;
    return transfers * lanes * coding / 8;
}

GpuInventory::GpuInventory() : m_driver(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD)) {}

int GpuInventory::driverMajor() const
{
    Dl_info info = {};
    if (m_driver == nullptr || dladdr(dlsym(m_driver, "cuInit"), &info) == 0 || info.dli_fname == nullptr)
        return 0;
    std::array<char, PATH_MAX> path{};
    return driverMajorOf(::realpath(info.dli_fname, path.data()) != nullptr ? path.data() : info.dli_fname);
}

void GpuInventory::callDriver() const
{
    int version = 0;
    if (m_driver == nullptr)
        return;
    if (const auto get = functionOf<decltype(&::cuDriverGetVersion)>(m_driver, "cuDriverGetVersion"))
        get(&version);
}

int GpuInventory::count() const
{
    int devices = 0;
    if (m_driver == nullptr)
        return 0;
    const auto count = functionOf<decltype(&::cuDeviceGetCount)>(m_driver, "cuDeviceGetCount");
    return count != nullptr && count(&devices) == CUDA_SUCCESS ? devices : 0;
}

bool GpuInventory::write(SpoolWriter& writer) const
{
    if (m_driver == nullptr)
        return false;
    const auto get = functionOf<decltype(&::cuDeviceGet)>(m_driver, "cuDeviceGet");
    const auto name = functionOf<decltype(&::cuDeviceGetName)>(m_driver, "cuDeviceGetName");
    const auto uuid = functionOf<decltype(&::cuDeviceGetUuid)>(m_driver, "cuDeviceGetUuid_v2");
    const auto memory = functionOf<decltype(&::cuDeviceTotalMem)>(m_driver, "cuDeviceTotalMem_v2");
    const auto attribute = functionOf<decltype(&::cuDeviceGetAttribute)>(m_driver, "cuDeviceGetAttribute");
    const auto busId = functionOf<decltype(&::cuDeviceGetPCIBusId)>(m_driver, "cuDeviceGetPCIBusId");
    const int devices = count();
    if (get == nullptr || devices <= 0)
        return false;
    for (int number = 0; number < devices; ++number) {
        CUdevice handle = 0;
        if (get(&handle, number) != CUDA_SUCCESS)
            continue;
        spool::Device device;
        device.id = static_cast<std::uint32_t>(number);
        std::array<char, 128> text{};
        if (name != nullptr && name(text.data(), static_cast<int>(text.size()) - 1, handle) == CUDA_SUCCESS)
            device.name = writer.intern(text.data());
        CUuuid id = {};
        if (uuid != nullptr && uuid(&id, handle) == CUDA_SUCCESS)
            std::memcpy(device.uuid, id.bytes, sizeof(device.uuid));
        else
            device.uuid[0] = static_cast<std::uint8_t>(number + 1);
        std::size_t bytes = 0;
        if (memory != nullptr && memory(&bytes, handle) == CUDA_SUCCESS)
            device.memoryBytes = bytes;
        if (attribute != nullptr) {
            int major = 0;
            int minor = 0;
            int multiprocessors = 0;
            attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, handle);
            attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, handle);
            attribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, handle);
            device.computeCapability = static_cast<std::uint32_t>(major * 10 + minor);
            device.multiprocessors = static_cast<std::uint32_t>(multiprocessors);
        }
        text = {};
        if (busId != nullptr && busId(text.data(), static_cast<int>(text.size()) - 1, handle) == CUDA_SUCCESS) {
            device.busId = writer.intern(text.data());
            readSysfs(text.data(), device);
        }
        writer.add(device);
    }
    return true;
}

}  // namespace overlane
