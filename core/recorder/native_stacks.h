// NativeStacks: looks at the stacks of recorded programs in C++, CUDA and other compiled languages from outside, while
// they run, and writes them into the recording's directory, a spool for each process.
//
// The programs are never stopped and know nothing of it. Looked at is every process that records itself, but for those
// with a Python interpreter, whose stacks come from a hook inside. Bounded are threads, descriptors and the processor
// time; what is left out for that is said. Owns one thread; start and stop() from one other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>
#include <unordered_set>
#include <vector>

#include "core/recorder/native_process.h"
#include "core/recorder/perf_ring.h"
#include "core/recorder/stack_budget.h"
#include "core/spool/record_control.h"

namespace overlane
{

class NativeStacks
{
public:
    // `directory` is that of the recording, with its control file; `periodNs` the mean distance of two looks.
    NativeStacks(std::string directory, std::int64_t periodNs, OpenPerfEvent opener = openPerfEvent);
    ~NativeStacks();
    NativeStacks(const NativeStacks&) = delete;
    NativeStacks& operator=(const NativeStacks&) = delete;

    // Looks no more; everything so far is written.
    void stop();
    // Sentences since the last call: what could not be recorded, and what to do about it. Any thread.
    std::vector<std::string> takeNotes();

private:
    void run();
    void findProcesses();
    void follow(const std::string& spool);
    std::size_t mostThreads() const;
    void readAll();
    void flushAll(RecordControl& control);
    void endOver();
    void noteRefusals();
    void noteLeftOut();
    void note(std::string sentence);

    const std::string m_directory;
    const std::int64_t m_periodNs;
    const OpenPerfEvent m_opener;
    std::unordered_set<std::string> m_known;  // names of spools that were looked at, or are ours
    std::vector<std::unique_ptr<NativeProcess>> m_processes;
    StackBudget m_budget;
    NativeCounts m_counts;
    bool m_isRefused = false;  // for all: nothing is tried again
    std::mutex m_mutex;        // of what follows
    std::condition_variable m_wake;
    bool m_stopped = false;
    std::vector<std::string> m_notes;
    std::unordered_set<std::string> m_noted;
    std::thread m_thread;
};

// Whether a process has a Python interpreter, by its program and what it has loaded.
bool hasPython(pid_t process);
// What is said where stacks may not be looked at, by the errno of the system.
std::string nativeStacksRefused(int error);

}  // namespace overlane
