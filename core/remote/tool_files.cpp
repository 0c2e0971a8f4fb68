#include "core/remote/tool_files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "core/base/descriptor.h"
#include "core/recorder/pytorch_hook.h"
#include "core/spool/record_environment.h"
#include "core/system/child_process.h"
#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::size_t kHashLetters = 64;

// Of glibc and of NVIDIA's driver: these are the other machine's own.
bool isOfSystem(std::string_view name)
{
    constexpr std::array<std::string_view, 16> kBegins{
        "ld-linux", "ld64",   "libc.so", "libm.so",    "libpthread.so", "libdl.so", "librt.so",  "libresolv.so",
        "libutil",  "libnss", "libmvec", "linux-vdso", "libanl.so",     "libcuda",  "libnvidia", "libthread_db"};
    return std::any_of(kBegins.begin(), kBegins.end(),
                       [name](std::string_view begin) { return name.starts_with(begin); });
}

int addLibrary(dl_phdr_info* info, std::size_t, void* to)
{
    const fs::path path = info->dlpi_name != nullptr ? info->dlpi_name : "";
    if (path.is_absolute() && !isOfSystem(path.filename().string()))
        static_cast<std::vector<ToolFile>*>(to)->push_back(
            {path.string(), fmt::format("{}/{}", kToolLibraries, path.filename().string()), 0, {}});
    return 0;
}

std::string textOf(int file)
{
    std::string text;
    std::array<char, 4096> block;
    for (ssize_t count = 0; (count = ::pread(file, block.data(), block.size(), static_cast<off_t>(text.size()))) > 0;)
        text.append(block.data(), static_cast<std::size_t>(count));
    return text;
}

}  // namespace

std::string ToolFiles::folder() const
{
    constexpr std::size_t kLetters = 16;
    return "tool-" + (files.empty() ? std::string() : files.front().hash.substr(0, kLetters));
}

bool ToolFiles::hasLibraries() const
{
    return std::any_of(files.begin(), files.end(),
                       [](const ToolFile& file) { return file.there.starts_with(kToolLibraries); });
}

Result<std::vector<std::string>> hashesOf(std::span<const std::string> paths)
{
    const Descriptor output(::memfd_create("hashes", MFD_CLOEXEC));
    const Descriptor words(::memfd_create("words", MFD_CLOEXEC));
    ProgramStart start;
    start.command = {"sha256sum", "--"};
    start.command.insert(start.command.end(), paths.begin(), paths.end());
    start.outputFile = output.get();
    start.errorFile = words.get();
    ASSIGN_OR_RETURN(ChildProcess child, ChildProcess::start(start));
    if (child.wait().exitCode != 0)
        return Error{fmt::format("the files cannot be checked: {}", textOf(words.get()))};
    std::vector<std::string> hashes;
    const std::string text = textOf(output.get());
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
        // A backslash is put before the hash of a name that has one.
        const std::size_t begin = text[at] == '\\' ? at + 1 : at;
        hashes.push_back(text.substr(begin, kHashLetters));
        if (text.find('\n', at) == std::string::npos)
            break;
    }
    if (hashes.size() != paths.size())
        return Error{"the files cannot be checked: sha256sum answered in another form."};
    return hashes;
}

Result<ToolFiles> toolFiles()
{
    std::error_code error;
    ToolFiles tool;
    tool.files.push_back({fs::read_symlink("/proc/self/exe", error).string(), std::string(kToolProgram), 0, {}});
    const fs::path library = companionPath(record_environment::kInjectLibrary);
    if (error || library.empty())
        return Error{
            fmt::format("This copy of Overlane cannot record: {} is not next to it. Build it where the CUDA "
                        "toolkit is installed.",
                        record_environment::kInjectLibrary)};
    tool.files.push_back({library.string(), fmt::format("lib/overlane/{}", library.filename().string()), 0, {}});
    if (const fs::path hook = pytorchHookFolder(); !hook.empty())
        for (const fs::directory_entry& entry : fs::directory_iterator(hook, error))
            if (entry.path().extension() == ".py")
                tool.files.push_back({entry.path().string(),
                                      fmt::format("share/overlane/pytorch/{}", entry.path().filename().string()),
                                      0,
                                      {}});
    dl_iterate_phdr(addLibrary, &tool.files);
    std::vector<std::string> paths;
    for (ToolFile& file : tool.files) {
        file.bytes = static_cast<std::int64_t>(fs::file_size(file.here, error));
        if (error)
            return Error{fmt::format("{} cannot be read: {}.", file.here, error.message())};
        tool.glibc = std::max(tool.glibc, neededGlibc(file.here));
        paths.push_back(file.here);
    }
    ASSIGN_OR_RETURN(const std::vector<std::string> hashes, hashesOf(paths));
    for (std::size_t at = 0; at < hashes.size(); ++at)
        tool.files[at].hash = hashes[at];
    utsname system{};
    if (::uname(&system) == 0)
        tool.machine = system.machine;
    return tool;
}

}  // namespace overlane
