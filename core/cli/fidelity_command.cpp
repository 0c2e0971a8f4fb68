#include <fmt/format.h>
#include <memory>

#include "core/base/text_file.h"
#include "core/calibration/fidelity_measure.h"
#include "core/calibration/fidelity_scenarios.h"
#include "core/calibration/fidelity_text.h"
#include "core/cli/command.h"
#include "core/cli/long_task.h"
#include "core/cli/scenario_options.h"
#include "core/engine/gpu_backend_library.h"

namespace overlane
{
namespace
{

struct FidelityOptions {
    std::vector<std::string> rows;
    std::string engine;
    std::string device = "h200";
    std::string out;
    std::string plot;
    std::int64_t count = 240;
    std::uint64_t seed = 1;
    int repeats = 2;
    std::size_t worst = 10;
    bool unrecorded = false;
    int deviceIndex = 0;
    std::string recordedPart;
};

int measure(const FidelityOptions& options, CommandOutput to)
{
    if (options.out.empty())
        return fail("'--engine' measures, so say with -o FILE where the rows go.", to, kExitUsage);
    LongTask task("measuring", LongTask::Drawing::OnTerminal, LongTask::Cancelling::MustAnswer);
    FidelityRunner runner = [](const Scenario& scenario) -> Result<FidelityRun> {
        const DeviceProfile& profile = allDeviceProfiles().front();
        ASSIGN_OR_RETURN(auto figures, simulateFigures(scenario, profile));
        return FidelityRun{figures.wallNs, "simulated " + profile.name};
    };
    const bool onGpu = options.engine == "gpu";
    if (onGpu) {
        const auto backend = loadGpuBackend();
        if (!backend.ok())
            return fail(backend.failure(), to);
        runner = gpuRunner(*backend.value(), options.deviceIndex, {}, task.progress());
    }
    const auto scenarios = fidelityScenarios(options.count, options.seed);
    FidelityWalls walls = measureWalls(scenarios, options.seed, options.repeats, runner, task.progress());
    std::vector<FidelityRow>& rows = walls.rows;
    std::vector<std::string> warnings = walls.failures;
    if (rows.empty())
        return fail(walls.cancelled ? Error::cancelled() : Error{warnings.front()}, to);
    if (onGpu && !options.unrecorded && !walls.cancelled)
        if (auto added = addRecorded(rows, options.deviceIndex, task.progress()); !added.ok())
            warnings.push_back("Without overlap: " + added.error());
    if (!onGpu)
        for (FidelityRow& row : rows)
            row.recorded = simulateFigures(row.scenario, allDeviceProfiles().front()).value();
    if (auto written = writeTextFile(options.out, writeFidelityRows(rows)); !written.ok())
        return fail(written.failure(), to);
    for (const std::string& warning : warnings)
        to.err << "overlane: " << warning << "\n";
    to.out << fmt::format("{} scenarios in {}; hold the simulation to them with \"overlane fidelity {}\".\n",
                          rows.size(), options.out, options.out);
    return task.cancelled() ? kExitCancelled : kExitOk;
}

int compare(const FidelityOptions& options, CommandOutput to)
{
    const auto device = chooseDevice(options.device);
    if (!device.ok())
        return fail(device.failure(), to, kExitUsage);
    std::vector<std::vector<FidelityRow>> rounds;
    for (const std::string& file : options.rows) {
        const auto text = readTextFile(file);
        if (!text.ok())
            return fail(text.failure(), to);
        auto round = readFidelityRows(text.value());
        if (!round.ok())
            return fail(round.failure().in(file), to);
        rounds.push_back(std::move(round.value()));
    }
    const auto rows = mergeFidelityRows(rounds);
    if (!rows.ok())
        return fail(rows.failure(), to);
    if (!options.out.empty())
        if (auto written = writeTextFile(options.out, writeFidelityRows(rows.value())); !written.ok())
            return fail(written.failure(), to);
    LongTask task("simulating", LongTask::Drawing::OnTerminal);
    const auto cases = compareFidelity(rows.value(), *device.value(), &task.progress());
    if (!cases.ok())
        return fail(cases.failure(), to);
    to.out << fidelityText(cases.value(), options.worst);
    if (options.plot.empty())
        return kExitOk;
    const auto written = writeTextFile(options.plot, fidelityPlotSvg(cases.value()));
    return written.ok() ? kExitOk : fail(written.failure(), to);
}

std::string fidelityHelp()
{
    return "Examples:\n"
           "  overlane fidelity --engine gpu -o rows.jsonl     measure 240 random scenarios, about three minutes\n"
           "  overlane fidelity rows.jsonl --plot errors.svg   simulate them now and compare\n"
           "  overlane fidelity mon.jsonl tue.jsonl -o rows.jsonl   rounds of the same rows as one, and compare\n\n"
           "Errors are simulated / measured - 1 of a run's wall time; p90 is the error that nine of ten rows\n"
           "stay below, noise how far the repeats of a row lie apart, overlap the share of rows whose hidden\n"
           "share of copies is within 0.05. Floor and its p90 are the errors that would be left if the\n"
           "simulation knew what each row takes: the standard error of the median of its runs, half of what\n"
           "lies between two. The page \"fidelity\" of the help has the figures of an H200.\n\n" +
           std::string(kExitCodesHelp);
}

CommandAction declareFidelity(OptionList& list)
{
    auto options = std::make_shared<FidelityOptions>();
    list.add("ROWS", options->rows, "Measured rows to compare the simulation with; several are rounds of them")
        .type("FILE...");
    list.add("--engine", options->engine, "Measure: gpu, or simulated to try without one")
        .oneOf({"gpu", "simulated"})
        .type("NAME");
    list.add("--device", options->device, "Device profile to simulate, or a file of one").type("NAME").showDefault();
    list.add("-o,--output", options->out, "Where measured or merged rows go").type("FILE");
    list.add("--count", options->count, "Scenarios to measure").within(2, 10'000).showDefault();
    list.add("--seed", options->seed, "Of the scenarios").showDefault();
    list.add("--repeats", options->repeats, "Runs of each").within(1, 99).showDefault();
    list.flag("--no-recording", options->unrecorded, "Walls only, without the recorded run for the overlap");
    list.add("--plot", options->plot, "Write a scatter plot of the walls").type("FILE.svg");
    list.add("--worst", options->worst, "Worst rows to name").showDefault();
    list.add("--device-index", options->deviceIndex).hidden();
    list.add("--recorded-part", options->recordedPart).hidden();
    return [options](CommandOutput to) {
        if (!options->recordedPart.empty()) {
            LongTask run("", LongTask::Drawing::Never, LongTask::Cancelling::MustAnswer);
            return runRecordedPart(options->rows.empty() ? "" : options->rows.front(), options->recordedPart,
                                   options->deviceIndex, run.progress());
        }
        if (options->engine.empty() == options->rows.empty())
            return fail("Name a file of rows to compare, or measure them with --engine gpu -o FILE.", to, kExitUsage);
        return options->engine.empty() ? compare(*options, to) : measure(*options, to);
    };
}

}  // namespace

constinit const Command fidelityCommand = {"fidelity", "Validate the simulator against GPU measurements.", fidelityHelp,
                                           declareFidelity};

}  // namespace overlane
