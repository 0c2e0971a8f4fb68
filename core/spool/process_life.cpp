#include "core/spool/process_life.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "core/spool/spool_clock.h"

namespace overlane
{
namespace
{

// Numbers of proc(5)'s fields of /proc/PID/stat.
constexpr int kState = 3;
constexpr int kThreads = 20;
constexpr int kStartTicks = 22;
// Times of a process are cut to ticks, and its spool is opened after its start.
constexpr std::int64_t kSlackNs = 1'000'000'000;

template <typename Number>
const char* parse(const char* at, const char* end, Number& number)
{
    return std::from_chars(at, end, number).ptr;
}

}  // namespace

SpoolOwner spoolOwner(std::string_view fileName)
{
    SpoolOwner owner;
    const char* const end = fileName.data() + fileName.size();
    const char* at = parse(fileName.data(), end, owner.pid);
    if (at != end && *at == '-')
        parse(at + 1, end, owner.sinceNs);
    return owner;
}

bool mayLive(const SpoolOwner& owner)
{
    return owner.pid > 0 && (::kill(owner.pid, 0) == 0 || errno != ESRCH);
}

bool lives(const SpoolOwner& owner)
{
    if (!mayLive(owner))
        return false;
    const int file = ::open(("/proc/" + std::to_string(owner.pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno != ENOENT;  // unknown counts as alive
    std::array<char, 1024> text{};
    const ssize_t got = ::read(file, text.data(), text.size());
    ::close(file);
    return livesAsStatSays(std::string_view(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0), owner,
                           monotonicNs(), readClock(CLOCK_BOOTTIME), sysconf(_SC_CLK_TCK));
}

bool livesAsStatSays(std::string_view stat, const SpoolOwner& owner, std::int64_t monotonicNs, std::int64_t bootNs,
                     std::int64_t ticksPerSecond)
{
    // A program's name may hold anything; the fields behind its last parenthesis cannot.
    const auto name = stat.rfind(')');
    if (name == std::string_view::npos)
        return false;
    char state = '?';
    std::int64_t threads = 0;
    std::int64_t startTicks = 0;
    int field = kState - 1;
    for (std::size_t at = name + 1; at < stat.size() && field < kStartTicks;) {
        const auto next = stat.find_first_of(" \n", at);
        const std::string_view word = stat.substr(at, next == std::string_view::npos ? next : next - at);
        if (!word.empty())
            switch (++field) {
                case kState:
                    state = word.front();
                    break;
                case kThreads:
                    parse(word.data(), word.data() + word.size(), threads);
                    break;
                case kStartTicks:
                    parse(word.data(), word.data() + word.size(), startTicks);
                    break;
                default:
                    break;
            }
        at = next == std::string_view::npos ? stat.size() : next + 1;
    }
    // A first thread that ended leaves the process as it is while others run.
    if ((state == 'Z' || state == 'X') && threads <= 1)
        return false;
    if (ticksPerSecond <= 0 || owner.sinceNs <= 0)
        return true;
    const std::int64_t startNs = startTicks * (1'000'000'000 / ticksPerSecond) - (bootNs - monotonicNs);
    return startNs <= owner.sinceNs + kSlackNs;
}

}  // namespace overlane
