#include "core/system/gpu_support.h"

#include <array>
#include <fmt/format.h>

#include "core/system/shared_library.h"

namespace overlane
{
namespace
{

constexpr const char* kBackendName = "liboverlane-cuda.so";

bool backendIsInstalled()
{
    return !gpuBackendPath().empty();
}

// Empty where the driver cannot start: no GPU, no permission, or a driver that does not match.
std::vector<std::string> deviceNames(const SharedLibrary& driver)
{
    const auto init = driver.function<int(unsigned)>("cuInit");
    const auto count = driver.function<int(int*)>("cuDeviceGetCount");
    const auto name = driver.function<int(char*, int, int)>("cuDeviceGetName");
    int devices = 0;
    if (init == nullptr || count == nullptr || name == nullptr || init(0) != 0 || count(&devices) != 0)
        return {};
    std::vector<std::string> names;
    for (int device = 0; device < devices; ++device) {
        std::array<char, 128> text{};
        if (name(text.data(), static_cast<int>(text.size()) - 1, device) == 0)
            names.emplace_back(text.data());
    }
    return names;
}

}  // namespace

std::filesystem::path gpuBackendPath()
{
    return companionPath(kBackendName);
}

std::filesystem::path companionPath(const char* fileName)
{
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error)
        return {};
    const std::filesystem::path folder = program.parent_path();
    for (const std::filesystem::path& path :
         {folder / fileName, folder / "../lib/overlane" / fileName, folder / "../../lib/overlane" / fileName})
        if (std::filesystem::exists(path, error))
            return std::filesystem::weakly_canonical(path, error);
    return {};
}

GpuSupport detectGpuSupport()
{
    const Result<SharedLibrary> driver = SharedLibrary::open("libcuda.so.1");
    if (!driver.ok())
        return describeGpuSupport(false, 0, {}, backendIsInstalled());
    int version = 0;
    const auto driverVersion = driver.value().function<int(int*)>("cuDriverGetVersion");
    if (driverVersion == nullptr || driverVersion(&version) != 0)
        version = 0;
    return describeGpuSupport(true, version, deviceNames(driver.value()), backendIsInstalled());
}

GpuSupport describeGpuSupport(bool driver, int driverVersion, std::vector<std::string> devices, bool backend)
{
    GpuSupport support;
    support.driverVersion = driverVersion;
    support.devices = std::move(devices);
    if (!driver) {
        support.state = GpuSupport::State::NoDriver;
        support.sentence = "No NVIDIA driver here: runs are simulated; traces from other machines open as usual.";
    } else if (support.devices.empty()) {
        support.state = GpuSupport::State::NoDevice;
        support.sentence =
            "An NVIDIA driver is here but no GPU that this process may use: runs are simulated "
            "(check CUDA_VISIBLE_DEVICES and the permissions of /dev/nvidia*).";
    } else if (!backend) {
        support.state = GpuSupport::State::NoBackend;
        support.sentence = fmt::format("{} is here, but this build has no CUDA engine: runs are simulated.",
                                       fmt::join(support.devices, ", "));
    } else {
        support.state = GpuSupport::State::Ready;
        support.sentence = fmt::format("{} is ready for runs and recording.", fmt::join(support.devices, ", "));
    }
    return support;
}

}  // namespace overlane
