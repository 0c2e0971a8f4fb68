#include "core/pressure/pressure_cleanup.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text_file.h"
#include "core/system/swap_file.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* kPrefix = "overlane-pressure-";
constexpr const char* kSuffix = ".swap";
constexpr int kFirstOwnFile = 3;

// Field 22 of /proc/PID/stat, behind the name in brackets; empty where there is no such process.
std::string startTime(const std::string& process)
{
    const std::string text = textOfFile("/proc/" + process + "/stat");
    const std::size_t bracket = text.rfind(')');
    if (bracket == std::string::npos)
        return {};
    std::istringstream words(text.substr(bracket + 1));
    std::string word;
    for (int field = 3; field <= 22; ++field)
        words >> word;
    return word;
}

// "overlane-pressure-123-4567" of the group's name or the file's; none for others.
std::optional<std::string> markIn(std::string name)
{
    if (!name.starts_with(kPrefix))
        return std::nullopt;
    if (name.ends_with(kSuffix))
        name.resize(name.size() - std::strlen(kSuffix));
    return name;
}

std::string swapFileOf(const std::string& folder, const std::string& mark)
{
    return (fs::path(folder) / (mark + kSuffix)).string();
}

bool ownerLives(const std::string& mark)
{
    const std::string owner = mark.substr(std::strlen(kPrefix));
    const std::size_t dash = owner.find('-');
    if (dash == std::string::npos)
        return false;
    const std::string started = startTime(owner.substr(0, dash));
    return !started.empty() && started == owner.substr(dash + 1);
}

// Ignores what would end it before its owner, and holds nothing of its owner's open.
[[noreturn]] void guard(int pipe, const PressureTraces& traces)
{
    setsid();
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGUSR1, SIGUSR2})
        signal(number, SIG_IGN);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int standard = 0; standard < kFirstOwnFile; ++standard)
        dup2(nowhere, standard);
    if (pipe > kFirstOwnFile)
        close_range(kFirstOwnFile, static_cast<unsigned>(pipe) - 1, 0);
    close_range(static_cast<unsigned>(pipe) + 1, ~0U, 0);
    if (chdir("/") != 0)
        _exit(1);
    char byte = 0;
    while (read(pipe, &byte, 1) < 0 && errno == EINTR) {
    }
    _exit(removeTraces(traces).ok() ? 0 : 1);
}

}  // namespace

Result<PressureTraces> pressureTraces(const CgroupHierarchy& hierarchy, const std::string& folder)
{
    if (!folder.starts_with('/'))
        return Error{"The folder of the swap file must be named from the root, with a / before it: " + folder};
    const std::string mark = kPrefix + std::to_string(getpid()) + '-' + startTime(std::to_string(getpid()));
    return PressureTraces{hierarchy, mark, swapFileOf(folder, mark)};
}

Result<void> removeTraces(const PressureTraces& traces)
{
    const Result<void> group = removeMemoryGroup(traces.hierarchy, traces.group);
    const Result<void> file = endSwapFile(traces.swapFile);
    return group.ok() ? file : group;
}

std::vector<PressureTraces> leftTraces(const CgroupHierarchy& hierarchy, const std::string& folder)
{
    std::map<std::string, std::string> files;  // by mark
    for (const std::string& group : memoryGroupNames(hierarchy, kPrefix))
        files.try_emplace(group, swapFileOf(folder, group));
    const auto addFile = [&files](const fs::path& path) {
        if (path.extension() == kSuffix && isOwnFile(path.string()))
            if (const auto mark = markIn(path.filename().string()))
                files[*mark] = path.string();
    };
    std::error_code error;
    for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error))
        addFile(at->path());
    for (const SwapArea& area : swapAreas())
        addFile(area.path);
    std::vector<PressureTraces> left;
    for (const auto& [mark, file] : files)
        if (!ownerLives(mark))
            left.push_back({hierarchy, mark, file});
    return left;
}

Result<PressureGuardian> PressureGuardian::start(const PressureTraces& traces)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return Error{std::string("The guardian cannot be started: ") + std::strerror(errno) + "."};
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        guard(ends[0], traces);
    }
    close(ends[0]);
    if (pid < 0) {
        close(ends[1]);
        return Error{std::string("The guardian cannot be started: ") + std::strerror(errno) + "."};
    }
    return PressureGuardian(pid, ends[1], traces);
}

PressureGuardian::PressureGuardian(pid_t pid, int pipe, PressureTraces traces)
    : m_pid(pid), m_pipe(pipe), m_traces(std::move(traces))
{
}

PressureGuardian::PressureGuardian(PressureGuardian&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)),
      m_pipe(std::exchange(other.m_pipe, -1)),
      m_traces(std::move(other.m_traces))
{
}

PressureGuardian::~PressureGuardian()
{
    const Result<void> ignored = finish();
}

bool PressureGuardian::watches()
{
    return m_pid > 0 && waitpid(m_pid, nullptr, WNOHANG) == 0;
}

Result<void> PressureGuardian::finish()
{
    if (m_pipe < 0)
        return {};
    close(std::exchange(m_pipe, -1));
    while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return removeTraces(m_traces);  // nothing to do where the guardian did it
}

}  // namespace overlane
