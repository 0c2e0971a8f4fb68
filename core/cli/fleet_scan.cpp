#include "core/cli/fleet_scan.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

constexpr const char* kPackageFile = "../../../../python/overlane/fleet/__main__.py";  // of the build folder
constexpr const char* kModulesPath = "PYTHONPATH";

// A Python without the package says so in one sentence.
constexpr const char* kRunModule = R"(import importlib.util, runpy, sys
if importlib.util.find_spec("overlane") is None:
    sys.exit("overlane: Scanning a fleet needs the Python package overlane, which %s lacks; "
             "pip install overlane[fleet]." % sys.executable)
runpy.run_module("overlane.fleet", run_name="__main__", alter_sys=True)
)";

// What is installed finds its package by itself.
void nameOwnPackage()
{
    const std::filesystem::path file = companionPath(kPackageFile);
    if (file.empty())
        return;
    std::string path = file.parent_path().parent_path().parent_path().string();
    if (const char* there = std::getenv(kModulesPath); there != nullptr && *there != '\0')
        path += std::string(":") + there;
    setenv(kModulesPath, path.c_str(), 1);
}

}  // namespace

std::string fleetPython()
{
    if (const char* named = std::getenv("OVERLANE_PYTHON"); named != nullptr && *named != '\0')
        return named;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    const std::filesystem::path own = folder / "python3";
    if (std::filesystem::exists(folder.parent_path() / "pyvenv.cfg", error) && std::filesystem::exists(own, error))
        return own.string();
    return "python3";
}

int scanFleet(const FleetScan& scan, CommandOutput to)
{
    std::vector<std::string> arguments{fleetPython(), "-c",        kRunModule, "scan",
                                       "--output",    scan.output, "--engine", scan.engine};
    if (scan.workers > 0)
        arguments.insert(arguments.end(), {"--workers", std::to_string(scan.workers)});
    for (const auto& [option, value] :
         {std::pair{"--group=", &scan.group}, {"--version-of=", &scan.versionOf}, {"--only=", &scan.only}})
        if (!value->empty())
            arguments.push_back(option + *value);
    if (scan.retryFailed)
        arguments.emplace_back("--retry-failed");
    if (scan.noEasiest)
        arguments.emplace_back("--no-easiest");
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), scan.urls.begin(), scan.urls.end());
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    nameOwnPackage();
    execvp(pointers.front(), pointers.data());
    return fail(errno == ENOENT ? fmt::format("Scanning a fleet needs Python, and there is no {}; install Python 3, "
                                              "then pip install overlane[fleet].",
                                              arguments.front())
                                : fmt::format("{} cannot be started: {}.", arguments.front(), std::strerror(errno)),
                to);
}

}  // namespace overlane
