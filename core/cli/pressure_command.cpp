#include <chrono>
#include <iostream>
#include <thread>
#include <unistd.h>

#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/long_task.h"
#include "core/cli/printable_stream.h"
#include "core/content/terminal.h"
#include "core/pressure/pressure_blocks.h"
#include "core/pressure/pressure_news.h"

namespace overlane
{
namespace
{

constexpr auto kMeterPeriod = std::chrono::milliseconds(200);
constexpr int kPollsPerLine = 10;  // where nothing can be redrawn

struct PressureOptions {
    PressurePlan plan;
    bool dryRun = false;
    bool yes = false;
    bool json = false;
    bool progressJson = false;
    bool cleanUp = false;
};

Result<void> removeLeft(const PressureFacts& facts, CommandOutput to)
{
    for (const PressureTraces& left : leftTraces(facts.hierarchy, facts.folder)) {
        if (auto removed = removeTraces(left); !removed.ok())
            return removed;
        to.err << "Removed what an earlier experiment left: " << left.group << "\n";
    }
    return {};
}

int cleanUpOnly(const PressureFacts& facts, CommandOutput to)
{
    if (!facts.mayAdminister)
        return fail("Removing a swap file and a control group needs the rights of root: start it with sudo.", to);
    to.out << "Nothing of an experiment is left.\n";
    return kExitOk;
}

OrderedJson planJson(const PressurePlan& plan, const PressureFacts& facts, const std::vector<std::string>& refusals)
{
    OrderedJson json{
        {"limit_bytes", plan.limitBytes}, {"swap_bytes", plan.swapBytes},   {"working_set_bytes", plan.workingSetBytes},
        {"data_bytes", plan.dataBytes},   {"batch_bytes", plan.batchBytes}, {"folder", plan.folder}};
    json["may_run"] = refusals.empty();
    json["refusals"] = refusals;
    json["available_bytes"] = facts.availableBytes;
    json["disk_free_bytes"] = facts.diskFreeBytes;
    json["steps"] = OrderedJson::array();
    for (const std::int64_t pinned : plan.pinnedBytes) {
        const PressureExpectation expected = expectedAt(plan, pinned);
        json["steps"].push_back({{"pinned_bytes", pinned},
                                 {"page_cache_bytes_model", expected.pageCacheBytes},
                                 {"swap_bytes_model", expected.swapBytes}});
    }
    return json;
}

bool confirmed(const PressurePlan& plan, const PressureFacts& facts, CommandOutput to)
{
    to.err << terminalText(planBlocks(plan, facts, {}));
    if (!isatty(STDIN_FILENO)) {
        fail("It starts only when asked to: add --yes.", to);
        return false;
    }
    to.err << "Start? Type yes: " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    if (answer != "yes")
        to.err << "Not started.\n";
    return answer == "yes";
}

int experiment(const PressureOptions& options, const PressurePlan& plan, const PressureFacts& facts, CommandOutput to)
{
    LongTask task("", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
    auto started = PressureExperiment::start(plan, facts);
    if (!started.ok())
        return fail(started.failure(), to);
    PressureExperiment& running = started.value();
    const bool redraws = !options.progressJson && isatty(STDERR_FILENO);
    for (int polls = 0; running.poll(); ++polls) {
        if (task.cancelled())
            running.stop("Stopped with Ctrl+C.");
        else if (redraws)
            to.err << eraseLine << pressureNews(running.now(), plan).words << std::flush;
        else if (polls % kPollsPerLine == 0 && polls > 0)
            to.err << (options.progressJson ? lineOf(pressureNews(running.now(), plan))
                                            : pressureNews(running.now(), plan).words + '\n')
                   << std::flush;
        std::this_thread::sleep_for(kMeterPeriod);
    }
    if (redraws)
        to.err << eraseLine << std::flush;
    const auto report = running.finish();
    if (!report.ok())
        return fail(report.failure(), to);
    to.out << (options.json ? jsonOf(plan, report.value()) : terminalText(reportBlocks(plan, report.value())));
    if (task.cancelled())
        return kExitCancelled;
    return report.value().ended.empty() ? kExitOk : kExitFailed;
}

int run(const PressureOptions& options, CommandOutput to)
{
    const PressurePlan plan = withSteps(options.plan);
    const PressureFacts facts = pressureFacts(plan);
    if (facts.noHierarchy.empty() && facts.mayAdminister && !options.dryRun)
        if (const auto cleaned = removeLeft(facts, to); !cleaned.ok())
            return fail(cleaned.failure(), to);
    if (options.cleanUp)
        return cleanUpOnly(facts, to);
    const std::vector<std::string> refusals = pressureRefusals(plan, facts);
    if (options.dryRun) {
        to.out << (options.json ? toText(planJson(plan, facts, refusals))
                                : terminalText(planBlocks(plan, facts, refusals)));
        return kExitOk;
    }
    if (!refusals.empty()) {
        std::string reasons;
        for (const std::string& refusal : refusals)
            reasons += ' ' + refusal;
        return fail("The experiment will not run here:" + reasons, to);
    }
    if (!options.yes && !confirmed(plan, facts, to))
        return kExitUsage;
    return experiment(options, plan, facts, to);
}

std::string pressureHelp()
{
    return R"(A small loader runs with little RAM and a swap file of its own. Step by step more of its memory is
pinned, and the table shows what leaves: the page cache of its files first, then ordinary memory
into swap, and what a batch then takes. mlock() stands in for pinned memory of a GPU.

It needs root, control groups that limit memory and swap, and a folder on ext4 or xfs. It refuses, with
the reason, where others could feel it: too little memory or disk left, a machine that waits for memory
already, a battery. It asks before it starts (--yes answers). The group, the process and the swap file
are removed at the end, also when this program is killed; --clean-up removes what a crash of the whole
machine left.

Examples:
  overlane pressure --dry-run
  sudo overlane pressure --limit 512M --pinned 0 --pinned 256M --pinned 320M

)" + std::string(kExitCodesHelp);
}

CommandAction declarePressure(OptionList& list)
{
    auto options = std::make_shared<PressureOptions>();
    PressurePlan& plan = options->plan;
    constexpr auto kKilo = Option::Kilo::Is1024;
    list.add("--limit", plan.limitBytes, "RAM of the experiment").bytes(kKilo).type("SIZE");
    list.add("--swap", plan.swapBytes, "Its swap file").bytes(kKilo, Option::Zero::IsSize).type("SIZE");
    list.add("--working-set", plan.workingSetBytes, "Ordinary memory that is used in turn").bytes(kKilo).type("SIZE");
    list.add("--data", plan.dataBytes, "Files that are read in turn").bytes(kKilo).type("SIZE");
    list.add("--batch", plan.batchBytes, "Bytes of one batch").bytes(kKilo).type("SIZE");
    list.add("--pinned", plan.pinnedBytes, "Pinned memory of a step; once per step, ascending")
        .bytes(kKilo, Option::Zero::IsSize)
        .type("SIZE");
    list.add("--seconds", plan.secondsPerStep, "How long a step takes").showDefault();
    list.add("--folder", plan.folder, "Where the swap file and the data are made").showDefault();
    list.flag("--dry-run", options->dryRun, "Only say what it would do, and whether it may");
    list.flag("--yes", options->yes, "Start without asking");
    list.flag("--clean-up", options->cleanUp, "Only remove what an earlier experiment left");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    list.flag("--progress-json", options->progressJson,
              "Tell the progress on standard error as JSON, an object a line");
    return [options](CommandOutput to) { return run(*options, to); };
}

}  // namespace

constinit const Command pressureCommand = {
    "pressure", "Run a memory-pressure experiment in a control group of its own.", pressureHelp, declarePressure};

}  // namespace overlane
