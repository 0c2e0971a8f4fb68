#include "core/remote/trace_fetch.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/descriptor.h"
#include "core/base/read_only.h"
#include "core/base/units.h"
#include "core/remote/run_folder.h"
#include "core/remote/shell_words.h"
#include "core/remote/tool_files.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".overlane";
constexpr const char* kPartEnding = ".part";
constexpr std::size_t kHashBytes = 64;
// Connections that broke, each behind some bytes more.
constexpr int kMostBreaks = 20;
constexpr int kReadMs = 100;

std::string enterRun(const std::string& run)
{
    return fmt::format(
        "LC_ALL=C; export LC_ALL\nrun={}\n"
        "cd -- \"$run\" 2>/dev/null && [ -f {} ] || {{ echo \"$run holds no recording of Overlane\" >&2; "
        "exit 1; }}\n",
        shellWord(run), run_folder::kMark);
}

// A file that grows here until it is whole.
class Part
{
public:
    static Result<Part> open(const std::string& path)
    {
        Part part;
        part.m_path = path;
        part.m_file = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
        if (!part.m_file.valid())
            return Error{fmt::format("{} cannot be written: {}.", path, std::strerror(errno))};
        if (::flock(part.m_file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return Error{fmt::format("{} is being written by another Overlane.", path)};
        part.m_bytes = ::lseek(part.m_file.get(), 0, SEEK_END);
        return part;
    }
    std::int64_t bytes() const { return m_bytes; }
    Result<void> empty()
    {
        m_bytes = 0;
        if (::ftruncate(m_file.get(), 0) != 0 || ::lseek(m_file.get(), 0, SEEK_SET) != 0)
            return Error{fmt::format("{} cannot be written: {}.", m_path, std::strerror(errno))};
        return {};
    }
    Result<void> add(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t count = ::write(m_file.get(), bytes.data(), bytes.size());
            if (count < 0 && errno != EINTR)
                return Error{fmt::format("{} cannot be written: {}.", m_path, std::strerror(errno))};
            const std::size_t taken = count > 0 ? static_cast<std::size_t>(count) : 0;
            bytes.remove_prefix(taken);
            m_bytes += static_cast<std::int64_t>(taken);
        }
        return {};
    }
    Result<void> rename(const std::string& path)
    {
        if (::fsync(m_file.get()) != 0 || ::rename(m_path.c_str(), path.c_str()) != 0)
            return Error{fmt::format("{} cannot be written: {}.", path, std::strerror(errno))};
        return {};
    }

private:
    std::string m_path;
    Descriptor m_file;
    std::int64_t m_bytes = 0;
};

struct Fetching {
    SshSession& session;
    const std::string& run;
    const RemoteTrace& trace;
    std::int64_t before;  // bytes of the traces that are here
    std::int64_t all;
    Progress& progress;
};

// What is missing of a trace, over one connection.
Result<void> fetchRest(const Fetching& fetching, Part& part)
{
    const std::string script =
        enterRun(fetching.run) +
        fmt::format("exec tail -c +{} -- {}/{}", part.bytes() + 1, run_folder::kTraces, shellWord(fetching.trace.name));
    ASSIGN_OR_RETURN(SshProcess process, fetching.session.start(script, fetching.progress));
    process.endInput();
    for (;;) {
        if (fetching.progress.cancelled())
            return Error::cancelled();
        const std::optional<std::string> bytes = process.read(kReadMs);
        if (!bytes)
            continue;
        if (bytes->empty())
            return process.end(fetching.progress);
        RETURN_IF_ERROR(part.add(*bytes));
        fetching.progress.report(static_cast<double>(fetching.before + part.bytes()) /
                                 static_cast<double>(std::max<std::int64_t>(fetching.all, 1)));
    }
}

Result<void> fetchBytes(const Fetching& fetching, Part& part)
{
    const std::int64_t whole = fetching.trace.bytes;
    for (int breaks = 0; part.bytes() != whole;) {
        const std::int64_t before = part.bytes();
        if (before > whole)
            RETURN_IF_ERROR(part.empty());
        const Result<void> got = fetchRest(fetching, part);
        if (part.bytes() == whole)
            break;
        if (got.isCancelled() || part.bytes() <= before || ++breaks >= kMostBreaks)
            return got.ok() ? Error{fmt::format("{} gave {} of {} bytes of {}.", fetching.session.host(), part.bytes(),
                                                whole, fetching.trace.name)}
                            : got.failure();
    }
    return {};
}

Result<void> fetchOne(const Fetching& fetching, const std::string& file)
{
    const std::string path = file + kPartEnding;
    ASSIGN_OR_RETURN(Part part, Part::open(path));
    bool fresh = part.bytes() == 0;
    for (;; fresh = true) {
        RETURN_IF_ERROR(fetchBytes(fetching, part));
        ASSIGN_OR_RETURN(const auto hashes, hashesOf(std::span(&path, 1)));
        if (hashes.front() == fetching.trace.hash)
            return part.rename(file);
        RETURN_IF_ERROR(part.empty());
        if (fresh)
            return Error{fmt::format("{} came over with other bytes than it has on {}.", fetching.trace.name,
                                     fetching.session.host())};
    }
}

Result<void> checkRoom(const std::string& folder, std::int64_t bytes)
{
    std::error_code error;
    const fs::space_info space = fs::space(folder.empty() ? "." : folder, error);
    if (!error && space.available < static_cast<std::uintmax_t>(std::max<std::int64_t>(bytes, 0)))
        return Error{fmt::format("there is room for {} here, and the trace has {}.",
                                 formatBytes(static_cast<std::int64_t>(space.available)), formatBytes(bytes))};
    return {};
}

}  // namespace

bool isNameOfTrace(std::string_view name)
{
    return name.ends_with(kEnding) && name.size() > kEnding.size() && name.front() != '.' &&
           name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

Result<RemoteTraces> parseTraces(std::string_view answer)
{
    RemoteTraces traces;
    while (!answer.empty()) {
        const std::size_t end = std::min(answer.find('\n'), answer.size());
        const std::string_view line = answer.substr(0, end);
        answer.remove_prefix(std::min(end + 1, answer.size()));
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string_view kind = line.substr(0, space);
        std::string_view rest = line.substr(std::min(space + 1, line.size()));
        if (kind == "tool") {
            traces.tool = rest;
        } else if (kind == "runs") {
            traces.goesOn = true;
        } else if (kind == "unfinished") {
            traces.unfinished.emplace_back(rest);
        } else if (kind == "trace") {
            RemoteTrace trace;
            const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), trace.bytes);
            rest.remove_prefix(static_cast<std::size_t>(number.ptr - rest.data()));
            if (number.ec != std::errc() || rest.size() < kHashBytes + 3)
                return Error{"the list of its traces came in another form."};
            trace.hash = rest.substr(1, kHashBytes);
            trace.name = rest.substr(kHashBytes + 2);
            if (!isNameOfTrace(trace.name))
                return Error{fmt::format("it has a trace named {}, which is not taken.", typedWord(trace.name))};
            traces.traces.push_back(std::move(trace));
        }
    }
    return traces;
}

Result<RemoteTraces> listTraces(SshSession& session, const std::string& run, const Progress& progress)
{
    const std::string script = enterRun(run) + fmt::format(R"sh(tool=$(cat {})
echo "tool $tool"
# A process that has ended may wait for its parent as a zombie.
if ! [ -f end ] && grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$(cat session)/status" 2>/dev/null; then echo "runs"; exit 0; fi
cd {} || exit 1
for folder in *.parts; do
    [ -d "$folder" ] || continue
    rest=${{folder%.overlane.parts}}-rest.overlane
    eval "$tool"' record --recover "$folder" -o "$rest"' >/dev/null 2>&1 </dev/null || echo "unfinished $(pwd)/$folder"
done
for file in *.overlane; do
    [ -f "$file" ] && echo "trace $(($(wc -c <"$file"))) $(sha256sum <"$file" | cut -c 1-64) $file"
done
exit 0)sh",
                                                           run_folder::kMark, run_folder::kTraces);
    ASSIGN_OR_RETURN(const std::string answer, session.ask(script, progress));
    auto traces = parseTraces(answer);
    return traces.ok() ? traces : traces.failure().in(session.host());
}

Result<std::vector<std::string>> fetchTraces(SshSession& session, const std::string& run, const RemoteTraces& traces,
                                             const FetchTarget& target, Progress& progress)
{
    std::int64_t all = 0;
    std::int64_t here = 0;
    std::vector<std::string> files;
    for (const RemoteTrace& trace : traces.traces) {
        all += trace.bytes;
        const bool named = !target.name.empty() && traces.traces.size() == 1;
        files.push_back(target.folder + (named ? target.name : trace.name));
        std::error_code error;
        if (!target.overwrite && fs::exists(files.back(), error))
            return Error{fmt::format("{} exists already. Choose another name, or add --overwrite.", files.back())};
        if (const auto part = fs::file_size(files.back() + kPartEnding, error); !error)
            here += static_cast<std::int64_t>(part);
        if (const Result<void> may = mayReplace(files.back()); !may.ok())
            return may.failure().in(files.back() + " cannot be written");
    }
    RETURN_IF_ERROR(checkRoom(target.folder, all - here));
    std::int64_t before = 0;
    for (std::size_t at = 0; at < files.size(); ++at) {
        RETURN_IF_ERROR(fetchOne({session, run, traces.traces[at], before, all, progress}, files[at]));
        before += traces.traces[at].bytes;
    }
    return files;
}

Result<void> removeRun(SshSession& session, const std::string& run, const Progress& progress)
{
    ASSIGN_OR_RETURN(const std::string answer, session.ask(enterRun(run) + "cd / && rm -rf -- \"$run\"", progress));
    return {};
}

}  // namespace overlane
