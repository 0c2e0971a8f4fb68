// What the memory experiment leaves behind, and how that goes away whatever happens.
//
// Everything it makes carries the name of the process that made it, "overlane-pressure-PID-START",
// with the process's start time, so that another of the same number is not taken for it. A guardian,
// a process of its own in a session of its own, cleans up as soon as its owner is gone, killed or not;
// if both are killed at once, the next start does. One thread.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include "core/base/result.h"
#include "core/system/cgroup.h"

namespace overlane
{

struct PressureTraces {
    CgroupHierarchy hierarchy;
    std::string group;     // its name
    std::string swapFile;  // its path
};

// Of this process. The folder is named from the root: the guardian that uses the path stands elsewhere.
Result<PressureTraces> pressureTraces(const CgroupHierarchy& hierarchy, const std::string& folder);

// Ends what runs in the group, removes it, switches the swap off and removes the file, in this order:
// pages of ended processes need not come back. The Error says what is left and how to remove it.
Result<void> removeTraces(const PressureTraces& traces);

// What processes that are no more left here: their groups, and their swap files in the folder or in use.
std::vector<PressureTraces> leftTraces(const CgroupHierarchy& hierarchy, const std::string& folder);

// Owns the pipe whose end tells the guardian that its owner is gone.
class PressureGuardian
{
public:
    // Forks: no other thread of this process may hold a lock of its own at the time.
    static Result<PressureGuardian> start(const PressureTraces& traces);
    PressureGuardian(PressureGuardian&& other) noexcept;
    PressureGuardian& operator=(PressureGuardian&&) = delete;
    ~PressureGuardian();  // as finish()

    pid_t pid() const { return m_pid; }
    // Whether it still watches.
    bool watches();
    // Lets it clean up and waits for it; cleans up itself what it could not.
    Result<void> finish();

private:
    PressureGuardian(pid_t pid, int pipe, PressureTraces traces);

    pid_t m_pid;
    int m_pipe;
    PressureTraces m_traces;
};

}  // namespace overlane
