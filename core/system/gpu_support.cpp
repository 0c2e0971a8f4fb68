#include "core/system/gpu_support.h"

#include <array>
#include <dlfcn.h>
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
    std::vector<std::filesystem::path> places;
    if (!error)
        for (const char* folder : {"", "../lib/overlane", "../../lib/overlane"})
            places.push_back(program.parent_path() / folder / fileName);
    // Of liboverlane, whose program is Python's or another's: _lib and _bin are folders of its package. What is not
    // named in full, as a program that PATH has, would be looked for in the current folder.
    Dl_info code{};
    if (dladdr(reinterpret_cast<const void*>(&companionPath), &code) != 0 && code.dli_fname != nullptr)
        if (const std::filesystem::path library = code.dli_fname; library.is_absolute())
            for (const char* folder : {"", "overlane", "../bin", "../_bin", "../core/cli"})
                places.push_back(library.parent_path() / folder / fileName);
    for (const std::filesystem::path& path : places)
        if (std::filesystem::is_regular_file(path, error))
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
