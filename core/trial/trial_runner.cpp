#include "core/trial/trial_runner.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <unistd.h>

#include "core/base/descriptor.h"
#include "core/base/text_file.h"
#include "core/recorder/pytorch_hook.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kVariable = "OVERLANE_TRIAL";
constexpr auto kPoll = std::chrono::milliseconds(20);
// For a program to end when it is asked to, and for what it leaves behind.
constexpr auto kGrace = std::chrono::seconds(5);
constexpr auto kGraceBehind = std::chrono::milliseconds(200);
constexpr std::size_t kLastLines = 12;
constexpr std::streamoff kLastBytes = 16 << 10;

// All of a program's processes, whether it has ended itself or not.
ProgramEnd endGroup(ChildProcess& program)
{
    program.signalGroup(SIGTERM);
    const Clock::time_point until = Clock::now() + kGrace;
    while (!program.hasEnded() && Clock::now() < until)
        std::this_thread::sleep_for(kPoll);
    std::this_thread::sleep_for(kGraceBehind);
    program.signalGroup(SIGKILL);
    return program.wait();
}

// The last lines behind a place of a file.
std::string lastWords(const std::string& path, std::streamoff begin)
{
    std::ifstream file(path);
    file.seekg(0, std::ios::end);
    file.seekg(std::max<std::streamoff>(begin, static_cast<std::streamoff>(file.tellg()) - kLastBytes));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back("\n  " + line);
    if (lines.empty())
        return " It printed nothing.";
    std::string words = " It printed last:";
    for (std::size_t at = lines.size() - std::min(lines.size(), kLastLines); at < lines.size(); ++at)
        words += lines[at];
    return words;
}

std::string endText(const ProgramEnd& end)
{
    return end.signal != 0 ? fmt::format("was ended by signal {} ({})", end.signal, strsignal(end.signal))
                           : fmt::format("ended with exit code {}", end.exitCode);
}

}  // namespace

std::string TrialRunner::logPath() const
{
    return m_options.log.empty() ? m_folder.file("output") : m_options.log;
}

TrialRunner::TrialRunner(TrialOptions options, TemporaryFolder folder, std::pair<std::string, std::string> pythonPath)
    : m_options(std::move(options)), m_folder(std::move(folder)), m_pythonPath(std::move(pythonPath))
{
}

Result<TrialRunner> TrialRunner::make(const TrialOptions& options)
{
    ASSIGN_OR_RETURN(auto pythonPath, pytorchHookVariable(options.pytorchHook));
    ASSIGN_OR_RETURN(auto folder, TemporaryFolder::make("try"));
    return TrialRunner(options, std::move(folder), std::move(pythonPath));
}

Result<ProgramStart> TrialRunner::prepare(const std::string& loader, const LoaderSettings& settings,
                                          const TrialWindow& window)
{
    ++m_runs;
    nlohmann::json request{{"report", m_folder.file(fmt::format("report-{}", m_runs))},
                           {"loader", loader},
                           {"warm_up", window.warmUp},
                           {"batches", window.batches},
                           {"seconds", window.seconds},
                           {"most_seconds", window.mostSeconds},
                           {"settings", nlohmann::json::object()}};
    if (!loader.empty()) {
        request["settings"] = {{"num_workers", settings.workers},
                               {"pin_memory", settings.pinMemory},
                               {"non_blocking", settings.nonBlocking}};
        if (settings.workers > 0) {
            request["settings"]["prefetch_factor"] = settings.prefetchFactor;
            request["settings"]["persistent_workers"] = settings.persistentWorkers;
        }
    }
    const std::string path = m_folder.file(fmt::format("request-{}", m_runs));
    if (!(std::ofstream(path) << request.dump()))
        return Error{fmt::format("{} cannot be written.", path)};
    ProgramStart start;
    start.command = m_options.command;
    start.directory = m_options.directory;
    start.environment = {m_pythonPath, {kVariable, path}};
    start.ownGroup = true;
    return start;
}

// Of the process that was slowest: ranks of a job wait for each other.
Result<TrialReport> TrialRunner::report() const
{
    std::optional<TrialReport> slowest;
    std::error_code error;
    const std::string begin = fmt::format("report-{}.", m_runs);
    for (const fs::directory_entry& entry : fs::directory_iterator(m_folder.path(), error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin) || name.ends_with(".part"))
            continue;
        Result<TrialReport> read = parseTrialReport(textOfFile(entry.path()));
        if (!read.ok())
            return read;
        if (!slowest || read.value().batchNs() > slowest->batchNs())
            slowest = std::move(read).value();
    }
    if (!slowest)
        return Error{"No process of the program made a torch.utils.data.DataLoader."};
    return *std::move(slowest);
}

Result<TrialReport> TrialRunner::run(const std::string& loader, const LoaderSettings& settings,
                                     const TrialWindow& window, const Progress& progress)
{
    ASSIGN_OR_RETURN(ProgramStart start, prepare(loader, settings, window));
    ASSIGN_OR_RETURN(Output output, openOutput());
    start.outputFile = output.file.get();
    ASSIGN_OR_RETURN(ChildProcess started, ChildProcess::start(start));
    ChildProcess program = started;
    const Clock::time_point until = Clock::now() + std::chrono::milliseconds(std::llround(1000 * window.limitSeconds));
    while (!program.hasEnded() && !progress.cancelled() && Clock::now() < until)
        std::this_thread::sleep_for(kPoll);
    const bool late = !program.hasEnded();
    const ProgramEnd end = endGroup(program);
    if (progress.cancelled())
        return Error::cancelled();
    if (late)
        return Error{fmt::format("The run took longer than {:.0f} s and was ended.", window.limitSeconds)};
    return judge(end, output);
}

Result<TrialRunner::Output> TrialRunner::openOutput() const
{
    const std::string path = logPath();
    Output output{Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600))};
    if (!output.file.valid())
        return Error{fmt::format("{} cannot be written: {}.", path, std::strerror(errno))};
    output.begin = ::lseek(output.file.get(), 0, SEEK_END);
    return output;
}

Result<TrialReport> TrialRunner::judge(const ProgramEnd& end, const Output& output) const
{
    Result<TrialReport> measured = report();
    if (!measured.ok() || end.exitCode != 0 || end.signal != 0)
        return Error{fmt::format("{}The program {}.{}", measured.ok() ? "" : measured.error() + " ", endText(end),
                                 lastWords(logPath(), output.begin))};
    return measured;
}

}  // namespace overlane
