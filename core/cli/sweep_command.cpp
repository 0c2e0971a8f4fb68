#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>

#include "core/base/text_file.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/long_task.h"
#include "core/cli/nearest_name.h"
#include "core/cli/scenario_options.h"
#include "core/cli/sweep_answer.h"
#include "core/cli/sweep_text.h"
#include "core/io/format.h"
#include "core/sweep/sweep_file.h"
#include "core/sweep/sweep_ready.h"
#include "core/sweep/sweep_runner.h"

namespace overlane
{
namespace
{

struct SweepArguments {
    ScenarioOptions chosen;
    std::vector<std::string> over;
    std::string ready;
    std::string metric;
    std::string out;
    std::string resume;
    std::string csv;
    std::string traces;
    int repeats = 1;
    unsigned threads = 0;
    bool force = false;
    bool json = false;
    bool list = false;

    LongTask::Drawing drawing() const { return json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal; }
};

// What is to be run, and what of it is there already.
struct SweepJob {
    SweepResult result;
    const DeviceProfile* device = nullptr;
    const RunMetric* metric = &runMetric(metric_key::kBatch);
    std::string file;  // grows with each run; empty: none
};

// By its key, or by the name of its column.
Result<const RunMetric*> chooseMetric(const std::string& wanted, const RunMetric* otherwise)
{
    if (wanted.empty())
        return otherwise;
    std::vector<std::string_view> keys;
    for (const RunMetric& metric : allRunMetrics()) {
        if (metric.key == wanted || metric.column == wanted)
            return &metric;
        keys.push_back(metric.key);
    }
    // Too many to name them all.
    const std::string_view nearest = nearestName(wanted, keys);
    return Error{fmt::format("There is no metric '{}'{} `overlane sweep --list` names them.", wanted,
                             nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest))};
}

// Before anything runs, so that no sweep ends in a file that cannot be written.
Result<void> checkWritable(const std::string& path)
{
    if (path.empty())
        return {};
    std::error_code error;
    const bool there = std::filesystem::exists(path, error);
    if (std::ofstream(path, std::ios::app).good()) {
        if (!there)
            std::filesystem::remove(path, error);
        return {};
    }
    return Error{fmt::format("{} cannot be written: {}.", path, std::strerror(errno))};
}

Result<SweepJob> resumedJob(const SweepArguments& arguments)
{
    if (!arguments.over.empty() || !arguments.ready.empty() || !arguments.chosen.settings.empty() ||
        !arguments.chosen.preset.empty() || !arguments.out.empty())
        return Error{"--resume takes everything from its file: leave --over, --ready, --set, --preset and -o out."};
    ASSIGN_OR_RETURN(auto text, readSweep(arguments.resume));
    SweepJob job;
    job.result = std::move(text.result);
    job.file = arguments.resume;
    const auto device = chooseDevice(job.result.plan.deviceKey);
    if (!device.ok())
        return device.failure();
    job.device = device.value();
    return job;
}

Result<SweepJob> newJob(const SweepArguments& arguments, const ReadySweep* ready)
{
    ASSIGN_OR_RETURN(ChosenSweep chosen, chooseSweep(arguments.chosen, arguments.over, ready, arguments.repeats));
    SweepJob job;
    job.device = chosen.device;
    job.result.plan = std::move(chosen.plan);
    if (ready != nullptr)
        job.metric = &runMetric(ready->metric);
    job.file = arguments.out;
    return job;
}

int writeOutputs(const SweepArguments& arguments, const SweepJob& job, CommandOutput to)
{
    if (!arguments.csv.empty())
        if (const auto written = writeTextFile(arguments.csv, sweepCsv(job.result)); !written.ok())
            return fail(written.failure(), to);
    to.out << (arguments.json ? toText(sweepJson(job.result)) : sweepText(job.result, *job.metric));
    return kExitOk;
}

int runJob(const SweepArguments& arguments, SweepJob job, CommandOutput to)
{
    if (const auto checked = checkSweep(job.result.plan); !checked.ok())
        return fail(checked.failure(), to, kExitUsage);
    if (const auto writable = checkWritable(arguments.csv); !writable.ok())
        return fail(writable.failure(), to);
    std::optional<SweepWriter> writer;
    if (!job.file.empty()) {
        // A file that holds runs is not started over by accident.
        const auto there = arguments.resume.empty() ? readSweep(job.file) : Result<SweepText>(Error{});
        if (there.ok() && !there.value().result.runs.empty())
            return fail(fmt::format("{} holds a sweep with {} runs: go on with it (--resume {}) or remove it.",
                                    job.file, there.value().result.runs.size(), job.file),
                        to);
        auto created = SweepWriter::create(job.file, job.result);
        if (!created.ok())
            return fail(created.failure(), to);
        writer.emplace(std::move(created).value());
    }
    std::error_code failure;
    if (!arguments.traces.empty() && !std::filesystem::create_directories(arguments.traces, failure) && failure)
        return fail(fmt::format("{} cannot be made: {}.", arguments.traces, failure.message()), to);

    std::string problem;
    const std::vector<SweepRun> done = job.result.runs;
    std::erase_if(job.result.runs, [](const SweepRun& run) { return !run.error.empty(); });
    LongTask running("Sweeping", arguments.drawing(), LongTask::Cancelling::MustAnswer);
    const auto keep = [&](const SweepRun& run, const Trace* trace) {
        job.result.runs.push_back(run);
        Result<void> kept = writer ? writer->append(job.result.plan, run) : Result<void>();
        Progress writing;
        if (kept.ok() && trace != nullptr)
            kept = writeTrace(*trace, fmt::format("{}/point-{}.overlane", arguments.traces, run.point), writing);
        if (kept.ok() || !problem.empty())
            return;
        problem = kept.error();
        running.progress().cancel();
    };
    SweepOptions options;
    options.threads = arguments.threads;
    options.force = arguments.force;
    options.traces = !arguments.traces.empty();
    const auto ran = runSweep(job.result.plan, *job.device, done, keep, running.progress(), options);
    if (!problem.empty())
        return fail(problem, to);
    if (!ran.ok() && ran.isCancelled() && !job.file.empty())
        to.err << fmt::format("{} of {} runs are in {}; `overlane sweep --resume {}` continues.\n",
                              job.result.runs.size(), job.result.plan.runs(), job.file, job.file);
    if (!ran.ok())
        return fail(ran.failure(), to);
    return writeOutputs(arguments, job, to);
}

int showCurves(const SweepArguments& arguments, const ReadySweep& ready, CommandOutput to)
{
    const auto device = chooseDevice(arguments.chosen.device.empty() ? "h200" : arguments.chosen.device);
    if (!device.ok())
        return fail(device.failure(), to, kExitUsage);
    if (arguments.chosen.onGpu())
        return fail(fmt::format("'{}' comes from the figures of a profile: measure this machine's with `overlane "
                                "calibrate -o FILE` and show them with --device FILE.",
                                ready.key),
                    to, kExitUsage);
    const CurveSheet sheet = ready.curves(*device.value());
    if (!arguments.csv.empty())
        if (const auto written = writeTextFile(arguments.csv, curvesCsv(sheet)); !written.ok())
            return fail(written.failure(), to);
    to.out << (arguments.json ? toText(curvesJson(sheet)) : device.value()->name + "\n" + curvesText(sheet));
    return kExitOk;
}

int sweep(const SweepArguments& arguments, CommandOutput to)
{
    if (arguments.list) {
        to.out << (arguments.json ? toText(sweepListJson()) : sweepList());
        return kExitOk;
    }
    const ReadySweep* ready = nullptr;
    if (!arguments.ready.empty()) {
        const auto found = chooseReadySweep(arguments.ready);
        if (!found.ok())
            return fail(found.failure(), to, kExitUsage);
        ready = found.value();
        if (!arguments.over.empty())
            return fail("--ready brings its own ranges: leave --over out.", to, kExitUsage);
        if (ready->curves)
            return showCurves(arguments, *ready, to);
    }
    if (arguments.over.empty() && ready == nullptr && arguments.resume.empty())
        return fail("Say what to sweep: --over KEY=RANGE (as in --over workers=0..8), --ready KEY or --resume FILE.",
                    to, kExitUsage);
    auto job = arguments.resume.empty() ? newJob(arguments, ready) : resumedJob(arguments);
    if (!job.ok())
        return fail(job.failure(), to, arguments.resume.empty() ? kExitUsage : kExitFailed);
    const auto metric = chooseMetric(arguments.metric, job.value().metric);
    if (!metric.ok())
        return fail(metric.failure(), to, kExitUsage);
    job.value().metric = metric.value();
    return runJob(arguments, std::move(job).value(), to);
}

constexpr std::string_view kSweepHelpText =
    "Ranges of --over:\n"
    "  batch_bytes=1M..256M*20    20 values in equal ratios, both ends among them\n"
    "  compute_us=1000..9000:5    5 values in equal steps\n"
    "  workers=0..8               every whole number\n"
    "  pin=none,thread            a list; pin=all for every choice\n"
    "\n"
    "Examples:\n"
    "  overlane sweep --over batch_bytes=1M..256M*20 --over pin=none,thread --repeat 3\n"
    "  overlane sweep --ready workers --preset loader_starved\n"
    "  overlane sweep --ready allocation_cost --device h200\n"
    "  overlane sweep --over workers=1..8 --engine gpu -o workers.jsonl\n"
    "  overlane sweep --resume workers.jsonl\n"
    "\n"
    "Settings are those of `overlane run --help`; --list names ready-made sweeps and figures. Low\n"
    "and high are the smallest and largest of the repeats, which differ in the seed. -o writes a line\n"
    "of JSON when a run has ended, so that --resume continues where a sweep was broken off.";

std::string sweepHelp()
{
    return std::string(kSweepHelpText) + "\n\n" + std::string(kExitCodesHelp);
}

CommandAction declareSweep(OptionList& list)
{
    auto arguments = std::make_shared<SweepArguments>();
    list.add("--over", arguments->over, "A setting and its values; twice for two settings").one().type("KEY=RANGE");
    list.add("--ready", arguments->ready, "A ready-made sweep (--list)").type("KEY");
    arguments->chosen.declare(list);
    list.add("--repeat", arguments->repeats, "Runs of each point").showDefault();
    list.add("--metric", arguments->metric, "The figure to plot (--list)").type("KEY");
    list.add("-o,--output", arguments->out, "Also keep every run in this file, a JSON line each").type("FILE");
    list.add("--resume", arguments->resume, "Go on with the sweep in this file").type("FILE");
    list.add("--csv", arguments->csv, "Also write the points as a table").type("FILE");
    list.add("--traces", arguments->traces, "Also keep the trace of each point's first run here").type("FOLDER");
    list.add("--threads", arguments->threads, "Simulations at once; 0 for one per core").showDefault();
    list.flag("--force", arguments->force, "On a GPU: pin more than half of the available memory");
    list.flag("--json", arguments->json, "Print JSON with stable keys instead of text");
    list.flag("--list", arguments->list, "List ready-made sweeps and figures");
    return [arguments](CommandOutput to) { return sweep(*arguments, to); };
}

}  // namespace

constinit const Command sweepCommand = {
    "sweep", "Run a data loader over ranges of one or two settings and show what changes.", sweepHelp, declareSweep};

}  // namespace overlane
