#include <fmt/format.h>

#include "core/analysis/timed_steps.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/judge_file.h"
#include "core/cli/scenario_options.h"
#include "core/compare/comparison_sentence.h"
#include "core/content/terminal.h"
#include "core/loader/run.h"
#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

constexpr const char* kBefore = "dataloader_pageable_blocking.overlane";
constexpr const char* kAfter = "dataloader_pinned_side_stream.overlane";

// As installed, or in the build folder; empty where this copy came without.
std::string samplePath(const char* name)
{
    for (const char* folder : {"../share/overlane/samples/", "../../share/overlane/samples/"})
        if (const auto path = companionPath((std::string(folder) + name).c_str()); !path.empty())
            return path.string();
    return {};
}

int showSimulation(CommandOutput to)
{
    const Result<ChosenScenario> plan = chooseScenario({});
    if (!plan.ok())
        return fail(plan.failure(), to);
    LongTask simulating("Simulating", LongTask::Drawing::OnTerminal);
    const Result<RunResult> run = simulate(plan.value().scenario, *plan.value().device, &simulating.progress());
    if (!run.ok())
        return fail(run.failure(), to);
    const Analysis analysis(run.value().trace);
    JudgeRequest request;
    request.range = Interval{0, run.value().wallNs};
    request.depth = Depth::Verdict;
    const Judgement judgement =
        judge({run.value().trace, analysis, timedSteps(run.value().trace, analysis).steps}, request);
    to.out << "1. The laboratory: a loader with these settings, simulated\n"
           << wrapText(fmt::format("{}, on {}", plan.value().scenario.name, plan.value().device->name), "")
           << verdictText(judgement.verdict) << "\n";
    return kExitOk;
}

int showRecordings(CommandOutput to)
{
    const std::string before = samplePath(kBefore);
    const std::string after = samplePath(kAfter);
    if (before.empty() || after.empty())
        return fail("This copy of Overlane came without the folder samples; install it as a whole.", to);
    const auto slow = judgeFile(before, LongTask::Drawing::OnTerminal);
    if (!slow.ok())
        return fail(slow.failure(), to);
    const auto fast = judgeFile(after, LongTask::Drawing::OnTerminal);
    if (!fast.ok())
        return fail(fast.failure(), to);
    to.out << "2. A recording: PyTorch's DataLoader on an H200, from pageable memory\n"
           << verdictText(slow.value()->judgement.verdict)
           << "\n3. The same program with pinned memory, non_blocking and a stream for the copies\n"
           << verdictText(fast.value()->judgement.verdict);
    const Result<Comparison> compared =
        compare({&slow.value()->trace, &slow.value()->analysis, &slow.value()->steps},
                {&fast.value()->trace, &fast.value()->analysis, &fast.value()->steps}, {});
    if (!compared.ok())
        return fail(compared.failure(), to);
    to.out << wrapText("From A, recording 2, to B, recording 3: " + comparisonSentence(compared.value()), "");
    to.out << fmt::format(R"(
Next:
  overlane open {}
      this recording in the window; without one, `overlane info FILE`
  overlane record -o mine.overlane -- python train.py
      your own program, on a machine with a GPU; `overlane doctor` says whether all is there
  overlane lessons
      why non_blocking needs pinned memory, and more
)",
                          before);
    return kExitOk;
}

std::string demoHelp()
{
    return R"(Needs no GPU, no display and no file: a simulated loader and two recordings of a real GPU that came with
the program.

)" + std::string(kExitCodesHelp);
}

CommandAction declareDemo(OptionList& /*list*/)
{
    return [](CommandOutput to) {
        const int simulated = showSimulation(to);
        return simulated != kExitOk ? simulated : showRecordings(to);
    };
}

}  // namespace

constinit const Command demoCommand = {"demo", "Judge a simulated loader and two recordings that came with Overlane.",
                                       demoHelp, declareDemo};

}  // namespace overlane
