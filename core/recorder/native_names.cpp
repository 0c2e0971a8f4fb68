#include "core/recorder/native_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "core/recorder/function_names.h"

namespace overlane
{
namespace
{

constexpr std::string_view kDeleted = " (deleted)";

template <std::size_t kCount>
bool startsWithAny(std::string_view text, const std::array<std::string_view, kCount>& starts)
{
    return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return text.starts_with(start); });
}

std::string_view fileOf(std::string_view path)
{
    const std::size_t folder = path.rfind('/');
    return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

std::string_view withoutDeleted(std::string_view path)
{
    if (path.ends_with(kDeleted))
        path.remove_suffix(kDeleted.size());
    return path;
}

}  // namespace

CodeOwner ownerOfModule(std::string_view path, bool isExecutable)
{
    path = withoutDeleted(path);
    const std::string_view file = fileOf(path);
    constexpr std::array<std::string_view, 1> kOwn{"liboverlane"};
    if (startsWithAny(file, kOwn))
        return CodeOwner::Recorder;
    if (isExecutable)
        return CodeOwner::Program;
    // Everything but a file: the kernel's page of functions, code that was made while the program ran.
    if (!path.starts_with('/'))
        return CodeOwner::Library;
    constexpr std::array<std::string_view, 9> kFolders{"/lib/",           "/lib32/",         "/lib64/",
                                                       "/usr/lib/",       "/usr/lib32/",     "/usr/lib64/",
                                                       "/usr/local/lib/", "/usr/local/cuda", "/opt/nvidia/"};
    constexpr std::array<std::string_view, 22> kLibraries{
        "libcuda.",    "libcudart",     "libcublas",      "libcudnn",   "libcufft",     "libcurand",
        "libcusparse", "libcusolver",   "libnvidia-",     "libnvrtc",   "libnvJitLink", "libnccl",
        "libcupti",    "libnvToolsExt", "libnvinfer",     "libstdc++.", "libgcc_s.",    "libgomp.",
        "libc10",      "libtorch",      "libonnxruntime", "ld-linux"};
    const bool isPackage = path.find("/site-packages/") != std::string_view::npos ||
                           path.find("/dist-packages/") != std::string_view::npos;
    return startsWithAny(path, kFolders) || startsWithAny(file, kLibraries) || isPackage ? CodeOwner::Library
                                                                                         : CodeOwner::Program;
}

std::string_view runtimeOfFunction(std::string_view function)
{
    constexpr std::array<std::string_view, 3> kRuntime{"cuda", "__cuda", "libcudart_static"};
    const bool isRuntime = startsWithAny(function, kRuntime) && function.find("::") == std::string_view::npos;
    const std::size_t word = function.find_first_not_of('_') + 4;  // behind "cuda"
    const bool isCall = word < function.size() && std::isupper(static_cast<unsigned char>(function[word])) != 0;
    return isRuntime && (isCall || isNamelessOfRuntime(function)) ? kCudaRuntime : std::string_view();
}

bool isNamelessOfRuntime(std::string_view function)
{
    return function.starts_with("libcudart_static");
}

bool isLaunchOfKernel(std::string_view symbol, std::string_view source)
{
    return symbol.find(kDeviceStub) != std::string_view::npos || source.ends_with(".cudafe1.stub.c") ||
           source.ends_with("/crt/device_functions.h");
}

bool isLibraryFunction(std::string_view function, std::string_view source)
{
    constexpr std::array<std::string_view, 7> kNames{
        "std::", "__gnu_cxx::", "__gnu_", "thrust::", "cub::", "cuda::", "nlohmann::"};
    constexpr std::array<std::string_view, 4> kSources{"/usr/include/", "/usr/lib/", "/usr/local/cuda", "/build/glibc"};
    constexpr std::array<std::string_view, 6> kStart{
        "_start", "__libc_start_main", "__libc_csu_init", "__do_global_dtors_aux", "_init", "_fini"};
    return startsWithAny(function, kNames) || startsWithAny(source, kSources) ||
           std::find(kStart.begin(), kStart.end(), function) != kStart.end() || !runtimeOfFunction(function).empty();
}

std::string moduleName(std::string_view path)
{
    path = withoutDeleted(path);
    if (path.starts_with("[vdso"))
        return "[vdso]";
    const std::string_view file = fileOf(path);
    return std::string(file.substr(0, kLongestName));
}

std::string sourceName(std::string_view written, std::string_view workingFolder)
{
    // A compiler joins the folder that it ran in and what it was given: "/build/../src/train.cpp".
    const std::string normal = std::filesystem::path(written).lexically_normal().string();
    std::string_view path = normal;
    while (workingFolder.ends_with('/'))
        workingFolder.remove_suffix(1);
    if (!workingFolder.empty() && path.size() > workingFolder.size() && path.starts_with(workingFolder) &&
        path[workingFolder.size()] == '/')
        path.remove_prefix(workingFolder.size() + 1);
    else if (std::count(path.begin(), path.end(), '/') > 2) {
        const std::size_t file = path.rfind('/');
        const std::size_t folder = path.rfind('/', file - 1);
        path.remove_prefix(folder + 1);
    }
    return std::string(path.size() > kLongestName ? path.substr(path.size() - kLongestName) : path);
}

}  // namespace overlane
