#include "core/remote/ssh_words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/printable_text.h"

namespace overlane
{
namespace
{

struct Reason {
    std::string_view words;  // of OpenSSH
    std::string_view what;
    std::string_view next;
};

// The first that is found: ssh says of a changed key that the verification failed, too.
constexpr std::array kReasons{
    Reason{
        "REMOTE HOST IDENTIFICATION HAS CHANGED", "the key of {} is another one than the key known here",
        "Ask its administrator; if the new key is right, remove the old one with ssh-keygen -R, then run `ssh HOST`."},
    Reason{"Host key verification failed", "the key of {} is not known here", "Run `ssh HOST` once and confirm it."},
    Reason{"Permission denied", "{} refused the login", "Run `ssh HOST` until it succeeds, then try again."},
    Reason{"Too many authentication failures", "{} refused the login",
           "Name the key to use in ~/.ssh/config (IdentityFile, IdentitiesOnly)."},
    Reason{"Could not resolve hostname", "no machine named {} was found", "Check the name, or ~/.ssh/config."},
    Reason{"Connection refused", "{} cannot be reached", "Check its name and port, and that sshd runs there."},
    Reason{"timed out", "{} cannot be reached", "Check its name and the network, then try again."},
    Reason{"No route to host", "{} cannot be reached", "Check its name and the network, then try again."},
};

std::string lineWith(std::string_view text, std::string_view words)
{
    const std::size_t at = text.find(words);
    const std::size_t before = text.rfind('\n', at);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return lastLine(text.substr(begin, text.find('\n', at) - begin));
}

std::string said(const std::string& line)
{
    if (line.empty())
        return "it gave no reason";
    return line.starts_with("ssh: ") ? line : fmt::format("ssh: {}", line);
}

}  // namespace

std::string lastLine(std::string_view text)
{
    constexpr std::string_view kAround = " \t\r\n@.";
    const std::size_t last = text.find_last_not_of(kAround);
    if (last == std::string_view::npos)
        return {};
    text = text.substr(0, last + 1);
    const std::size_t before = text.find_last_of("\r\n");
    text = text.substr(before == std::string_view::npos ? 0 : before + 1);
    text.remove_prefix(std::min(text.find_first_not_of(kAround), text.size()));
    constexpr std::size_t kMostBytes = 300;
    return printableText(text.substr(0, kMostBytes), TextLines::One);
}

Error sshFailure(const std::string& host, std::string_view words)
{
    for (const Reason& reason : kReasons) {
        if (words.find(reason.words) == std::string_view::npos)
            continue;
        std::string next(reason.next);
        for (std::size_t at = 0; (at = next.find("HOST", at)) != std::string::npos; at += host.size())
            next.replace(at, 4, host);
        return Error{fmt::format("{} ({}). {}", fmt::format(fmt::runtime(reason.what), host),
                                 said(lineWith(words, reason.words)), next)};
    }
    return Error{fmt::format("the connection to {} failed ({}). Run `ssh {}` until it succeeds, then try again.", host,
                             said(lastLine(words)), host)};
}

Error scriptFailure(const std::string& host, std::string_view words)
{
    for (const std::string_view full : {"No space left on device", "Disk quota exceeded"})
        if (words.find(full) != std::string_view::npos)
            return Error{
                fmt::format("{} has no room left ({}). Make room there, or name another folder with --host-folder.",
                            host, lineWith(words, full))};
    return Error{fmt::format("{}: {}.", host, lastLine(words))};
}

Error noShell(const std::string& host, std::string_view words)
{
    const std::string line = lastLine(words);
    return Error{fmt::format("{} did not run a POSIX shell: `ssh {} /bin/sh` must work there{}.", host, host,
                             line.empty() ? std::string() : fmt::format("; it printed: {}", line))};
}

}  // namespace overlane
