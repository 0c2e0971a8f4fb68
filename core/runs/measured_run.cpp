#include "core/runs/measured_run.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <unistd.h>

#include "core/base/atomic_file.h"
#include "core/base/text_file.h"
#include "core/engine/gpu_backend_library.h"
#include "core/io/format.h"
#include "core/loader/gpu_run.h"
#include "core/loader/settings.h"
#include "core/spool/record_environment.h"
#include "core/spool/spool_clock.h"
#include "core/system/gpu_support.h"
#include "core/trace/trace_slice.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr auto kPollPeriod = std::chrono::milliseconds(20);
constexpr const char* kProgram = "overlane";
constexpr const char* kStopped = "stopped";
constexpr const char* kRecording = "run.overlane";
constexpr const char* kResult = "result.json";
// What a run that is asked to stop may take for it: a device that answers no more must not hold it up.
constexpr std::int64_t kStopPatienceNs = 3'000'000'000;

std::string programPath(const MeasuredRunOptions& options)
{
    if (!options.program.empty())
        return options.program;
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return self.filename() == kProgram ? self.string() : companionPath(kProgram).string();
}

std::string resultJson(const GpuRunResult& result)
{
    const GpuRunReport& report = result.report;
    return nlohmann::json{{"wall_ns", result.wallNs},
                          {"device", result.device},
                          {"pinned_peak_bytes", report.pinnedPeakBytes},
                          {"batches_checked", report.batchesChecked},
                          {"wrong_batches", report.wrongBatches},
                          {"results_checked", report.resultsChecked},
                          {"wrong_results", report.wrongResults},
                          {"numa_nodes", report.placement.nodes},
                          {"gpu_node", report.placement.gpuNode},
                          {"copy_bytes_per_second_of_nodes", report.placement.copyBytesPerSecond}}
        .dump();
}

Result<MeasuredRunResult> parseResult(const std::string& text)
{
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        return Error{"The run on the GPU left no result: its process was ended."};
    if (json.contains("error") && json["error"].is_string())
        return Error{json["error"].get<std::string>()};
    MeasuredRunResult result;
    result.run.wallNs = json.value("wall_ns", std::int64_t{0});
    result.stopped = json.value(kStopped, false);
    result.device = json.value("device", std::string());
    GpuRunReport& report = result.report;
    report.pinnedPeakBytes = json.value("pinned_peak_bytes", std::int64_t{0});
    report.batchesChecked = json.value("batches_checked", std::int64_t{0});
    report.wrongBatches = json.value("wrong_batches", std::int64_t{0});
    report.resultsChecked = json.value("results_checked", std::int64_t{0});
    report.wrongResults = json.value("wrong_results", std::int64_t{0});
    report.placement.nodes = json.value("numa_nodes", 1);
    report.placement.gpuNode = json.value("gpu_node", -1);
    report.placement.copyBytesPerSecond = json.value("copy_bytes_per_second_of_nodes", std::vector<double>());
    result.run.pinnedPeakBytes = report.pinnedPeakBytes;
    return result;
}

// From the start of the clock to the end of the run, or of what there is of it; none before the clock
// started. The engine notes the start as an instant at once, and the whole as a range at the end.
std::optional<Interval> measuredRange(const Trace& trace)
{
    const StringId name = trace.strings().find(kMeasuredRun);
    const EventColumns& columns = trace.columns();
    std::optional<Interval> range;
    for (std::size_t at = 0; name.valid() && at < columns.name.size(); ++at) {
        if (columns.name[at] != name)
            continue;
        if (columns.kind[at] == EventKind::Annotation)
            return trace.interval(EventIndex(at));
        range = Interval{columns.startNs[at], trace.span().endNs};
    }
    return range;
}

// What the recording says of the process that ran it is nobody's business: it names files that are gone.
TraceMetadata describe(const Trace& recorded, const Scenario& scenario, const std::string& device)
{
    TraceMetadata metadata = recorded.metadata();
    metadata.format = rowOf(TraceOrigin::Measured).id;
    metadata.title = fmt::format("{}, measured on {}", scenario.name, device);
    metadata.scenarioJson = scenarioToJson(scenario);
    metadata.properties.erase("command");
    metadata.properties["device"] = device;
    return metadata;
}

std::string deviceOf(const Trace& trace)
{
    return trace.devices().empty() ? std::string("the GPU") : trace.devices().front().name;
}

}  // namespace

MeasuredRun::MeasuredRun(Scenario scenario, TemporaryFolder folder)
    : m_scenario(std::move(scenario)), m_folder(std::move(folder))
{
}

MeasuredRun::~MeasuredRun()
{
    if (m_session && !m_session->programEnd()) {
        m_session->signal(SIGKILL);
        while (m_session->poll())
            std::this_thread::sleep_for(kPollPeriod);
    }
    m_session.reset();
    if (m_output >= 0)
        close(m_output);
}

Result<std::unique_ptr<MeasuredRun>> MeasuredRun::start(const Scenario& scenario, const MeasuredRunOptions& options)
{
    RETURN_IF_ERROR(checkScenario(scenario));
    const std::string program = programPath(options);
    if (program.empty())
        return Error{"The command-line program overlane, which runs loaders on the GPU, is not next to this one."};
    ASSIGN_OR_RETURN(auto made, TemporaryFolder::make("run"));
    std::unique_ptr<MeasuredRun> run(new MeasuredRun(scenario, std::move(made)));
    const TemporaryFolder& folder = run->m_folder;

    const std::string scenarioFile = folder.file("scenario.json");
    if (!writeWhole(scenarioFile, scenarioToJson(scenario)).ok())
        return Error{fmt::format("{} cannot be written; is the disk full?", scenarioFile)};
    run->m_output = open(folder.file("output.txt").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    RecordOptions record;
    record.program.command = {
        program, "gpu-run", scenarioFile, folder.file(kResult), "--device", std::to_string(options.device)};
    if (options.force)
        record.program.command.emplace_back("--force");
    record.program.outputFile = run->m_output;
    record.output = folder.file(kRecording);
    record.library = options.library;
    ASSIGN_OR_RETURN(auto session, RecordSession::start(record));
    run->m_session = std::move(session);
    return run;
}

std::string MeasuredRun::file() const
{
    return m_folder.file(kRecording);
}

bool MeasuredRun::poll()
{
    if (m_stoppedNs > 0 && monotonicNs() - m_stoppedNs > kStopPatienceNs)
        m_session->signal(SIGKILL);
    return m_session->poll();
}

void MeasuredRun::stop()
{
    if (m_stoppedNs > 0)
        return;
    m_stoppedNs = monotonicNs();
    m_session->signal(SIGINT);
}

void MeasuredRun::cancel()
{
    m_cancelled = true;
    m_session->signal(SIGKILL);
}

Result<MeasuredRunResult> MeasuredRun::finish(Progress& progress)
{
    if (m_cancelled)
        return Error::cancelled();
    const auto recorded = m_session->finish();
    auto result = parseResult(textOfFile(m_folder.file(kResult)));
    if (!result.ok() && m_stoppedNs > 0)  // it had to be made to end
        result = MeasuredRunResult{.stopped = true};
    if (!result.ok())
        return result;
    if (!recorded.ok())
        return recorded.failure();
    auto trace = readTrace(recorded.value().file, progress);
    if (!trace.ok())
        return trace.failure();
    MeasuredRunResult measured = std::move(result).value();
    const std::optional<Interval> whole = measuredRange(trace.value());
    if (measured.stopped && !whole)
        return Error::cancelled();
    measured.warnings = recorded.value().warnings;
    if (measured.device.empty())
        measured.device = deviceOf(trace.value());
    TraceMetadata metadata = describe(trace.value(), m_scenario, measured.device);
    Interval range = whole.value_or(trace.value().span());
    // The engine notes the end when the last thread has ended, the loader when the GPU was done.
    if (!measured.stopped)
        range.endNs = std::min(range.endNs, range.startNs + measured.run.wallNs);
    else
        metadata.properties[kStoppedProperty] = "before its end";
    measured.run.trace = sliceTrace(trace.value(), range, std::move(metadata));
    return measured;
}

Result<Trace> readMeasuredSoFar(const Scenario& scenario, const std::string& device, const std::string& file,
                                Progress& progress)
{
    auto trace = readTrace(file, progress);
    if (!trace.ok())
        return trace;
    const std::optional<Interval> range = measuredRange(trace.value());
    if (!range)
        return Error{"The run's clock has not started yet."};
    return sliceTrace(trace.value(), *range, describe(trace.value(), scenario, device));
}

Result<MeasuredRunResult> measure(const Scenario& scenario, const MeasuredRunOptions& options, Progress& progress)
{
    ASSIGN_OR_RETURN(auto run, MeasuredRun::start(scenario, options));
    while (run->poll()) {
        if (progress.cancelled())
            run->cancel();
        std::this_thread::sleep_for(kPollPeriod);
    }
    return run->finish(progress);
}

int runForMeasurement(const std::string& scenarioFile, const std::string& resultFile, int device, bool force,
                      Progress& progress)
{
    const auto fail = [&](const std::string& message) {
        (void)writeWhole(resultFile, nlohmann::json{{"error", message}}.dump());
        return 1;
    };
    const auto scenario = scenarioFromJson(textOfFile(scenarioFile));
    if (!scenario.ok())
        return fail(scenario.error());
    const auto backend = loadGpuBackend();
    if (!backend.ok())
        return fail(backend.error());
    GpuRunOptions options;
    options.device = device;
    options.force = force;
    if (const char* directory = std::getenv(record_environment::kSpoolDirectory))
        options.spoolDirectory = directory;
    const auto result = runOnGpu(scenario.value(), *backend.value(), options, &progress);
    if (!result.ok() && result.isCancelled())
        return writeWhole(resultFile, nlohmann::json{{kStopped, true}}.dump()).ok() ? 0 : 1;
    if (!result.ok())
        return fail(result.error());
    return writeWhole(resultFile, resultJson(result.value())).ok() ? 0 : 1;
}

}  // namespace overlane
