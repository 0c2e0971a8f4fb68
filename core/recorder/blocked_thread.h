// BlockedThread: where a thread of another process waits, without stopping it: what it asked the kernel for, and its
// stack.
//
// From /proc/PID/task/TID/syscall, which only a parent or the same user may read. Owns that file, and the memory of
// the last stack. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/base/descriptor.h"
#include "core/recorder/stack_dump.h"

namespace overlane
{

class BlockedThread
{
public:
    BlockedThread(pid_t process, pid_t thread);

    enum class State : std::uint8_t {
        Runs,
        Blocked,
        Unknown,  // it is gone, or may not be looked at
    };
    State look();

    // Of one that is blocked, as look() found it. Where it is: the same for as long as it stays.
    struct Place {
        std::int64_t call = -1;  // of the kernel; -1: none, as a page that is loaded
        std::uint64_t stackAt = 0;
        std::uint64_t pc = 0;
        bool operator==(const Place&) const = default;
    };
    const Place& place() const { return m_place; }
    // Its stack, read now; empty where that is refused. Valid until the next call.
    StackDump dump(std::int64_t timeNs);

private:
    pid_t m_process;
    pid_t m_thread;
    Descriptor m_file;
    Place m_place;
    std::vector<std::byte> m_stack;
};

// "kernel futex": what a thread waits in, as a function of a stack.
std::string_view kernelCallName(std::int64_t call);

}  // namespace overlane
