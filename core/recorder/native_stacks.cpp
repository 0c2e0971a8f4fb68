#include "core/recorder/native_stacks.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "core/base/units.h"
#include "core/recorder/module_file.h"
#include "core/spool/process_life.h"
#include "core/spool/spool_clock.h"
#include "core/spool/spool_format.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::int64_t kLookNs = 50'000'000;
constexpr std::int64_t kFollowNs = 100'000'000;
constexpr std::int64_t kFlushNs = 500'000'000;
constexpr std::int64_t kShortestTickNs = 1'000'000;
constexpr std::int64_t kLongestTickNs = 20'000'000;
constexpr std::size_t kMostProcesses = 32;
constexpr std::size_t kMostThreads = 256;
constexpr std::size_t kDescriptorsPerThread = 2;
// Fewer looks left out than these are not worth a sentence.
constexpr double kLeftOutWorthSaying = 0.05;
constexpr std::uint64_t kFewestLooks = 50;

// "123-456.spool": of a process itself, not of a hook inside.
bool isOfProcess(std::string_view name)
{
    const std::string_view suffix = spool::kFileSuffix;
    if (!name.ends_with(suffix))
        return false;
    name.remove_suffix(suffix.size());
    return std::count(name.begin(), name.end(), '-') == 1 &&
           name.find_first_not_of("0123456789-") == std::string_view::npos;
}

std::chrono::nanoseconds tickOf(std::int64_t periodNs)
{
    return std::chrono::nanoseconds(std::clamp(periodNs, kShortestTickNs, kLongestTickNs));
}

}  // namespace

bool hasPython(pid_t process)
{
    std::error_code error;
    const std::string program = fs::read_symlink(fmt::format("/proc/{}/exe", process), error).filename().string();
    if (program.starts_with("python") || program.starts_with("pypy"))
        return true;
    return memoryMaps(process).find("/libpython") != std::string::npos;
}

std::string nativeStacksRefused(int error)
{
    constexpr std::string_view kWithout =
        "The program's untraced host code has no names in this trace, because its stacks could not be looked at";
    switch (error) {
        case EACCES:
        case EPERM:
        case ENOSYS:
            return fmt::format(
                "{} (perf_event_open: {}): let the administrator set kernel.perf_event_paranoid to 2 (sysctl); in a "
                "container add the capability PERFMON, or a seccomp profile that allows perf_event_open.",
                kWithout, std::strerror(error));
        case ENOMEM:
            return fmt::format("{}: raise the memory that may be locked (ulimit -l).", kWithout);
        case EMFILE:
        case ENFILE:
            return fmt::format("{}: raise the number of open files (ulimit -n).", kWithout);
        default:
            return fmt::format("{} (perf_event_open: {}).", kWithout, std::strerror(error));
    }
}

NativeStacks::NativeStacks(std::string directory, std::int64_t periodNs, OpenPerfEvent opener)
    : m_directory(std::move(directory)), m_periodNs(periodNs), m_opener(std::move(opener)), m_thread([this] { run(); })
{
}

NativeStacks::~NativeStacks()
{
    stop();
}

void NativeStacks::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

std::vector<std::string> NativeStacks::takeNotes()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_notes, {});
}

void NativeStacks::note(std::string sentence)
{
    const std::lock_guard lock(m_mutex);
    if (m_noted.insert(sentence).second)
        m_notes.push_back(std::move(sentence));
}

void NativeStacks::run()
{
    RecordControl control = RecordControl::open(m_directory.c_str());
    std::int64_t lookedNs = 0;
    std::int64_t followedNs = 0;
    std::int64_t flushedNs = 0;
    for (bool stopped = false; !stopped;) {
        const RecordState state = control.valid() ? control.state() : RecordState::Record;
        if (state == RecordState::Stop)
            break;
        const std::int64_t nowNs = monotonicNs();
        const auto isDue = [&](std::int64_t& lastNs, std::int64_t periodNs) {
            const bool due = nowNs - lastNs >= periodNs;
            lastNs = due ? nowNs : lastNs;
            return due;
        };
        if (state == RecordState::Record && !m_isRefused) {
            if (isDue(lookedNs, kLookNs))
                findProcesses();
            if (isDue(followedNs, kFollowNs))
                for (const auto& process : m_processes)
                    process->follow(std::min(process->threads() + mostThreads(), NativeProcess::kMostThreads));
            readAll();
            noteRefusals();
            if (isDue(flushedNs, kFlushNs))
                flushAll(control);
            endOver();
        }
        std::unique_lock lock(m_mutex);
        stopped = m_wake.wait_for(lock, tickOf(m_periodNs), [this] { return m_stopped; });
    }
    readAll();
    for (const auto& process : m_processes)
        process->end();
    flushAll(control);
    noteLeftOut();
}

// Further ones, beside those that are looked at.
std::size_t NativeStacks::mostThreads() const
{
    rlimit descriptors{};
    const std::size_t mayOpen =
        ::getrlimit(RLIMIT_NOFILE, &descriptors) == 0 ? static_cast<std::size_t>(descriptors.rlim_cur) : 0;
    // Half of them are for the recording itself.
    const std::size_t most = std::min(kMostThreads, mayOpen / 2 / kDescriptorsPerThread);
    std::size_t taken = 0;
    for (const auto& process : m_processes)
        taken += process->threads();
    return most - std::min(taken, most);
}

void NativeStacks::findProcesses()
{
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator entry(m_directory, error), end; !error && entry != end; entry.increment(error)) {
        std::string name = entry->path().filename().string();
        if (isOfProcess(name) && m_known.insert(name).second)
            found.push_back(std::move(name));
    }
    for (const std::string& name : found)
        follow(name);
}

void NativeStacks::follow(const std::string& spool)
{
    const SpoolOwner owner = spoolOwner(spool);
    if (owner.pid == ::getpid() || !lives(owner) || hasPython(owner.pid))
        return;
    if (!NativeCode::isAvailable()) {
        m_isRefused = true;
        return note(
            "The program's untraced host code has no names in this trace, because this copy of Overlane was built "
            "without libdw (package libdw-dev), which reads stacks.");
    }
    // Another program that the process became, which has begun a spool of its own.
    for (const auto& process : m_processes)
        if (process->id() == owner.pid)
            process->endAsOther();
    endOver();
    if (m_processes.size() >= kMostProcesses || mostThreads() == 0)
        return note(
            fmt::format("Of some processes no stacks were recorded: no more than {} at a time, and {} threads, "
                        "are looked at.",
                        kMostProcesses, kMostThreads));
    auto process = std::make_unique<NativeProcess>(owner.pid, m_periodNs, m_opener, m_counts);
    process->follow(std::min(mostThreads(), NativeProcess::kMostThreads));
    if (process->threads() == 0 || !process->open(m_directory))
        return noteRefusals();
    m_known.insert(fs::path(process->spoolPath()).filename().string());
    m_processes.push_back(std::move(process));
}

void NativeStacks::readAll()
{
    for (const auto& process : m_processes)
        process->read(m_budget);
}

void NativeStacks::flushAll(RecordControl& control)
{
    for (const auto& process : m_processes) {
        const std::uint64_t bytes = process->flush();
        if (control.valid() && bytes > 0)
            control.addBytes(bytes);
        if (control.valid() && process->error() != 0)
            control.tellWriteError(process->error());
    }
}

void NativeStacks::endOver()
{
    for (const auto& process : m_processes)
        if (process->isOver()) {
            process->read(m_budget);
            process->end();
            process->flush();
        }
    std::erase_if(m_processes, [](const auto& process) { return process->isOver(); });
}

void NativeStacks::noteRefusals()
{
    if (const int error = std::exchange(m_counts.refused, 0); error != 0) {
        m_isRefused = m_processes.empty();
        note(nativeStacksRefused(error));
    }
    if (const int error = std::exchange(m_counts.refusedLater, 0); error == ENOMEM || error == EMFILE)
        note(fmt::format("Of some threads no stacks were recorded: {}.",
                         error == ENOMEM ? "raise the memory that may be locked (ulimit -l)"
                                         : "raise the number of open files (ulimit -n)"));
}

void NativeStacks::noteLeftOut()
{
    const auto looks = static_cast<double>(std::max(m_counts.looks, kFewestLooks));
    const double share = static_cast<double>(m_counts.leftOut) / looks;
    if (share >= kLeftOutWorthSaying)
        note(
            fmt::format("{} of the looks at the program's stacks were left out, so that the recorder takes no more "
                        "than a tenth of a core; look less often (--stack-period).",
                        formatShare(share)));
}

}  // namespace overlane
