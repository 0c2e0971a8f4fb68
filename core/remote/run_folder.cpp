#include "core/remote/run_folder.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/atomic_file.h"
#include "core/base/descriptor.h"
#include "core/base/process_news.h"
#include "core/base/text_file.h"
#include "core/remote/remote_frames.h"
#include "core/system/child_process.h"

namespace overlane
{
namespace
{

constexpr const char* kKeeper = "keeper";
constexpr const char* kOutput = "output";
constexpr const char* kErrors = "errors";
constexpr const char* kEnd = "end";
constexpr int kFollowMs = 100;
constexpr std::size_t kFrameBytes = 1 << 16;
constexpr std::array kPassedOn = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

Descriptor openToWrite(const std::string& folder, const char* name)
{
    return Descriptor(::open((folder + '/' + name).c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
}

void takeNoSignal(int) {}

// The session of the recorder; its files are open already.
[[noreturn]] void keepSession(const std::string& folder, const std::vector<std::string>& command, int output,
                              int errors)
{
    ::setsid();
    // They are the recorder's, which gets them as they were: what is caught here is not caught behind an exec().
    for (const int number : kPassedOn)
        std::signal(number, takeNoSignal);
    const Descriptor nothing(::open("/dev/null", O_RDWR));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ProgramStart start;
    start.command = command;
    ProgramEnd end{127, 0};
    if (auto child = ChildProcess::start(start); child.ok())
        end = child.value().wait();
    else
        dprintf(STDERR_FILENO, "overlane: %s\n", child.error().c_str());
    (void)writeWhole(folder + '/' + kEnd, jsonLine({{"exit", end.exitCode}, {"signal", end.signal}}));
    ::_exit(0);
}

bool writeFrame(int to, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(to, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    return true;
}

// A growing file, and how much of it has been told.
class Grown
{
public:
    Grown(const std::string& path, RemoteFrame::Kind kind, FollowFrom begin)
        : m_file(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), m_kind(kind)
    {
        if (begin == FollowFrom::Now)
            m_told = std::max<off_t>(::lseek(m_file.get(), 0, SEEK_END), 0);
    }
    // False where there is no reader.
    bool tell(int to)
    {
        std::string text(kFrameBytes, '\0');
        for (;;) {
            const ssize_t count = ::pread(m_file.get(), text.data(), kFrameBytes, m_told);
            if (count <= 0)
                return true;
            m_told += count;
            if (!writeFrame(to, bytesOf({m_kind, text.substr(0, static_cast<std::size_t>(count)), {}})))
                return false;
        }
    }

private:
    Descriptor m_file;
    RemoteFrame::Kind m_kind;
    off_t m_told = 0;
};

void passSignals(std::string& pending, pid_t session)
{
    constexpr std::string_view kSignal = "signal ";
    for (std::size_t end = 0; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1)) {
        int number = 0;
        if (pending.starts_with(kSignal))
            std::from_chars(pending.data() + kSignal.size(), pending.data() + end, number);
        for (const int passed : kPassedOn)
            if (number == passed && session > 1)
                ::kill(-session, number);
    }
}

std::optional<ProgramEnd> endOf(const std::string& folder)
{
    return readJsonLine(textOfFile(folder + '/' + kEnd), [](const nlohmann::json& json) {
        return ProgramEnd{json.at("exit"), json.at("signal")};
    });
}

// Some file systems of clusters know no locks.
bool hasNoLocks(int error)
{
    return error == ENOSYS || error == ENOLCK || error == EOPNOTSUPP;
}

bool isKept(const std::string& folder, pid_t session)
{
    const Descriptor keeper(::open((folder + '/' + kKeeper).c_str(), O_RDONLY | O_CLOEXEC));
    if (!keeper.valid() || ::flock(keeper.get(), LOCK_SH | LOCK_NB) == 0)
        return false;
    return hasNoLocks(errno) ? session > 1 && ::kill(session, 0) == 0 : errno == EWOULDBLOCK;
}

}  // namespace

Result<void> keepRun(const std::string& folder, const std::vector<std::string>& command)
{
    const Descriptor keeper = openToWrite(folder, kKeeper);
    const Descriptor output = openToWrite(folder, kOutput);
    const Descriptor errors = openToWrite(folder, kErrors);
    if (!keeper.valid() || !output.valid() || !errors.valid() ||
        (::flock(keeper.get(), LOCK_EX | LOCK_NB) != 0 && !hasNoLocks(errno)))
        return Error{fmt::format("{} cannot be written: {}.", folder, std::strerror(errno))};
    // The lock is that of the open file, so that it is the child's when this process has ended.
    const pid_t session = ::fork();
    if (session == 0)
        keepSession(folder, command, output.get(), errors.get());
    if (session < 0)
        return Error{fmt::format("the recorder cannot be started: {}.", std::strerror(errno))};
    return writeTextFile(folder + "/session", fmt::format("{}\n", session));
}

Result<void> followRun(const std::string& folder, FollowFrom begin, int from, int to)
{
    std::signal(SIGPIPE, SIG_IGN);
    Grown output(folder + '/' + kOutput, RemoteFrame::Kind::Output, begin);
    Grown errors(folder + '/' + kErrors, RemoteFrame::Kind::Errors, begin);
    const pid_t session = std::atoi(textOfFile(folder + "/session").c_str());
    std::string signals;
    std::string status;
    for (;;) {
        // In this order, so that nothing is missed that was written before the end.
        const bool kept = isKept(folder, session);
        const std::optional<ProgramEnd> end = endOf(folder);
        const std::string now = textOfFile(folder + '/' + run_folder::kStatus);
        if (!output.tell(to) || !errors.tell(to))
            return {};
        if (end)
            writeFrame(to, bytesOf({RemoteFrame::Kind::Ended, {}, *end}));
        else if (!kept)
            writeFrame(to, bytesOf({RemoteFrame::Kind::Lost, {}, {}}));
        if (end || !kept)
            return {};
        if (now != status && !now.empty() && !writeFrame(to, bytesOf({RemoteFrame::Kind::Status, now, {}})))
            return {};
        status = now;
        pollfd ready{from, POLLIN, 0};
        if (::poll(&ready, 1, kFollowMs) <= 0)
            continue;
        std::array<char, 256> bytes;
        const ssize_t count = ::read(from, bytes.data(), bytes.size());
        if (count == 0 || (count < 0 && errno != EINTR))
            return {};
        signals.append(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
        passSignals(signals, session);
    }
}

}  // namespace overlane
