#include "core/doctor/surroundings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

#include "core/base/text_file.h"
#include "core/spool/record_environment.h"
#include "core/system/memory_status.h"
#include "core/system/own_groups.h"
#include "core/system/proc_text.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr int kMostFontFolders = 2000;
// Limits near the largest number are how a kernel writes that there is none.
constexpr std::int64_t kNoLimitBytes = std::int64_t{1} << 60;

bool isThere(const std::string& path)
{
    std::error_code unknown;
    return fs::exists(path, unknown);
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 ...": the first word of digits and points.
std::string driverVersionIn(const std::string& text)
{
    std::istringstream words(text.substr(0, text.find('\n')));
    for (std::string word; words >> word;)
        if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
            return word;
    return {};
}

std::string containerOf(const std::string& root, const Variables& variables)
{
    if (!variable(variables, "KUBERNETES_SERVICE_HOST").empty())
        return "Kubernetes";
    const std::string groups = textOfFile(root + "proc/self/cgroup") + textOfFile(root + "proc/1/cgroup");
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kGroups = {{{"kubepods", "Kubernetes"},
                                                                                       {"libpod", "Podman"},
                                                                                       {"docker", "Docker"},
                                                                                       {"containerd", "containerd"},
                                                                                       {"lxc", "LXC"},
                                                                                       {"apptainer", "Apptainer"}}};
    for (const auto& [part, name] : kGroups)
        if (groups.find(part) != std::string::npos)
            return std::string(name);
    if (isThere(root + ".dockerenv"))
        return "Docker";
    if (isThere(root + "run/.containerenv"))
        return "Podman";
    if (!variable(variables, "APPTAINER_CONTAINER").empty() || !variable(variables, "SINGULARITY_CONTAINER").empty())
        return "Apptainer";
    return variable(variables, "container");  // systemd's own name for it
}

std::optional<std::int64_t> groupLimit(const std::string& root)
{
    std::optional<std::int64_t> least;
    const OwnGroups groups = ownGroups("memory", root);
    for (const fs::path& group : groups.folders) {
        const std::string text = textOfFile(group / (groups.version == 2 ? "memory.max" : "memory.limit_in_bytes"));
        std::int64_t bytes = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
        if (error == std::errc{} && bytes < kNoLimitBytes)
            least = std::min(least.value_or(bytes), bytes);
    }
    return least;
}

void readProfilers(Surroundings& around, const Variables& variables)
{
    namespace environment = record_environment;
    const std::string injected = variable(variables, environment::kCudaInjection);
    const bool isOwn = fs::path(injected).filename() == environment::kInjectLibrary;
    const bool isNsight = injected.find("ToolsInjection") != std::string::npos;
    if (!injected.empty() && !isOwn && !isNsight)
        around.otherInjection = injected;
    for (const auto& [name, value] : variables) {
        const bool isInjection = (name == "LD_PRELOAD" || name == environment::kCudaInjection) &&
                                 value.find("ToolsInjection") != std::string::npos;
        if (!value.empty() && (name.starts_with("NSYS_PROFILING_") || name.starts_with("QUADD_INJECTION") ||
                               name.starts_with("NV_NSIGHT_INJECTION_") || isInjection))
            around.otherProfilers.push_back(fmt::format("{}={}", name, value));
    }
}

bool isFont(const fs::path& file)
{
    constexpr std::array kEndings = {".ttf", ".otf", ".ttc", ".pfb"};
    return std::find(kEndings.begin(), kEndings.end(), file.extension()) != kEndings.end();
}

// The folders that fontconfig looks into by default (fonts.conf(5)).
bool findsFonts(const std::string& root, const Variables& variables)
{
    std::vector<std::string> folders = {root + "usr/share/fonts", root + "usr/local/share/fonts"};
    if (const std::string home = variable(variables, "HOME"); !home.empty())
        folders.insert(folders.end(), {home + "/.local/share/fonts", home + "/.fonts"});
    for (const std::string& folder : folders) {
        std::error_code error;
        int looked = 0;
        for (auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
             !error && at != fs::recursive_directory_iterator() && looked < kMostFontFolders; at.increment(error)) {
            if (isFont(at->path()))
                return true;
            looked += at->is_directory(error) ? 1 : 0;
        }
    }
    return false;
}

// A display is missing where its socket is; empty: it is there. See wl_display_connect(3).
std::string missingWayland(const std::string& display, const std::string& root, const Variables& variables)
{
    const std::string folder = variable(variables, "XDG_RUNTIME_DIR");
    if (folder.empty() && !display.starts_with('/'))
        return "XDG_RUNTIME_DIR, which is not set";
    const std::string socket = display.starts_with('/') ? display : folder + '/' + display;
    return isThere(root + socket) ? std::string() : socket;
}

// That of another machine ("localhost:10.0", of ssh -X) cannot be seen, and is believed.
std::string missingX11(const std::string& display, const std::string& root)
{
    if (!display.starts_with(':'))
        return {};
    const std::string socket = "/tmp/.X11-unix/X" + display.substr(1, display.find('.') - 1);
    const bool isAbstract = textOfFile(root + "proc/net/unix").find('@' + socket + '\n') != std::string::npos;
    return isAbstract || isThere(root + socket) ? std::string() : socket;
}

// As Qt does: X11 where Wayland does not answer.
void readDisplay(Surroundings& around, const std::string& root, const Variables& variables)
{
    if (const std::string wayland = variable(variables, "WAYLAND_DISPLAY"); !wayland.empty()) {
        around.display = "WAYLAND_DISPLAY=" + wayland;
        around.missingSocket = missingWayland(wayland, root, variables);
    }
    const std::string x11 = variable(variables, "DISPLAY");
    const std::string missing = missingX11(x11, root);
    if (!x11.empty() && (around.display.empty() || (!around.missingSocket.empty() && missing.empty()))) {
        around.display = "DISPLAY=" + x11;
        around.missingSocket = missing;
    }
    const std::string platform = variable(variables, "QT_QPA_PLATFORM");
    if (around.display.empty() && !platform.empty())
        around.display = "QT_QPA_PLATFORM=" + platform;
}

}  // namespace

bool bringsFonts(const std::string& windowProgram)
{
    std::error_code none;
    const fs::path program = fs::canonical(windowProgram, none);
    return !none && !fs::is_empty(program.parent_path().parent_path() / "share/overlane/fonts", none) && !none;
}

Variables ownVariables()
{
    Variables result;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos)
            result.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return result;
}

std::string variable(const Variables& variables, std::string_view name)
{
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
}

Surroundings readSurroundings(const std::string& root, const Variables& variables)
{
    Surroundings around;
    around.driverVersion = driverVersionIn(textOfFile(root + "proc/driver/nvidia/version"));
    around.hasDeviceFiles =
        isThere(root + "dev/nvidiactl") || isThere(root + "dev/nvidia0") || isThere(root + "dev/dxg");
    if (const auto restricted = numberAfter(textOfFile(root + "proc/driver/nvidia/params"), "RmProfilingAdminOnly:"))
        around.countersRestricted = *restricted != 0;
    around.container = containerOf(root, variables);
    const std::string kernel = textOfFile(root + "proc/sys/kernel/osrelease");
    around.isWsl = kernel.find("microsoft") != std::string::npos || kernel.find("Microsoft") != std::string::npos;
    const std::string pipes = variable(variables, "CUDA_MPS_PIPE_DIRECTORY");
    around.mpsFolder = pipes.empty() ? root + "tmp/nvidia-mps" : pipes;
    around.usesMps = isThere(around.mpsFolder + "/control");
    if (const std::string visible = variable(variables, "CUDA_VISIBLE_DEVICES"); visible.starts_with("MIG-"))
        around.migDevices = visible;
    readProfilers(around, variables);
    // "Max locked memory         8388608              8388608              bytes"
    const std::string limits = textOfFile(root + "proc/self/limits");
    around.pinLimitBytes = numberAfter(limits, "Max locked memory");
    around.groupLimitBytes = groupLimit(root);
    around.machineMemoryBytes = parseMachineMemory(textOfFile(root + "proc/meminfo")).totalBytes;
    around.ptraceScope = static_cast<int>(
        numberAfter("scope " + textOfFile(root + "proc/sys/kernel/yama/ptrace_scope"), "scope").value_or(0));
    readDisplay(around, root, variables);
    around.hasFonts = findsFonts(root, variables);
    return around;
}

}  // namespace overlane
