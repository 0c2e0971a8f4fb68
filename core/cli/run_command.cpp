#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "core/analysis/verdict.h"
#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/device_sheet.h"
#include "core/cli/long_task.h"
#include "core/cli/nearest_name.h"
#include "core/cli/report.h"
#include "core/cli/run_help.h"
#include "core/engine/device_profile.h"
#include "core/io/format.h"
#include "core/loader/run.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

struct RunOptions {
    std::string device;
    std::string preset;
    std::vector<std::string> settings;  // key=value, in order
    std::string out;
    bool json = false;
    bool list = false;

    LongTask::Drawing drawing() const { return json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal; }
};

struct RunPlan {
    const DeviceProfile* device = nullptr;
    Scenario scenario;
};

Result<const Preset*> choosePreset(const std::string& wanted)
{
    std::vector<std::string_view> keys;
    for (const Preset& preset : allPresets()) {
        if (wanted.empty() || preset.key == wanted || preset.name == wanted)
            return &preset;
        keys.push_back(preset.key);
    }
    return Error{unknownName("preset", wanted, keys)};
}

Result<const DeviceProfile*> chooseDevice(std::string_view wanted)
{
    if (const DeviceProfile* device = findDeviceProfile(wanted))
        return device;
    std::vector<std::string_view> keys;
    for (const DeviceProfile& device : allDeviceProfiles())
        keys.push_back(device.key);
    return Error{unknownName("device", wanted, keys)};
}

Result<RunPlan> makePlan(const RunOptions& options)
{
    const Result<const Preset*> preset = choosePreset(options.preset);
    if (!preset.ok())
        return Error{preset.error()};
    const Result<const DeviceProfile*> device =
        chooseDevice(options.device.empty() ? preset.value()->device : std::string_view(options.device));
    if (!device.ok())
        return Error{device.error()};
    RunPlan plan{device.value(), preset.value()->scenario};
    for (const std::string& text : options.settings) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            return Error{fmt::format("'--set {}' has no value; write --set key=value.", text)};
        const Result<void> assigned = assignSetting(plan.scenario, text.substr(0, equals), text.substr(equals + 1));
        if (!assigned.ok())
            return Error{assigned.error()};
    }
    if (!options.settings.empty())
        plan.scenario.name += " (changed)";
    if (const Result<void> checked = checkScenario(plan.scenario); !checked.ok())
        return Error{checked.error()};
    return plan;
}

struct RunReport {
    const RunPlan& plan;
    const RunResult& result;
    Summary summary;
    DeviceSummary device;  // zeros where nothing ran
    Verdict verdict;
};

OrderedJson runJson(const RunReport& report)
{
    OrderedJson json{{"device", report.plan.device->key},
                     {"simulated", true},
                     {"wall_ns", report.result.wallNs},
                     {"batches", report.plan.scenario.batches}};
    addDeviceFigures(json, report.device);
    json["host_blocked_ns"] = report.summary.hostBlockedNs;
    json["host_critical_ns"] = report.summary.hostCriticalNs;
    json["pinned_peak_bytes"] = report.result.pinnedPeakBytes;
    json["swap_peak_bytes"] = report.result.swapPeakBytes;
    json["verdict"] = verdictJson(report.verdict);
    json["settings"] = OrderedJson::parse(scenarioToJson(report.plan.scenario));
    return json;
}

std::string runText(const RunReport& report)
{
    const Scenario& scenario = report.plan.scenario;
    std::string text = wrapText(fmt::format("{}, simulated on {}", scenario.name, report.plan.device->name), "");
    text += verdictText(report.verdict) + "\n";
    std::vector<TextRow> rows{{"batches", formatCount(scenario.batches)},
                              {"batch size", formatBytes(scenario.batchBytes)},
                              {"wall time", formatDuration(report.result.wallNs)}};
    for (TextRow& row : deviceFigureRows(report.device))
        rows.push_back(std::move(row));
    rows.emplace_back("host held by the GPU runtime", formatDuration(report.summary.hostBlockedNs));
    rows.emplace_back("busiest host actor", formatDuration(report.summary.hostCriticalNs));
    rows.emplace_back("pinned memory, peak", formatBytes(report.result.pinnedPeakBytes));
    rows.emplace_back("swap used, peak", formatBytes(report.result.swapPeakBytes));
    return text + textTable(rows);
}

Result<RunResult> simulatePlan(const RunPlan& plan, LongTask::Drawing drawing)
{
    LongTask simulating("Simulating", drawing);
    return simulate(plan.scenario, *plan.device, &simulating.progress());
}

int list(const RunOptions& options, CommandOutput to)
{
    if (options.device.empty()) {
        to.out << (options.json ? toText(runListJson()) : runList());
        return kExitOk;
    }
    const Result<const DeviceProfile*> device = chooseDevice(options.device);
    if (!device.ok())
        return fail(device.error(), to, kExitUsage);
    to.out << (options.json ? toText(deviceSheetJson(*device.value())) : deviceSheet(*device.value()));
    return kExitOk;
}

int runScenario(const RunOptions& options, CommandOutput to)
{
    if (options.list)
        return list(options, to);
    const Result<RunPlan> plan = makePlan(options);
    if (!plan.ok())
        return fail(plan.error(), to, kExitUsage);
    const Result<RunResult> run = simulatePlan(plan.value(), options.drawing());
    if (!run.ok())
        return fail(run.error(), to);
    if (!options.out.empty()) {
        LongTask writing("Writing", options.drawing(), LongTask::Cancelling::MustAnswer);
        const Result<void> written = writeTrace(run.value().trace, options.out, writing.progress());
        if (!written.ok())
            return fail(written.error(), to);
    }
    const Trace& trace = run.value().trace;
    const Analysis analysis(trace);
    const Interval whole{0, run.value().wallNs};
    RunReport report{
        plan.value(), run.value(), analysis.summarise(whole), {}, verdict(analysis, findSteps(trace), whole)};
    if (const DeviceSummary* device = report.summary.worst())
        report.device = *device;
    to.out << (options.json ? toText(runJson(report)) : runText(report));
    if (!options.json && !options.out.empty())
        to.out << "Trace written to " << options.out << ".\n";
    return kExitOk;
}

class RunCommand : public Command
{
public:
    std::string_view name() const override { return "run"; }
    std::string_view description() const override
    {
        return "Simulate a data loader that feeds a GPU and tell how much of its copies hides.";
    }
    std::string help() const override { return runHelp(); }

    CommandAction declare(CLI::App& app) const override
    {
        auto options = std::make_shared<RunOptions>();
        app.add_option("--device", options->device, "Device profile to simulate (list below)")->type_name("NAME");
        app.add_option("--preset", options->preset, "Settings to start from (list below)")->type_name("NAME");
        app.add_option("--set", options->settings, "Change one setting: key=value; may be repeated")
            ->allow_extra_args(false)
            ->type_name("KEY=VALUE");
        app.add_option("-o,--output", options->out, "Also write the trace to a file")->type_name("FILE");
        app.add_flag("--json", options->json, "Print JSON with stable keys instead of text");
        app.add_flag("--list", options->list,
                     "List presets and devices, or the figures of --device with their sources");
        return [options](CommandOutput to) { return runScenario(*options, to); };
    }
};

}  // namespace

const Command& runCommand()
{
    static const RunCommand command;
    return command;
}

}  // namespace overlane
