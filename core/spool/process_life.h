// Whether the process that wrote a spool still lives.
//
// Reads /proc of this machine; any thread. A process of another namespace of process ids, a
// container's, may be taken for one that is gone, or for another one.
#pragma once

#include <cstdint>
#include <string_view>

namespace overlane
{

// Who wrote a spool, as its file's name says: "PID-TIME[-WORD].spool".
struct SpoolOwner {
    std::int32_t pid = 0;
    std::int64_t sinceNs = 0;  // of the spool's clock: it lived then
};
SpoolOwner spoolOwner(std::string_view fileName);

// One system call: false only where no process has that number.
bool mayLive(const SpoolOwner& owner);
// False also for a process that ended and waits for its parent, and for a later one that got its number.
bool lives(const SpoolOwner& owner);

// What /proc/PID/stat says; an empty text is that of a process that is gone. `monotonicNs` and
// `bootNs` are the clocks' times now, `ticksPerSecond` the unit of the text's own times.
bool livesAsStatSays(std::string_view stat, const SpoolOwner& owner, std::int64_t monotonicNs, std::int64_t bootNs,
                     std::int64_t ticksPerSecond);

}  // namespace overlane
