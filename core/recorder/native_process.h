// NativeProcess: the stacks of one recorded process that the recorder looks at from outside.
//
// Every thread has a ring of looks while it runs (perf_ring.h); while it waits, it is looked at from here
// (blocked_thread.h), so that both count by the time they took. Follows threads as they come and go. Owns the rings,
// the code of the process and the spool. One thread, that of NativeStacks; nanoseconds of the spool's clock.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <sys/types.h>
#include <unordered_map>
#include <vector>

#include "core/recorder/blocked_thread.h"
#include "core/recorder/native_code.h"
#include "core/recorder/native_spool.h"
#include "core/recorder/perf_ring.h"
#include "core/recorder/stack_budget.h"

namespace overlane
{

struct NativeCounts {
    std::uint64_t looks = 0;
    std::uint64_t leftOut = 0;  // of the looks, for want of time or room
    int refused = 0;            // errno of the first thread that may not be looked at; 0 = none
    int refusedLater = 0;       // the same after others were
};

class NativeProcess
{
public:
    static constexpr std::size_t kMostThreads = 64;

    NativeProcess(pid_t process, std::int64_t periodNs, const OpenPerfEvent& opener, NativeCounts& counts);

    // False where there is no file for it.
    bool open(const std::string& directory);
    pid_t id() const { return m_process; }
    const std::string& spoolPath() const { return m_spool.path(); }
    std::size_t threads() const { return m_threads.size(); }

    // Looks for threads that came and went; at most `mostThreads` are looked at.
    void follow(std::size_t mostThreads);
    // Reads what was seen since the last time, as far as the budget goes.
    void read(StackBudget& budget);
    std::uint64_t flush() { return m_spool.flush(); }
    int error() const { return m_spool.error(); }
    // Whether the process is gone, or another program by now.
    bool isOver() const { return m_isOver; }
    // It is another program by now, whatever its name.
    void endAsOther() { m_isOver = true; }
    void end();

private:
    struct Thread {
        pid_t id;
        PerfRing ring;
        BlockedThread blocked;
        std::int64_t ranNs = 0;       // last seen running; the main thread counts as seen when it was found
        std::int64_t nextLookNs = 0;  // at where it waits
        bool isGone = false;
        // Where it waits, as last seen, and the looks at it that are not told yet.
        bool waits = false;
        std::uint32_t node = spool::kNone;
        BlockedThread::Place place{};
        std::size_t stackHash = 0;
        std::int64_t waitsFromNs = 0;
        std::int64_t waitsUntilNs = 0;
        bool isUntold = false;
    };
    struct Name {
        std::string text;
        std::string module;
        bool isNamed = false;
        CodeOwner owner = CodeOwner::Library;
    };

    void add(pid_t thread, std::size_t mostThreads);
    void readRing(Thread& thread, StackBudget& budget);
    void lookAtBlocked(Thread& thread, StackBudget& budget);
    void tellLooks(Thread& thread);
    void tellWait(Thread& thread);
    std::uint32_t nodeOf(const StackDump& dump, std::string_view kernelCall);
    const Name& nameOf(std::uint64_t address);
    bool refreshCode(std::int64_t nowNs);

    const pid_t m_process;
    const std::int64_t m_periodNs;
    const OpenPerfEvent& m_opener;
    NativeCounts& m_counts;
    const std::string m_executable;
    NativeSpool m_spool;
    NativeCode m_code;
    std::unordered_map<std::uint64_t, Name> m_names;  // by address
    std::vector<std::unique_ptr<Thread>> m_threads;   // in the order that they were found in
    std::size_t m_first = 0;                          // whose turn it is to be read first
    std::int64_t m_refreshedNs = 0;
    std::int64_t m_refreshPauseNs = 0;
    bool m_isOver = false;
};

}  // namespace overlane
