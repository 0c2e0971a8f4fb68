#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/doctor/checks.h"

namespace overlane
{
namespace
{

MachineCheck injectCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "inject_library", .subject = "injection library"};
    check.found = facts.injectLibrary;
    if (facts.injectLibrary.empty()) {
        check.found = "this copy of Overlane came without liboverlane-inject.so";
        check.doThis = "Build it where CUDA's headers are installed, or take a package that has it.";
        check.stops = {Purpose::Record};
    }
    return check;
}

MachineCheck cuptiCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "cupti", .subject = "CUPTI"};
    if (facts.cupti) {
        check.found = fmt::format("{}, API version {}", facts.cupti->path, facts.cupti->apiVersion);
        return check;
    }
    check.found = fmt::format("none for this driver ({})", facts.cuptiReason);
    const bool isOfCuda12 = facts.gpu.driverVersion / 1000 == 12;
    check.doThis = fmt::format(
        "Install the CUDA toolkit, or PyTorch, whose packages bring CUPTI; or, where Overlane is a package of pip, "
        "`pip install {}`; or name one in OVERLANE_CUPTI.",
        isOfCuda12 ? "nvidia-cuda-cupti-cu12" : "nvidia-cuda-cupti");
    check.stops = {Purpose::Record};
    return check;
}

MachineCheck permissionCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "profiling_permission", .subject = "profiling"};
    if (!facts.around.countersRestricted)
        check.found = "no restriction by the driver is known";
    else if (!*facts.around.countersRestricted)
        check.found = "open to all users (RmProfilingAdminOnly 0)";
    else if (facts.isAdministrator)
        check.found = "for administrators only (RmProfilingAdminOnly 1), as this user is";
    else {
        check.found =
            "counters are for administrators only (RmProfilingAdminOnly 1); tracing, as Overlane does, is not";
        check.doThis = "Only where a recording reports no permission: see NVIDIA's page on ERR_NVGPUCTRPERM.";
    }
    return check;
}

MachineCheck profilerCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "other_profiler", .subject = "other profilers"};
    check.found = "none in the environment";
    if (!facts.around.otherProfilers.empty()) {
        check.found = fmt::format("{}", fmt::join(facts.around.otherProfilers, ", "));
        check.doThis = "Start Overlane outside nsys and ncu: one profiler at a time may use CUPTI.";
        check.stops = {Purpose::Record};
    } else if (!facts.around.otherInjection.empty()) {
        check.found = "CUDA_INJECTION64_PATH=" + facts.around.otherInjection;
        check.doThis = "overlane record replaces it for its program; unset it where that tool must run too.";
    }
    return check;
}

MachineCheck stacksCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "stacks", .subject = "stacks"};
    check.found = "of Python and of compiled programs";
    if (!facts.readsStacks) {
        check.found = "of Python only: this copy was built without libdw";
        check.doThis = "Build with libdw-dev installed, for the host code of compiled programs.";
    } else if (facts.stacksError != 0) {
        check.found = fmt::format("of Python only: perf_event_open: {}", std::strerror(facts.stacksError));
        check.doThis = facts.stacksError == ENOMEM
                           ? "Raise the memory that may be pinned (ulimit -l)."
                           : "Set kernel.perf_event_paranoid to 2 (sysctl); in a container add the capability PERFMON.";
    }
    return check;
}

MachineCheck ptraceCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "ptrace", .subject = "ptrace"};
    constexpr int kOwnChildren = 1;
    check.found = fmt::format("kernel.yama.ptrace_scope {}; a program that Overlane starts may be read",
                              facts.around.ptraceScope);
    if (facts.around.ptraceScope > kOwnChildren && !facts.isAdministrator) {
        check.found = fmt::format("kernel.yama.ptrace_scope {}", facts.around.ptraceScope);
        check.doThis = "Set it to 1 (sysctl): above that, threads that wait have no stacks in the trace.";
    }
    return check;
}

}  // namespace

std::vector<MachineCheck> recordChecks(const DoctorFacts& facts)
{
    std::vector<MachineCheck> checks{injectCheck(facts)};
    if (facts.gpu.state != GpuSupport::State::NoDriver || facts.cupti)
        checks.push_back(cuptiCheck(facts));
    if (facts.gpu.state != GpuSupport::State::NoDriver)
        checks.push_back(permissionCheck(facts));
    checks.push_back(profilerCheck(facts));
    checks.push_back(stacksCheck(facts));
    checks.push_back(ptraceCheck(facts));
    return checks;
}

}  // namespace overlane
