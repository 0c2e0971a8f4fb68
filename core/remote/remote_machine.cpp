#include "core/remote/remote_machine.h"

#include <charconv>
#include <fmt/format.h>

#include "core/remote/shell_words.h"

namespace overlane
{
namespace
{

// Of the frames and options between the two sides; another number, and an installed copy is not used.
constexpr int kProtocol = 1;

constexpr std::string_view kScript = R"sh(
LC_ALL=C; export LC_ALL
umask 077
echo "system $(uname -s)"
echo "machine $(uname -m)"
echo "glibc $(getconf GNU_LIBC_VERSION 2>/dev/null)"
for tool in sha256sum mktemp tail head cut wc df grep find gzip; do
    command -v "$tool" >/dev/null 2>&1 || echo "missing $tool"
done
if [ -n "$asked" ]; then
    failed=$(mkdir -p -- "$asked" 2>&1) || echo "folder-error $failed"
    folder=$asked
else
    folder=${XDG_CACHE_HOME:-$HOME/.cache}/overlane
    if ! mkdir -p -- "$folder" 2>/dev/null || ! [ -w "$folder" ]; then
        folder=${TMPDIR:-/tmp}/overlane-$(id -u)
        failed=$(mkdir -p -- "$folder" 2>&1) || echo "folder-error $failed"
        if [ -h "$folder" ] || ! [ -O "$folder" ]; then echo "folder-error $folder is another user's"; fi
    fi
fi
if [ -d "$folder" ] && ! [ -w "$folder" ]; then echo "folder-error $folder: no right to write"; fi
cd -- "$folder" 2>/dev/null && echo "folder $(pwd -P)" && echo "free $(df -Pk . 2>/dev/null | tail -n 1)"
installed=$(command -v overlane 2>/dev/null) && {
    echo "installed $installed"
    echo "facts $("$installed" there facts 2>/dev/null)"
    echo "version $("$installed" --version 2>/dev/null | head -n 1)"
}
exit 0
)sh";

// The fourth column of POSIX's `df -Pk`, in kilobytes.
std::int64_t parseFree(std::string_view line)
{
    const auto words = wordsOfLine(line);
    constexpr std::size_t kColumns = 6;
    std::int64_t kilobytes = -1;
    // From behind, since the name of the disk may have spaces.
    if (words.size() >= kColumns) {
        const std::string& word = words[words.size() - 3];
        std::from_chars(word.data(), word.data() + word.size(), kilobytes);
    }
    return kilobytes < 0 ? -1 : kilobytes * 1024;
}

}  // namespace

std::string machineScript(std::string_view folder)
{
    return fmt::format("asked={}\n{}", shellWord(folder), kScript);
}

RemoteMachine parseMachine(std::string_view answer)
{
    RemoteMachine machine;
    while (!answer.empty()) {
        const std::size_t end = std::min(answer.find('\n'), answer.size());
        const std::string_view line = answer.substr(0, end);
        answer.remove_prefix(std::min(end + 1, answer.size()));
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string_view name = line.substr(0, space);
        const std::string value(line.substr(std::min(space + 1, line.size())));
        if (name == "system")
            machine.system = value;
        else if (name == "machine")
            machine.machine = value;
        else if (name == "glibc")
            machine.glibc = parseGlibc(value, "glibc ");
        else if (name == "missing" && machine.missing.empty())
            machine.missing = value;
        else if (name == "folder-error" && machine.folderError.empty())
            machine.folderError = value;
        else if (name == "folder")
            machine.folder = value;
        else if (name == "free")
            machine.freeBytes = parseFree(value);
        else if (name == "installed")
            machine.installed = value;
        else if (name == "facts")
            machine.installedFacts = value;
        else if (name == "version")
            machine.installedVersion = value;
    }
    return machine;
}

Result<void> checkMachine(const RemoteMachine& machine, const std::string& host)
{
    if (machine.system != "Linux")
        return Error{fmt::format("{} runs {}; Overlane records on Linux only.", host,
                                 machine.system.empty() ? "an unknown system" : machine.system)};
    if (!machine.missing.empty())
        return Error{
            fmt::format("{} has no command {}, which recording over ssh needs: install it there (package coreutils, "
                        "grep, findutils or gzip).",
                        host, machine.missing)};
    if (!machine.folderError.empty() || machine.folder.empty())
        return Error{fmt::format("{} has no folder for the recording ({}). Name one with --host-folder.", host,
                                 machine.folderError.empty() ? "none can be entered" : machine.folderError)};
    return {};
}

Result<void> checkCopy(const RemoteMachine& machine, const ToolFiles& tool, const std::string& host,
                       const std::string& version)
{
    if (machine.machine != tool.machine)
        return Error{fmt::format("{} has a processor of {}, and this Overlane runs on {}. Install Overlane {} there.",
                                 host, machine.machine, tool.machine, version)};
    if (!machine.glibc)
        return Error{fmt::format("{} has no glibc, and this Overlane needs {}. Install Overlane {} there.", host,
                                 glibcText(tool.glibc), version)};
    if (*machine.glibc < tool.glibc)
        return Error{
            fmt::format("{} has glibc {}, and this Overlane needs {}. Use the portable Overlane {} of a wheel "
                        "here, or install it there.",
                        host, glibcText(*machine.glibc), glibcText(tool.glibc), version)};
    return {};
}

std::string toolFacts(const std::string& version, bool records)
{
    return fmt::format("overlane-there {} {} {}", kProtocol, version, records ? "records" : "without-recording");
}

}  // namespace overlane
