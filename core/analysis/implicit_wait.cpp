#include "core/analysis/implicit_wait.h"

#include <algorithm>
#include <array>

#include "core/analysis/host_activity.h"

namespace overlane
{
namespace
{

// "cudaMalloc", "cudaMalloc_v3020", "cuMemFree_v2", but not "cudaMallocAsync".
bool isCall(std::string_view name, std::string_view call)
{
    return name.starts_with(call) && (name.size() == call.size() || name[call.size()] == '_');
}

template <std::size_t N>
bool isAnyCall(std::string_view name, const std::array<std::string_view, N>& calls)
{
    return std::any_of(calls.begin(), calls.end(), [&](std::string_view call) { return isCall(name, call); });
}

bool loadsCode(std::string_view name)
{
    // As a recording, PyTorch's profiler and Nsight Systems call the overhead.
    for (const std::string_view part :
         {"module loading", "lazy kernel loading", "Module Loading", "Function Loading", "MODULE_LOADING"})
        if (name.find(part) != std::string_view::npos)
            return true;
    for (const std::string_view call : {"cuModuleLoad", "cuModuleUnload", "cuLibraryLoad", "cuLibraryUnload",
                                        "cudaLibraryLoad", "cudaLibraryUnload", "hipModuleLoad", "hipModuleUnload"})
        if (name.starts_with(call))
            return true;
    return false;
}

}  // namespace

ImplicitWait implicitWaitOf(std::string_view name)
{
    static constexpr std::array<std::string_view, 8> kFrees{
        "cudaFree", "cudaFreeArray", "cudaFreeMipmappedArray", "cuMemFree",
        "hipFree",  "hipFreeArray",  "cuArrayDestroy",         "cuMipmappedArrayDestroy"};
    static constexpr std::array<std::string_view, 12> kAllocations{
        "cudaMalloc",        "cudaMallocPitch",   "cudaMalloc3D", "cudaMallocArray",
        "cudaMalloc3DArray", "cudaMallocManaged", "cuMemAlloc",   "cuMemAllocPitch",
        "cuMemAllocManaged", "cuArrayCreate",     "hipMalloc",    "hipMallocManaged"};
    if (isPageLockingCall(name))
        return ImplicitWait::PageLock;
    if (isAnyCall(name, kFrees))
        return ImplicitWait::Free;
    if (isAnyCall(name, kAllocations))
        return ImplicitWait::Allocate;
    return loadsCode(name) ? ImplicitWait::LoadModule : ImplicitWait::None;
}

std::string_view implicitWaitWords(ImplicitWait wait)
{
    switch (wait) {
        case ImplicitWait::Free:
            return "cudaFree";
        case ImplicitWait::Allocate:
            return "cudaMalloc";
        case ImplicitWait::PageLock:
            return "pinning memory";
        case ImplicitWait::LoadModule:
            return "loading kernels";
        case ImplicitWait::None:
            break;
    }
    return "";
}

}  // namespace overlane
