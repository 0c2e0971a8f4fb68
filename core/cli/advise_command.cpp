
#include "core/cli/advice_limits.h"
#include "core/cli/advice_text.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/long_task.h"
#include "core/cli/scenario_options.h"
#include "core/sweep/advisor.h"

namespace overlane
{
namespace
{

struct AdviseArguments {
    ScenarioOptions chosen;
    std::string ram;
    std::string pinned;
    std::int64_t cores = 0;
    bool force = false;
    bool json = false;

    LongTask::Drawing drawing() const { return json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal; }
};

int adviseOn(const AdviseArguments& arguments, CommandOutput to)
{
    const auto chosen = chooseScenario(arguments.chosen);
    if (!chosen.ok())
        return fail(chosen.failure(), to, kExitUsage);
    const auto limits = advisorLimits(arguments.ram, arguments.pinned, arguments.cores);
    if (!limits.ok())
        return fail(limits.failure(), to, kExitUsage);
    Result<Advice> advice = [&] {
        LongTask searching("Searching", arguments.drawing());
        return advise(chosen.value().scenario, *chosen.value().device, limits.value(), searching.progress());
    }();
    if (!advice.ok())
        return fail(advice.failure(), to);
    if (arguments.chosen.onGpu()) {
        LongTask confirming("Confirming on the GPU", arguments.drawing());
        MeasuredRunOptions options;
        options.device = arguments.chosen.gpu();
        options.force = arguments.force;
        const auto measured = confirmAdvice(advice.value(), options, confirming.progress());
        if (!measured.ok())
            return fail(measured.failure(), to);
        advice.value().measured = measured.value();
    }
    to.out << (arguments.json ? toText(adviceJson(advice.value())) : adviceText(advice.value()));
    return kExitOk;
}

constexpr std::string_view kAdviseHelpText =
    "What is searched: pin_memory, non_blocking, the stream of the copies and how many batches wait\n"
    "on the device, num_workers and prefetch_factor. Data, compute and machine stay as --preset and\n"
    "--set say.\n"
    "\n"
    "A simulated time stands for a range, by the measured error of the simulation. Of what lies within\n"
    "the range of the fastest, advised is what is best at worst; of what is as good as that, the present\n"
    "settings, then the least pinned memory. Workers and pinning are given up beyond the range only.\n"
    "\n"
    "Examples:\n"
    "  overlane advise --ram 16G\n"
    "  overlane advise --preset laptop_swaps --pinned-limit 2G\n"
    "  overlane advise --set batch_bytes=96M --set compute_us=4000 --engine gpu\n"
    "\n"
    "With --engine gpu the search is simulated and its answer measured on this machine's GPU, next to\n"
    "the settings as they are.";

std::string adviseHelp()
{
    return std::string(kAdviseHelpText) + "\n\n" + std::string(kExitCodesHelp);
}

CommandAction declareAdvise(OptionList& list)
{
    auto arguments = std::make_shared<AdviseArguments>();
    list.add("--ram", arguments->ram, "Main memory that may be used").type("SIZE");
    list.add("--pinned-limit", arguments->pinned, "Pinned memory at most").type("SIZE");
    list.add("--cores", arguments->cores, "CPU cores that may be used").within(1, 1024).type("N");
    arguments->chosen.declare(list);
    list.flag("--force", arguments->force, "On a GPU: pin more than half of the available memory");
    list.flag("--json", arguments->json, "Print JSON with stable keys instead of text");
    return [arguments](CommandOutput to) { return adviseOn(*arguments, to); };
}

}  // namespace

constinit const Command adviseCommand = {
    "advise", "Find the best loader settings under a limit of memory, with the code to paste.", adviseHelp,
    declareAdvise};

}  // namespace overlane
