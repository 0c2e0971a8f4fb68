#include "core/remote/tool_copy.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "core/base/descriptor.h"
#include "core/base/units.h"
#include "core/remote/gzip_stream.h"
#include "core/remote/shell_words.h"

namespace overlane
{
namespace
{

constexpr const char* kLibraryPath = "LD_LIBRARY_PATH";
constexpr const char* kOwnLibraries = "OVERLANE_OWN_LIBRARIES";
constexpr std::size_t kSendBytes = 1 << 18;
// For a recording to begin at all.
constexpr std::int64_t kLeastFreeBytes = 16 << 20;

std::string manifest(const std::vector<ToolFile>& files)
{
    std::string text;
    for (const ToolFile& file : files)
        text += fmt::format("{}  {}\n", file.hash, file.there);
    return text;
}

std::string enter(const std::string& folder)
{
    return fmt::format("LC_ALL=C; export LC_ALL\numask 077\nmkdir -p -- {0} && cd -- {0} || exit 1\n",
                       shellWord(folder));
}

// The files that are not there, or not as they are here.
Result<std::vector<ToolFile>> missingFiles(SshSession& session, const std::string& folder, const ToolFiles& tool,
                                           const Progress& progress)
{
    const std::string script =
        enter(folder) + "touch .\nsha256sum -c 2>/dev/null <<'END'\n" + manifest(tool.files) + "END\nexit 0";
    ASSIGN_OR_RETURN(const std::string answer, session.ask(script, progress));
    std::vector<ToolFile> missing;
    for (const ToolFile& file : tool.files)
        if (("\n" + answer).find("\n" + file.there + ": OK\n") == std::string::npos)
            missing.push_back(file);
    return missing;
}

// One stream of all files behind each other, which is cut there: commands that read more than they were asked to would
// otherwise take what the next one needs.
std::string takeScript(const std::string& folder, const std::vector<ToolFile>& files)
{
    std::string script = enter(folder);
    script +=
        "pack=pack.$$\ntrap 'rm -f \"$pack\"; find . -name \"*.$$\" -exec rm -f {} +' EXIT\ngzip -dc >\"$pack\" || "
        "exit 1\n";
    std::set<std::string> folders;
    std::int64_t begin = 1;
    for (const ToolFile& file : files) {
        const std::string parent = std::filesystem::path(file.there).parent_path().string();
        if (folders.insert(parent).second)
            script += fmt::format("mkdir -p {} || exit 1\n", parent);
        script += fmt::format(
            "tail -c +{1} \"$pack\" | head -c {2} >{0}.$$ && chmod 700 {0}.$$ && mv -f {0}.$$ {0} || exit 1\n",
            shellWord(file.there), begin, file.bytes);
        begin += file.bytes;
    }
    script += "sha256sum -c >/dev/null <<'END' || exit 1\n" + manifest(files) + "END\n";
    // Older ones, a month after their last use.
    script += "find .. -maxdepth 1 -name 'tool-*' -mtime +30 -exec rm -rf {} + 2>/dev/null\nexit 0";
    return script;
}

// Answers how many bytes went over.
Result<std::int64_t> sendFiles(SshProcess& process, const std::vector<ToolFile>& files, std::int64_t allBytes,
                               Progress& progress)
{
    std::int64_t sent = 0;
    std::int64_t over = 0;
    GzipStream gzip;
    std::string block(kSendBytes, '\0');
    for (const ToolFile& file : files) {
        const Descriptor here(::open(file.here.c_str(), O_RDONLY | O_CLOEXEC));
        for (std::int64_t left = file.bytes; left > 0;) {
            const ssize_t count =
                ::read(here.get(), block.data(), std::min<std::size_t>(block.size(), static_cast<std::size_t>(left)));
            if (count <= 0)
                return Error{fmt::format("{} cannot be read to its end.", file.here)};
            const std::string packed = gzip.add({block.data(), static_cast<std::size_t>(count)});
            ASSIGN_OR_RETURN(const bool taken, process.send(packed, progress));
            if (!taken)
                return over;  // its end says why
            over += static_cast<std::int64_t>(packed.size());
            left -= count;
            sent += count;
            progress.report(static_cast<double>(sent) / static_cast<double>(std::max<std::int64_t>(allBytes, 1)));
        }
    }
    const std::string rest = gzip.end();
    ASSIGN_OR_RETURN(const bool taken, process.send(rest, progress));
    return over + (taken ? static_cast<std::int64_t>(rest.size()) : 0);
}

}  // namespace

std::string RemoteTool::start() const
{
    if (libraries.empty())
        return shellWord(program);
    const std::string own = shellWord(libraries);
    return fmt::format("env {0}={1} {2}={1}${{{2}:+:\"${2}\"}} {3}", kOwnLibraries, own, kLibraryPath,
                       shellWord(program));
}

Result<RemoteTool> bringTool(SshSession& session, const RemoteMachine& machine, const std::string& version,
                             Progress& progress)
{
    RemoteTool tool;
    if (machine.installedFacts == toolFacts(version, true)) {
        tool.program = machine.installed;
        return tool;
    }
    if (machine.freeBytes >= 0 && machine.freeBytes < kLeastFreeBytes)
        return Error{fmt::format("{} has {} left in {}. Make room there, or name another folder with --host-folder.",
                                 session.host(), formatBytes(machine.freeBytes), machine.folder)};
    ASSIGN_OR_RETURN(const ToolFiles files, toolFiles());
    RETURN_IF_ERROR(checkCopy(machine, files, session.host(), version));
    if (!machine.installed.empty())
        tool.note =
            machine.installedFacts == toolFacts(version, false)
                ? fmt::format("the Overlane installed on {} cannot record; a copy of this one is used.", session.host())
                : fmt::format("{} has {}; a copy of this one ({}) is used.", session.host(),
                              machine.installedVersion.empty() ? "another Overlane" : machine.installedVersion,
                              version);
    tool.folder = fmt::format("{}/{}", machine.folder, files.folder());
    tool.program = fmt::format("{}/{}", tool.folder, kToolProgram);
    if (files.hasLibraries())
        tool.libraries = fmt::format("{}/{}", tool.folder, kToolLibraries);
    ASSIGN_OR_RETURN(const std::vector<ToolFile> missing, missingFiles(session, tool.folder, files, progress));
    std::int64_t bytes = 0;
    for (const ToolFile& file : missing)
        bytes += file.bytes;
    if (missing.empty())
        return tool;
    // Packed and cut, they are there twice for a moment.
    if (machine.freeBytes >= 0 && machine.freeBytes < 2 * bytes + kLeastFreeBytes)
        return Error{fmt::format(
            "{} has {} left in {}, and Overlane needs {} there. Make room, or name another folder "
            "with --host-folder.",
            session.host(), formatBytes(machine.freeBytes), machine.folder, formatBytes(2 * bytes + kLeastFreeBytes))};
    ASSIGN_OR_RETURN(SshProcess process, session.start(takeScript(tool.folder, missing), progress));
    ASSIGN_OR_RETURN(tool.sentBytes, sendFiles(process, missing, bytes, progress));
    RETURN_IF_ERROR(process.end(progress));
    return tool;
}

Result<void> removeTool(SshSession& session, const RemoteTool& tool, const Progress& progress)
{
    // With the folder above, where nothing else is in it.
    const std::string script = fmt::format(
        "cd -- {}/.. || exit 1\nfor run in run-*; do [ -d \"$run\" ] && exit 0; done\n"
        "rm -rf -- {} && rmdir \"$(pwd)\" 2>/dev/null\nexit 0",
        shellWord(tool.folder), shellWord(tool.folder));
    ASSIGN_OR_RETURN(const std::string answer, session.ask(script, progress));
    return {};
}

void restoreLibraryPath()
{
    const char* own = std::getenv(kOwnLibraries);
    const char* path = std::getenv(kLibraryPath);
    if (own == nullptr)
        return;
    const std::string_view now = path == nullptr ? "" : path;
    const std::string begin = std::string(own) + ":";
    if (now == own)
        ::unsetenv(kLibraryPath);
    else if (now.starts_with(begin))
        ::setenv(kLibraryPath, std::string(now.substr(begin.size())).c_str(), 1);
    ::unsetenv(kOwnLibraries);
}

}  // namespace overlane
