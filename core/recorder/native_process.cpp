#include "core/recorder/native_process.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <functional>
#include <memory>
#include <poll.h>
#include <string_view>
#include <utility>
#include <vector>

#include "core/recorder/module_file.h"
#include "core/recorder/perf_record.h"
#include "core/spool/spool_clock.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kShortestRefreshNs = 1'000'000'000;
constexpr std::int64_t kLongestRefreshNs = 16'000'000'000;
// A thread that did not run for longer only waits: it is looked at less often, and its looks are told as one.
constexpr std::int64_t kAwakeNs = 5'000'000'000;
constexpr std::int64_t kLongestWaitNs = 500'000'000;
constexpr std::int64_t kPeriodsPerIdleLook = 5;
constexpr std::size_t kMostNames = 200'000;

// What stands below the first function of every program and of every thread.
bool isStartOfThread(std::string_view name)
{
    const std::string_view function = name.substr(std::min(name.find(' ') + 1, name.size()));
    return function == "_start" || function == "start_thread" || function.starts_with("__libc_start") ||
           function == "clone" || function == "clone3" || function == "__clone" || function == "__clone3" ||
           function.starts_with("std::thread::_") || function.starts_with("libstdc++.so");
}

// Distances that differ from thread to thread, so that no loop keeps step with all of them.
std::int64_t periodOf(std::int64_t meanNs, pid_t thread)
{
    const auto part = static_cast<std::int64_t>((static_cast<std::uint32_t>(thread) * 2654435761U) >> 24);  // of 256
    return meanNs - meanNs / 10 + meanNs / 5 * part / 256;
}

}  // namespace

NativeProcess::NativeProcess(pid_t process, std::int64_t periodNs, const OpenPerfEvent& opener, NativeCounts& counts)
    : m_process(process),
      m_periodNs(periodNs),
      m_opener(opener),
      m_counts(counts),
      m_executable(processLink(process, "exe")),
      m_code(process)
{
}

bool NativeProcess::open(const std::string& directory)
{
    refreshCode(monotonicNs());
    return m_spool.open(directory, m_process, monotonicNs());
}

void NativeProcess::follow(std::size_t mostThreads)
{
    std::vector<pollfd> events;
    for (const auto& thread : m_threads)
        events.push_back({thread->ring.descriptor(), 0, 0});
    // The end of a thread is the end of its event.
    if (::poll(events.data(), events.size(), 0) > 0)
        for (std::size_t at = 0; at < events.size(); ++at)
            m_threads[at]->isGone = (events[at].revents & (POLLHUP | POLLERR)) != 0;
    if (processLink(m_process, "exe") != m_executable) {  // also of a process that is gone
        m_isOver = true;
        return;
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(
        ::opendir(("/proc/" + std::to_string(m_process) + "/task").c_str()), ::closedir);
    // One thread reads its own folder; what a look costs is bounded, however many there are.
    std::size_t left = 4 * kMostThreads;
    while (folder && left-- > 0 && m_threads.size() < mostThreads) {
        const dirent* entry = ::readdir(folder.get());
        if (entry == nullptr)
            break;
        if (const pid_t thread = std::atoi(entry->d_name); thread > 0)
            add(thread, mostThreads);
    }
}

void NativeProcess::add(pid_t thread, std::size_t mostThreads)
{
    const bool isKnown =
        std::any_of(m_threads.begin(), m_threads.end(), [&](const auto& each) { return each->id == thread; });
    if (isKnown || m_threads.size() >= mostThreads)
        return;
    int error = 0;
    std::optional<PerfRing> ring = PerfRing::open(thread, periodOf(m_periodNs, thread), m_opener, error);
    if (ring)
        m_threads.push_back(std::make_unique<Thread>(Thread{thread, std::move(*ring), BlockedThread(m_process, thread),
                                                            thread == m_process ? monotonicNs() : 0}));
    else if (error != ESRCH)
        (m_threads.empty() ? m_counts.refused : m_counts.refusedLater) = error;
}

void NativeProcess::read(StackBudget& budget)
{
    for (std::size_t at = 0; at < m_threads.size(); ++at) {
        Thread& thread = *m_threads[(m_first + at) % m_threads.size()];
        readRing(thread, budget);
        lookAtBlocked(thread, budget);
    }
    // Where time does not suffice for all, it is another one's turn.
    m_first = m_threads.empty() ? 0 : (m_first + 1) % m_threads.size();
    for (const auto& thread : m_threads)
        if (thread->isGone)
            tellWait(*thread);
    std::erase_if(m_threads, [](const auto& thread) { return thread->isGone; });
}

void NativeProcess::readRing(Thread& thread, StackBudget& budget)
{
    while (!thread.ring.empty()) {
        const PerfRecord record = decodePerfRecord(thread.ring.take());
        m_counts.looks += record.lost;
        m_counts.leftOut += record.lost;
        if (record.kind != PerfRecord::Kind::Sample)
            continue;
        ++m_counts.looks;
        thread.ranNs = record.sample.timeNs;
        if (!budget.hasTime(monotonicNs(), threadCpuNs())) {
            ++m_counts.leftOut;
            continue;
        }
        tellWait(thread);
        m_spool.sample(record.sample.thread, nodeOf(record.sample, {}), record.sample.timeNs, record.sample.timeNs);
    }
}

// Of a thread that never ran for long enough to be seen nothing is told: it would only be a lane more.
void NativeProcess::lookAtBlocked(Thread& thread, StackBudget& budget)
{
    const std::int64_t nowNs = monotonicNs();
    const bool isAwake = nowNs - thread.ranNs < kAwakeNs;
    if (thread.isGone || thread.ranNs == 0 || nowNs < thread.nextLookNs)
        return;
    thread.nextLookNs = std::max(thread.nextLookNs + (isAwake ? 1 : kPeriodsPerIdleLook) * m_periodNs, nowNs);
    if (thread.blocked.look() != BlockedThread::State::Blocked)
        return tellWait(thread);
    const StackDump dump = thread.blocked.dump(nowNs);
    if (dump.stack.empty())  // its memory is gone already, or may not be read
        return tellWait(thread);
    const std::size_t hash =
        std::hash<std::string_view>()({reinterpret_cast<const char*>(dump.stack.data()), dump.stack.size()});
    if (!thread.waits || thread.place != thread.blocked.place() || thread.stackHash != hash) {
        tellWait(thread);
        ++m_counts.looks;
        if (!budget.hasTime(nowNs, threadCpuNs())) {
            ++m_counts.leftOut;
            return;
        }
        thread.node = nodeOf(dump, kernelCallName(thread.blocked.place().call));
        thread.waits = true;
        thread.place = thread.blocked.place();
        thread.stackHash = hash;
        thread.waitsFromNs = nowNs;
    }
    thread.waitsUntilNs = nowNs;
    thread.isUntold = true;
    if (isAwake)
        thread.waitsFromNs = nowNs;  // a look of that moment, as those while it runs
    if (isAwake || nowNs - thread.waitsFromNs >= kLongestWaitNs)
        tellLooks(thread);
}

void NativeProcess::tellLooks(Thread& thread)
{
    if (thread.isUntold)
        m_spool.sample(static_cast<std::uint32_t>(thread.id), thread.node, thread.waitsFromNs, thread.waitsUntilNs);
    thread.isUntold = false;
    thread.waitsFromNs = thread.waitsUntilNs;
}

// It waits there no more.
void NativeProcess::tellWait(Thread& thread)
{
    tellLooks(thread);
    thread.waits = false;
}

// Modules come and go; code without one may be of one that came since, or is never of any.
bool NativeProcess::refreshCode(std::int64_t nowNs)
{
    if (nowNs - m_refreshedNs < m_refreshPauseNs)
        return false;
    m_refreshedNs = nowNs;
    const bool isOther = m_code.refresh();
    if (isOther)
        m_names.clear();
    m_refreshPauseNs =
        isOther ? kShortestRefreshNs : std::clamp(2 * m_refreshPauseNs, kShortestRefreshNs, kLongestRefreshNs);
    return isOther;
}

const NativeProcess::Name& NativeProcess::nameOf(std::uint64_t address)
{
    if (m_names.size() >= kMostNames)
        m_names.clear();
    const auto [known, isNew] = m_names.try_emplace(address);
    if (isNew) {
        CodeName name = m_code.name(address);
        known->second = {std::move(name.text), std::move(name.module), name.isNamed, name.owner};
    }
    return known->second;
}

std::uint32_t NativeProcess::nodeOf(const StackDump& dump, std::string_view kernelCall)
{
    std::span<const std::uint64_t> functions = m_code.functions(dump);
    const bool mayBeOld = m_code.sawUnknownCode() || monotonicNs() - m_refreshedNs > kLongestRefreshNs;
    if (mayBeOld && refreshCode(monotonicNs()))
        functions = m_code.functions(dump);
    std::uint32_t node = spool::kNone;
    std::string module;  // of the last function
    bool hasProgram = false;
    for (auto address = functions.rbegin(); address != functions.rend(); ++address) {
        const Name& name = nameOf(*address);
        if (name.owner == CodeOwner::Recorder) {
            // What the recorder does in a program is no part of it, nor are its own threads.
            if (!hasProgram)
                return spool::kNone;
            break;
        }
        const bool saysNothing = !name.isNamed && name.module == module;
        if (saysNothing || (node == spool::kNone && isStartOfThread(name.text)))
            continue;
        hasProgram = hasProgram || name.owner == CodeOwner::Program;
        node = m_spool.node(node, name.text,
                            name.owner == CodeOwner::Program ? EventKind::ProgramFrame : EventKind::LibraryFrame);
        module = name.module;
    }
    return kernelCall.empty() || node == spool::kNone ? node : m_spool.node(node, kernelCall, EventKind::LibraryFrame);
}

void NativeProcess::end()
{
    for (const auto& thread : m_threads)
        tellWait(*thread);
    m_threads.clear();
    m_spool.end();
}

}  // namespace overlane
