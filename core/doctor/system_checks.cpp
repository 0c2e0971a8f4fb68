#include <fmt/format.h>

#include "core/base/units.h"
#include "core/doctor/checks.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLittlePinned = std::int64_t{1} << 20;
constexpr std::int64_t kLittleRoom = std::int64_t{1} << 30;
// Below this share of the RAM a limit is close enough to matter.
constexpr double kTightShare = 0.5;

MachineCheck pinLimitCheck(const Surroundings& around)
{
    MachineCheck check{.id = "pin_limit", .subject = "ulimit -l"};
    check.found = around.pinLimitBytes ? formatBytes(*around.pinLimitBytes) + "; CUDA's pinned memory is not counted"
                                       : "unlimited";
    if (around.pinLimitBytes && *around.pinLimitBytes < kLittlePinned)
        check.doThis = "Raise it to 8 MiB: the stacks of compiled programs pass through pinned buffers.";
    return check;
}

MachineCheck memoryCheck(const Surroundings& around)
{
    MachineCheck check{.id = "memory_limit", .subject = "memory"};
    check.found = around.machineMemoryBytes > 0 ? formatBytes(around.machineMemoryBytes) + " of RAM" : "unknown";
    if (!around.groupLimitBytes)
        return check;
    check.found += fmt::format(", {} for this control group", formatBytes(*around.groupLimitBytes));
    if (static_cast<double>(*around.groupLimitBytes) < kTightShare * static_cast<double>(around.machineMemoryBytes))
        check.doThis = "Count pinned memory and page cache against the group's limit, not against the RAM.";
    return check;
}

MachineCheck temporaryCheck(const DoctorFacts& facts)
{
    MachineCheck check{.id = "temporary_space", .subject = "temporary files"};
    if (!facts.temporaryFreeBytes) {
        check.found = fmt::format("{} cannot be written", facts.temporaryFolder);
        check.doThis = "Name a folder that can in TMPDIR.";
        check.stops = {Purpose::Record, Purpose::Measure};
        return check;
    }
    check.found = fmt::format("{} free in {}", formatBytes(*facts.temporaryFreeBytes), facts.temporaryFolder);
    if (*facts.temporaryFreeBytes < kLittleRoom)
        check.doThis = "Make room, or name another folder in TMPDIR: runs on the GPU write their traces there.";
    return check;
}

MachineCheck containerCheck(const Surroundings& around)
{
    return {.id = "container",
            .subject = "container",
            .found = around.container.empty() ? "none seen" : around.container,
            .doThis = {},
            .stops = {}};
}

std::vector<MachineCheck> windowChecks(const DoctorFacts& facts)
{
    MachineCheck window{.id = "window_program", .subject = "window"};
    window.found = facts.windowProgram;
    if (facts.windowProgram.empty()) {
        window.found = "overlane-ui is neither next to this program nor in PATH";
        window.doThis =
            "Install the package overlane-ui (its wheel, or its .deb), or build with Qt 6; `overlane report FILE` "
            "writes a page instead.";
        window.stops = {Purpose::Window};
    }
    MachineCheck display{.id = "display", .subject = "display"};
    display.found = facts.around.display;
    if (facts.around.display.empty()) {
        display.found = "neither DISPLAY nor WAYLAND_DISPLAY is set";
        display.doThis = "Log in with ssh -X, or open the traces on another machine; `overlane report` writes a page.";
        display.stops = {Purpose::Window};
    } else if (!facts.around.missingSocket.empty()) {
        display.found = fmt::format("{}, but nothing is at {}", facts.around.display, facts.around.missingSocket);
        display.doThis = "Set the variable to the display of this session; `overlane report` writes a page.";
        display.stops = {Purpose::Window};
    }
    MachineCheck fonts{.id = "fonts", .subject = "fonts"};
    fonts.found = facts.around.hasFonts ? "found" : "those that came with the window";
    if (!facts.around.hasFonts && !facts.windowHasFonts) {
        fonts.found = "none in the folders of fontconfig";
        fonts.doThis = "Install some, for example the package fonts-dejavu-core: letters would be boxes.";
        fonts.stops = {Purpose::Window};
    }
    return {window, display, fonts};
}

}  // namespace

std::vector<MachineCheck> systemChecks(const DoctorFacts& facts)
{
    std::vector<MachineCheck> checks{containerCheck(facts.around)};
    if (facts.around.isWsl)
        checks.push_back(
            {.id = "wsl",
             .subject = "WSL2",
             .found = "this Linux runs in Windows",
             .doThis = "Expect less pinned memory, and allow profiling in NVIDIA's control panel in Windows.",
             .stops = {}});
    checks.push_back(pinLimitCheck(facts.around));
    checks.push_back(memoryCheck(facts.around));
    checks.push_back(temporaryCheck(facts));
    for (MachineCheck& check : windowChecks(facts))
        checks.push_back(std::move(check));
    return checks;
}

}  // namespace overlane
