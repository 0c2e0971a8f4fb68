#include "core/remote/ssh_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <random>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/remote/shell_words.h"
#include "core/remote/ssh_words.h"

namespace overlane
{
namespace
{

constexpr int kLookMs = 100;
constexpr std::size_t kBlockBytes = 1 << 16;
constexpr std::size_t kMostWordsBytes = 1 << 16;
// What a login file may print before the answer.
constexpr std::size_t kMostNoiseBytes = 1 << 20;

std::string newMark()
{
    std::random_device random;
    return fmt::format("overlane-{:08x}{:08x}", random(), random());
}

bool isReady(const Descriptor& file, short what, int waitMs)
{
    pollfd ready{file.get(), what, 0};
    return ::poll(&ready, 1, waitMs) > 0;
}

}  // namespace

SshProcess::SshProcess(ChildProcess child, std::string host, std::string script)
    : m_child(child), m_host(std::move(host)), m_script(std::move(script))
{
}

SshProcess::SshProcess(SshProcess&& other) noexcept
    : m_child(std::exchange(other.m_child, {})),
      m_host(std::move(other.m_host)),
      m_script(std::move(other.m_script)),
      m_mark(std::move(other.m_mark)),
      m_pending(std::move(other.m_pending)),
      m_input(std::move(other.m_input)),
      m_output(std::move(other.m_output)),
      m_words(std::move(other.m_words))
{
}

SshProcess::~SshProcess()
{
    if (!m_child || m_child->poll())
        return;
    m_child->signal(SIGTERM);
    m_child->wait();
}

Result<SshProcess> SshProcess::start(std::vector<std::string> command, std::string host, std::string_view script,
                                     bool deafToKeys)
{
    // A socket as standard input, so that a program that has ended is an error of send() and not a signal.
    std::array<int, 2> input{-1, -1};
    std::array<int, 2> output{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0)
        return Error{fmt::format("ssh cannot be started: {}.", std::strerror(errno))};
    Descriptor inputHere(input[0]);
    const Descriptor inputThere(input[1]);
    if (::pipe2(output.data(), O_CLOEXEC) != 0)
        return Error{fmt::format("ssh cannot be started: {}.", std::strerror(errno))};
    Descriptor outputHere(output[0]);
    const Descriptor outputThere(output[1]);
    Descriptor words(::memfd_create("ssh", MFD_CLOEXEC));
    const std::string mark = newMark();
    std::string whole = fmt::format("printf '\\n%s\\n' {}\n{}", mark, script);
    command.push_back(loginCommand(whole.size()));
    ProgramStart start;
    start.command = std::move(command);
    start.inputFile = inputThere.get();
    start.outputFile = outputThere.get();
    start.errorFile = words.get();
    start.deafToKeys = deafToKeys;
    auto child = ChildProcess::start(start);
    if (!child.ok())
        return Error{fmt::format("{} Install OpenSSH's client, so that `ssh {}` works.", child.error(), host)};
    SshProcess process(child.value(), std::move(host), std::move(whole));
    process.m_mark = "\n" + mark + "\n";
    process.m_input = std::move(inputHere);
    process.m_output = std::move(outputHere);
    process.m_words = std::move(words);
    return process;
}

Result<void> SshProcess::begin(const Progress& progress)
{
    ASSIGN_OR_RETURN(const bool taken, send(m_script, progress));
    std::string seen;
    while (taken && seen.size() < kMostNoiseBytes) {
        if (progress.cancelled())
            return Error::cancelled();
        const std::optional<std::string> bytes = read(kLookMs);
        if (!bytes)
            continue;
        seen += *bytes;
        if (const std::size_t at = seen.find(m_mark); at != std::string::npos) {
            m_pending = seen.substr(at + m_mark.size());
            return {};
        }
        if (bytes->empty())
            break;
    }
    m_output = Descriptor();
    m_input = Descriptor();
    if (progress.cancelled())
        return Error::cancelled();
    const ProgramEnd ended = m_child->wait();
    if (ended.exitCode == kSshFailed || ended.signal != 0)
        return sshFailure(m_host, words());
    return noShell(m_host, words().empty() ? seen : words());
}

Result<bool> SshProcess::send(std::string_view bytes, const Progress& progress)
{
    while (!bytes.empty()) {
        if (progress.cancelled())
            return Error::cancelled();
        if (!isReady(m_input, POLLOUT, kLookMs))
            continue;
        const ssize_t sent =
            ::send(m_input.get(), bytes.data(), std::min(bytes.size(), kBlockBytes), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        bytes.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
    }
    return true;
}

void SshProcess::endInput()
{
    m_input = Descriptor();
}

std::optional<std::string> SshProcess::read(int waitMs)
{
    if (!m_pending.empty())
        return std::exchange(m_pending, {});
    if (!isReady(m_output, POLLIN, waitMs))
        return {};
    std::string bytes(kBlockBytes, '\0');
    const ssize_t count = ::read(m_output.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
        return {};
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
}

Result<std::string> SshProcess::readAll(const Progress& progress)
{
    std::string all;
    for (;;) {
        if (progress.cancelled())
            return Error::cancelled();
        const std::optional<std::string> bytes = read(kLookMs);
        if (bytes && bytes->empty())
            return all;
        all += bytes.value_or(std::string());
    }
}

Result<void> SshProcess::end(const Progress& progress)
{
    endInput();
    while (!m_child->poll()) {
        if (progress.cancelled())
            return Error::cancelled();
        ::poll(nullptr, 0, 10);
    }
    const ProgramEnd ended = m_child->wait();
    if (ended.exitCode == kSshFailed || ended.signal != 0)
        return sshFailure(m_host, words());
    if (ended.exitCode != 0)
        return scriptFailure(m_host, words());
    return {};
}

std::string SshProcess::words() const
{
    std::string text(kMostWordsBytes, '\0');
    const ssize_t count = ::pread(m_words.get(), text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
}

}  // namespace overlane
