#include "core/recorder/pytorch_hook.h"

#include <cstdlib>
#include <fmt/format.h>

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* kEntry = "sitecustomize.py";
constexpr const char* kPythonPath = "PYTHONPATH";
constexpr std::string_view kSpoolEnd = "-pytorch.spool";

}  // namespace

fs::path pytorchHookFolder()
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error)
        return {};
    const fs::path folder = program.parent_path();
    for (const fs::path& path :
         {folder / "pytorch", folder / "../share/overlane/pytorch", folder / "../../share/overlane/pytorch"})
        if (fs::exists(path / kEntry, error))
            return fs::weakly_canonical(path, error);
    return {};
}

Result<std::pair<std::string, std::string>> pytorchHookVariable(fs::path folder)
{
    if (folder.empty())
        folder = pytorchHookFolder();
    std::error_code error;
    if (folder.empty() || !fs::exists(folder / kEntry, error))
        return Error{"This copy of Overlane came without the folder pytorch, which --pytorch needs."};
    std::string path = fs::absolute(folder, error).string();
    if (path.find(':') != std::string::npos)
        return Error{fmt::format("{} cannot be named in {}, because of its colon.", path, kPythonPath)};
    if (const char* before = std::getenv(kPythonPath); before != nullptr && *before != '\0')
        path += fmt::format(":{}", before);
    return std::pair<std::string, std::string>(kPythonPath, std::move(path));
}

bool hookWasReached(const fs::path& spoolFolder)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(spoolFolder, error))
        if (entry.path().filename().string().ends_with(kSpoolEnd))
            return true;
    return false;
}

}  // namespace overlane
