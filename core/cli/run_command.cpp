#include <algorithm>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/device_sheet.h"
#include "core/cli/info_text.h"
#include "core/cli/long_task.h"
#include "core/cli/run_answer.h"
#include "core/cli/run_help.h"
#include "core/cli/scenario_options.h"
#include "core/content/terminal.h"
#include "core/devices/device_profile.h"
#include "core/io/format.h"
#include "core/loader/run.h"
#include "core/loader/settings.h"
#include "core/runs/measured_run.h"

namespace overlane
{
namespace
{

struct RunOptions {
    ScenarioOptions chosen;
    std::string out;
    bool force = false;
    bool json = false;
    bool list = false;

    LongTask::Drawing drawing() const { return json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal; }
};

// What the kernels found in the batches, and the host in the results.
void addChecks(const GpuRunReport& checks, std::vector<TextRow>& rows)
{
    rows.emplace_back("wrong batches", fmt::format("{} of {}", checks.wrongBatches, checks.batchesChecked));
    if (checks.resultsChecked > 0)
        rows.emplace_back("wrong results", fmt::format("{} of {}", checks.wrongResults, checks.resultsChecked));
    rows.emplace_back("NUMA", placementText(checks.placement));
}

std::string runText(const RunReport& report)
{
    const Scenario& scenario = report.plan.scenario;
    const std::string where = report.measured ? fmt::format("measured on {}", report.measured->device)
                                              : fmt::format("simulated on {}", report.plan.device->name);
    std::string text = wrapText(fmt::format("{}, {}", scenario.name, where), "");
    text += verdictText(report.judgement.verdict) + "\n";
    if (report.judgement.range.lengthNs() < report.result.wallNs)
        text += fmt::format("  Of kernels, copies and host, metrics below cover the active range ({}).\n",
                            formatDuration(report.judgement.range.lengthNs()));
    std::vector<TextRow> rows{{"batches", formatCount(scenario.batches)},
                              {"batch size", formatBytes(scenario.batchBytes)},
                              {"wall time", formatDuration(report.result.wallNs)}};
    for (TextRow& row : deviceFigureRows(report.judged()))
        rows.push_back(std::move(row));
    rows.emplace_back("host blocked by the GPU runtime", formatDuration(report.judgement.summary.hostBlockedNs));
    rows.emplace_back("busiest host actor", formatDuration(report.judgement.summary.hostCriticalNs));
    rows.emplace_back("pinned memory, peak", formatBytes(report.result.pinnedPeakBytes));
    if (!report.measured)
        rows.emplace_back("swap used, peak", formatBytes(report.result.swapPeakBytes));
    if (report.measured)
        addChecks(report.measured->report, rows);
    return text + textTable(rows);
}

Result<MeasuredRunResult> measurePlan(const ChosenScenario& plan, const RunOptions& options)
{
    MeasuredRunOptions measured;
    measured.force = options.force;
    measured.device = options.chosen.gpu();
    LongTask running("Running", options.drawing());
    return measure(plan.scenario, measured, running.progress());
}

Result<RunResult> simulatePlan(const ChosenScenario& plan, LongTask::Drawing drawing)
{
    LongTask simulating("Simulating", drawing);
    return simulate(plan.scenario, *plan.device, &simulating.progress());
}

int list(const RunOptions& options, CommandOutput to)
{
    if (options.chosen.device.empty()) {
        to.out << (options.json ? toText(runListJson()) : runList());
        return kExitOk;
    }
    const Result<const DeviceProfile*> device = chooseDevice(options.chosen.device);
    if (!device.ok())
        return fail(device.failure(), to, kExitUsage);
    to.out << (options.json ? toText(deviceSheetJson(*device.value())) : deviceSheet(*device.value()));
    return kExitOk;
}

int runScenario(const RunOptions& options, CommandOutput to)
{
    if (options.list)
        return list(options, to);
    const Result<ChosenScenario> plan = chooseScenario(options.chosen);
    if (!plan.ok())
        return fail(plan.failure(), to, kExitUsage);
    const bool onGpu = options.chosen.onGpu();
    const auto measured = onGpu ? measurePlan(plan.value(), options) : Result<MeasuredRunResult>(MeasuredRunResult{});
    if (!measured.ok())
        return fail(measured.failure(), to);
    const Result<RunResult> simulated =
        onGpu ? Result<RunResult>(RunResult{}) : simulatePlan(plan.value(), options.drawing());
    if (!simulated.ok())
        return fail(simulated.failure(), to);
    const RunResult& run = onGpu ? measured.value().run : simulated.value();
    if (!options.out.empty()) {
        LongTask writing("Writing", options.drawing(), LongTask::Cancelling::MustAnswer);
        const Result<void> written = writeTrace(run.trace, options.out, writing.progress());
        if (!written.ok())
            return fail(written.failure(), to);
    }
    const RunReport report = reportOf(plan.value(), run, onGpu ? &measured.value() : nullptr);
    to.out << (options.json ? toText(runJson(report)) : runText(report));
    if (!options.json && !options.out.empty())
        to.out << "Trace written to " << options.out << ".\n";
    return kExitOk;
}

CommandAction declareRun(OptionList& list)
{
    auto options = std::make_shared<RunOptions>();
    options->chosen.declare(list);
    list.flag("--force", options->force, "On a GPU: pin more than half of the available memory");
    list.add("-o,--output", options->out, "Also write the trace to a file").type("FILE");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    list.flag("--list", options->list, "List presets and devices, or the figures of --device with their sources");
    return [options](CommandOutput to) { return runScenario(*options, to); };
}

}  // namespace

constinit const Command runCommand = {
    "run", "Simulate a data loader that feeds a GPU and tell how much of its copies hides.", runHelp, declareRun};

}  // namespace overlane
