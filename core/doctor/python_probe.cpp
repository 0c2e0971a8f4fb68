#include "core/doctor/python_probe.h"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <thread>

#include "core/base/descriptor.h"
#include "core/base/temporary_folder.h"
#include "core/base/text_file.h"
#include "core/system/child_process.h"

namespace overlane
{
namespace
{

constexpr auto kBetweenLooks = std::chrono::milliseconds(5);
constexpr std::size_t kMostAnswerBytes = 64u << 10;
constexpr int kNotFound = 127;

// PyTorch's version file is read first: importing PyTorch may take long.
constexpr const char* kQuestions = R"(import os, sys
def say(key, value):
    print("overlane.%s=%s" % (key, " ".join(str(value).split())), flush=True)
say("program", sys.executable)
say("version", "%d.%d.%d" % sys.version_info[:3])
try:
    import importlib.util
    found = importlib.util.find_spec("torch")
    if found is not None and found.origin:
        say("torch_file", found.origin)
        facts = {}
        with open(os.path.join(os.path.dirname(found.origin), "version.py")) as file:
            exec(file.read(), facts)
        say("torch_version", facts.get("__version__", "unknown"))
        say("torch_cuda", facts.get("cuda") or "")
        if len(sys.argv) > 1 and sys.argv[1]:
            sys.path.insert(0, sys.argv[1])
            from torch.utils.data import dataloader
            from overlane_known import reason_to_refuse
            say("loader", reason_to_refuse(dataloader) or "")
except BaseException as error:
    say("failure", "%s: %s" % (type(error).__name__, error))
)";

// False where the time was over first.
bool endsInTime(ChildProcess& process, std::chrono::milliseconds most)
{
    const auto end = std::chrono::steady_clock::now() + most;
    while (!process.hasEnded()) {
        if (std::chrono::steady_clock::now() >= end)
            return false;
        std::this_thread::sleep_for(kBetweenLooks);
    }
    return true;
}

PythonFacts askProgram(const std::string& program, const std::string& hookFolder, std::chrono::milliseconds most)
{
    PythonFacts facts;
    const auto folder = TemporaryFolder::make("doctor");
    if (!folder.ok()) {
        facts.failure = folder.error();
        return facts;
    }
    const std::string answer = folder.value().file("answer");
    const Descriptor file(::open(answer.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ProgramStart start;
    start.command = {program, "-B", "-c", kQuestions, hookFolder};
    start.outputFile = file.get();
    start.ownGroup = true;
    auto process = ChildProcess::start(start);
    if (!process.ok()) {
        facts.failure = process.error();
        return facts;
    }
    const bool inTime = endsInTime(process.value(), most);
    process.value().signalGroup(SIGKILL);  // also what it may have started
    const ProgramEnd end = process.value().wait();
    facts = parsePythonFacts(textOfFile(answer, kMostAnswerBytes));
    if (!inTime)
        facts.failure = fmt::format("{} did not answer within {} s", program, most.count() / 1000.0);
    else if (facts.program.empty() && end.exitCode != kNotFound)
        facts.failure = fmt::format("{} did not run", program);
    return facts;
}

}  // namespace

PythonFacts parsePythonFacts(std::string_view answer)
{
    PythonFacts facts;
    while (!answer.empty()) {
        const std::size_t end = std::min(answer.find('\n'), answer.size());
        std::string_view line = answer.substr(0, end);
        answer.remove_prefix(std::min(end + 1, answer.size()));
        constexpr std::string_view kOwn = "overlane.";
        const std::size_t equals = line.find('=');
        if (!line.starts_with(kOwn) || equals == std::string_view::npos)
            continue;  // a word of Python's own startup
        const std::string_view key = line.substr(kOwn.size(), equals - kOwn.size());
        const std::string value(line.substr(equals + 1));
        if (key == "program")
            facts.program = value;
        else if (key == "version")
            facts.version = value;
        else if (key == "torch_file")
            facts.torchFile = value;
        else if (key == "torch_version")
            facts.torchVersion = value;
        else if (key == "torch_cuda")
            facts.torchCuda = value;
        else if (key == "loader")
            facts.loaderProblem = value;
        else if (key == "failure")
            facts.failure = value;
    }
    return facts;
}

PythonFacts askPython(const std::string& program, const std::string& hookFolder, std::chrono::milliseconds most)
{
    if (!program.empty())
        return askProgram(program, hookFolder, most);
    PythonFacts facts;
    for (const char* name : {"python", "python3"})
        if (facts = askProgram(name, hookFolder, most); !facts.program.empty())
            break;
    return facts;
}

}  // namespace overlane
