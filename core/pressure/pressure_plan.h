// PressurePlan: an experiment with memory that runs short, and whether this machine may have it.
//
// The experiment runs a small loader in a control group with little RAM and a swap file of its own:
// a working set that is written and read in turn, a file that should stay in the page cache, and
// page-locked memory that grows step by step (mlock() stands in for cudaHostAlloc: both take pages
// that can neither be dropped nor swapped). It may hurt itself only, so it is refused where anyone
// else could feel it. Plain data and pure functions beside the one that looks at the machine. Bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/system/cgroup.h"

namespace overlane
{

struct PressurePlan {
    std::int64_t limitBytes = std::int64_t{512} << 20;       // RAM of the group
    std::int64_t swapBytes = std::int64_t{256} << 20;        // of the swap file, all of it the group's
    std::int64_t workingSetBytes = std::int64_t{192} << 20;  // ordinary memory, used in turn all the time
    std::int64_t dataBytes = std::int64_t{128} << 20;        // of the file, read in turn
    std::int64_t batchBytes = std::int64_t{4} << 20;
    std::vector<std::int64_t> pinnedBytes;  // of each step, ascending; empty: chosen by withSteps()
    double secondsPerStep = 3;
    std::string folder = "/var/tmp";  // of the swap file and the data
};

// The plan with steps from nothing pinned to where swap is nearly full, where it names none.
PressurePlan withSteps(PressurePlan plan);

// The kernel's part of the group's memory: page tables, the program itself.
constexpr std::int64_t kPressureOverheadBytes = std::int64_t{16} << 20;

// What a group of that size has to do at a step, as core/engine's memory model says.
struct PressureExpectation {
    std::int64_t pageCacheBytes = 0;
    std::int64_t swapBytes = 0;
};
PressureExpectation expectedAt(const PressurePlan& plan, std::int64_t pinnedBytes);

// What decides whether it may run here.
struct PressureFacts {
    bool mayAdminister = false;  // CAP_SYS_ADMIN: swapon, control groups
    bool mayLock = false;        // CAP_IPC_LOCK, or a limit on locked memory that is high enough
    bool onBattery = false;
    std::string noHierarchy;  // why no control group can be limited; empty: one can
    CgroupHierarchy hierarchy;
    std::string folder;         // the plan's, from the root and without links, as the system names what is in it
    std::string folderProblem;  // of that folder
    std::int64_t diskFreeBytes = 0;
    std::int64_t ramBytes = 0;
    std::int64_t availableBytes = 0;
    std::int64_t swapUsedBytes = 0;  // by anyone, before
    double pressurePercent = 0;      // tasks that waited for memory in the last ten seconds
};
PressureFacts pressureFacts(const PressurePlan& plan, const std::string& root = "/");

// What must stay available to everyone else while the experiment runs.
std::int64_t pressureReserveBytes(std::int64_t ramBytes);

// Every reason why it may not run, each with what would change it; empty: it may.
std::vector<std::string> pressureRefusals(const PressurePlan& plan, const PressureFacts& facts);

// What it does to the machine, for the question before it starts.
std::string pressurePromise(const PressurePlan& plan, const PressureFacts& facts);

}  // namespace overlane
