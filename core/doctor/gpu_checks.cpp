#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/doctor/checks.h"

namespace overlane
{
namespace
{

constexpr int kOldestCuda = 12000;
constexpr Purposes kOnGpu = {Purpose::Record, Purpose::Measure};

MachineCheck driverCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "gpu_driver", .subject = "NVIDIA driver"};
    const std::string& version = facts.around.driverVersion;
    if (facts.driverIsSilent) {
        check.stops = kOnGpu;
        check.found = fmt::format("{}it does not answer", version.empty() ? "" : version + ", but ");
        check.doThis = "Look at nvidia-smi and dmesg; with NVSwitch, at the service nvidia-fabricmanager.";
        return check;
    }
    if (facts.gpu.state == GpuSupport::State::NoDriver) {
        check.stops = kOnGpu;
        check.found = facts.around.hasDeviceFiles || !version.empty()
                          ? "the kernel has a driver, but its library libcuda.so.1 cannot be loaded"
                          : "none; traces open and runs are simulated all the same";
        if (!facts.around.container.empty())
            check.doThis =
                "Start the container with its GPUs: docker run --gpus all, in Kubernetes a limit nvidia.com/gpu.";
        else if (facts.around.isWsl)
            check.doThis =
                "Install NVIDIA's driver in Windows, not in WSL2; libcuda.so.1 then lies in /usr/lib/wsl/lib.";
        else
            check.doThis = "Install NVIDIA's driver, where there is a GPU; nvidia-smi then lists it.";
        return check;
    }
    check.found =
        fmt::format("{}CUDA {}", version.empty() ? "" : version + ", ", cudaVersionText(facts.gpu.driverVersion));
    if (facts.gpu.driverVersion > 0 && facts.gpu.driverVersion < kOldestCuda) {
        check.stops = kOnGpu;
        check.doThis = "Update it: CUDA 12 is the oldest that Overlane works with.";
    }
    return check;
}

MachineCheck gpusCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "gpus", .subject = "GPUs"};
    if (!facts.gpu.devices.empty()) {
        check.found = fmt::format("{}", fmt::join(facts.gpu.devices, ", "));
        return check;
    }
    check.found = "none that this process may use";
    check.doThis = "Look at CUDA_VISIBLE_DEVICES, at nvidia-smi, and at the permissions of /dev/nvidia*.";
    check.stops = kOnGpu;
    return check;
}

MachineCheck engineCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "cuda_engine", .subject = "CUDA engine"};
    check.found = facts.engineLibrary;
    if (facts.engineLibrary.empty()) {
        check.found = "this copy of Overlane came without liboverlane-cuda.so";
        check.doThis = "Build it where the CUDA toolkit with nvcc is installed, or take a package that has it.";
        check.stops = {Purpose::Measure};
    }
    return check;
}

}  // namespace

std::string cudaVersionText(int version)
{
    return version > 0 ? fmt::format("{}.{}", version / 1000, version % 1000 / 10) : "of an unknown version";
}

std::vector<MachineCheck> gpuChecks(const DoctorFacts& facts)
{
    std::vector<MachineCheck> checks{driverCheck(facts)};
    if (facts.gpu.state != GpuSupport::State::NoDriver)
        checks.push_back(gpusCheck(facts));
    const bool named = std::any_of(facts.gpu.devices.begin(), facts.gpu.devices.end(),
                                   [](const std::string& name) { return name.find(" MIG ") != std::string::npos; });
    if (named || !facts.around.migDevices.empty())
        checks.push_back(
            {.id = "mig",
             .subject = "MIG",
             .found = "a part of a GPU" + (named ? std::string() : ": " + facts.around.migDevices),
             .doThis = "Compare rates with those of this part only: its copy engines and memory are a share.",
             .stops = {}});
    if (facts.around.usesMps)
        checks.push_back({.id = "mps",
                          .subject = "MPS",
                          .found = "its control daemon runs in " + facts.around.mpsFolder,
                          .doThis = "Read idle time with care: other clients' work on the GPU is in no trace.",
                          .stops = {}});
    checks.push_back(engineCheck(facts));
    return checks;
}

}  // namespace overlane
