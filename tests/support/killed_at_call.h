// Kills a piece of work at each of its calls that change files, one after the other.
//
// The work runs in a child that is traced. Linux only, as all of this.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace overlane::test
{

// Whether the call can leave something else on the disk than there was before.
inline bool changesFiles(std::uint64_t call)
{
    constexpr std::array kCalls = {
#ifdef SYS_open
        SYS_open,     SYS_mkdir,     SYS_unlink,   SYS_rename,   SYS_link,     SYS_rmdir,
#endif
        SYS_openat,   SYS_mkdirat,   SYS_unlinkat, SYS_renameat, SYS_linkat,   SYS_renameat2,
        SYS_pwrite64, SYS_ftruncate, SYS_write,    SYS_fsync,    SYS_fdatasync};
    for (const long each : kCalls)
        if (call == static_cast<std::uint64_t>(each))
            return true;
    return false;
}

// Runs `work` and kills it as it enters its call number `number` of those, from 0. False where it came to its
// end before, or where nothing may be traced here.
template <typename Work>
bool killedAtCall(int number, Work work)
{
    const pid_t child = ::fork();
    if (child == 0) {
        if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
            ::_exit(1);
        ::raise(SIGSTOP);
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFSTOPPED(status))
        return false;
    ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (long signal = 0;;) {
        ::ptrace(PTRACE_SYSCALL, child, nullptr, signal);
        ::waitpid(child, &status, 0);
        if (!WIFSTOPPED(status))
            return false;
        signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
        if (signal != 0)
            continue;
        __ptrace_syscall_info info{};
        ::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info);
        if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changesFiles(info.entry.nr) || number-- != 0)
            continue;
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        return true;
    }
}

}  // namespace overlane::test
