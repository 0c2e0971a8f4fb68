// Surroundings: the files and variables around this program that decide what it may see of a GPU: the driver's own
// files, a container, WSL2, MPS, limits, a display, fonts.
//
// Read from below a root and from a map of variables, so that a test is any machine it likes. Any thread. Bytes. See
// proc(5), getrlimit(2), Documentation/admin-guide/LSM/Yama.rst, NVIDIA's pages on ERR_NVGPUCTRPERM and on MPS.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

using Variables = std::map<std::string, std::string, std::less<>>;
// Of this process.
Variables ownVariables();
// Empty where it is not set.
std::string variable(const Variables& variables, std::string_view name);

struct Surroundings {
    std::string driverVersion;               // "550.54.14"; empty: no driver of the kernel
    bool hasDeviceFiles = false;             // /dev/nvidia* or, in WSL2, /dev/dxg
    std::optional<bool> countersRestricted;  // to administrators; none: not said
    std::string container;                   // "docker"; empty: none is seen
    bool isWsl = false;
    bool usesMps = false;                         // this process's pipe folder has a control daemon
    std::string mpsFolder;                        // where it is, or would be
    std::string migDevices;                       // "MIG-..." of CUDA_VISIBLE_DEVICES
    std::vector<std::string> otherProfilers;      // variables that bring one into the program, with their values
    std::string otherInjection;                   // CUDA_INJECTION64_PATH, where it is none of Overlane's
    std::optional<std::int64_t> pinLimitBytes;    // ulimit -l; none: unlimited
    std::optional<std::int64_t> groupLimitBytes;  // memory of the tightest control group around this process
    std::int64_t machineMemoryBytes = 0;
    int ptraceScope = 0;
    std::string display;        // "DISPLAY=:0"; empty: none
    std::string missingSocket;  // where that display would answer, and nothing does; empty: it is there, or remote
    bool hasFonts = false;
};
Surroundings readSurroundings(const std::string& root, const Variables& variables);

// A window with fonts of its own needs none of the system: that of the wheel (app/program/bundled_fonts.h).
bool bringsFonts(const std::string& windowProgram);

}  // namespace overlane
