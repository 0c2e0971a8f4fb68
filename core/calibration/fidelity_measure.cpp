#include "core/calibration/fidelity_measure.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

#include "core/analysis/analysis.h"
#include "core/base/atomic_file.h"
#include "core/base/temporary_folder.h"
#include "core/base/text_file.h"
#include "core/engine/gpu_backend_library.h"
#include "core/io/format.h"
#include "core/loader/gpu_run.h"
#include "core/recorder/record_session.h"
#include "core/spool/record_environment.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

constexpr auto kPollPeriod = std::chrono::milliseconds(50);

}  // namespace

FidelityRunner gpuRunner(GpuBackend& backend, int device, const std::string& spoolDirectory, Progress& progress)
{
    return [&backend, device, spoolDirectory, &progress](const Scenario& scenario) -> Result<FidelityRun> {
        Progress part;
        std::atomic<bool> ended = false;
        std::thread watcher([&] {
            while (!ended) {
                if (progress.cancelled())
                    part.cancel();
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
        });
        auto run = runOnGpu(scenario, backend, {device, false, spoolDirectory}, &part);
        ended = true;
        watcher.join();
        if (!run.ok())
            return run.failure();
        return FidelityRun{run.value().wallNs, run.value().device};
    };
}

FidelityWalls measureWalls(const std::vector<Scenario>& scenarios, std::uint64_t seed, int repeats,
                           const FidelityRunner& runner, Progress& progress)
{
    FidelityWalls walls;
    walls.rows.resize(scenarios.size());
    std::size_t done = 0;
    const auto runs = static_cast<double>(repeats) * static_cast<double>(scenarios.size());
    for (int round = 0; round < repeats && !walls.cancelled; ++round)
        for (std::size_t at = 0; at < scenarios.size() && !walls.cancelled; ++at) {
            auto run = runner(scenarios[at]);
            progress.report(static_cast<double>(++done) / runs);
            walls.cancelled = progress.cancelled();
            if (!run.ok()) {
                if (round == 0 && !walls.cancelled)
                    walls.failures.push_back(fmt::format("Scenario {}.{}: {}", seed, at, run.error()));
                continue;
            }
            FidelityRow& row = walls.rows[at];
            row.seed = seed;
            row.index = static_cast<std::int64_t>(at);
            row.scenario = scenarios[at];
            row.device = run.value().device;
            row.wallsNs.push_back(run.value().wallNs);
        }
    std::erase_if(walls.rows, [](const FidelityRow& row) { return row.wallsNs.empty(); });
    return walls;
}

Result<void> addRecorded(std::vector<FidelityRow>& rows, int device, Progress& progress)
{
    ASSIGN_OR_RETURN(const auto made, TemporaryFolder::make("fidelity"));
    const TemporaryFolder& folder = made;
    if (const auto written = writeWhole(folder.file("rows.jsonl"), writeFidelityRows(rows)); !written.ok())
        return written.failure().in(folder.file("rows.jsonl") + " cannot be written");
    RecordOptions record;
    const int output = open(folder.file("output.txt").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    std::error_code failure;
    record.program.command = {fs::read_symlink("/proc/self/exe", failure).string(),
                              "fidelity",
                              folder.file("rows.jsonl"),
                              "--recorded-part",
                              folder.file("walls.json"),
                              "--device-index",
                              std::to_string(device)};
    record.program.outputFile = output;
    record.output = folder.file("runs.overlane");
    record.gauges = false;
    ASSIGN_OR_RETURN(auto session, RecordSession::start(record));
    while (session->poll()) {
        if (progress.cancelled())
            session->signal(SIGKILL);
        std::this_thread::sleep_for(kPollPeriod);
    }
    close(output);
    if (progress.cancelled())
        return Error::cancelled();
    const auto recorded = session->finish();
    if (!recorded.ok())
        return recorded.failure();
    const auto walls = nlohmann::json::parse(textOfFile(folder.file("walls.json")), nullptr, false);
    if (!walls.is_array() || walls.size() != rows.size())
        return Error{fmt::format("The recorded process ended early: {}", textOfFile(folder.file("output.txt")))};
    ASSIGN_OR_RETURN(auto trace, readTrace(recorded.value().file, progress));
    const auto figures = recordedFigures(trace, walls.get<std::vector<std::int64_t>>());
    for (std::size_t at = 0; at < std::min(rows.size(), figures.size()); ++at)
        rows[at].recorded = figures[at];
    return {};
}

int runRecordedPart(const std::string& rowsFile, const std::string& resultFile, int device, Progress& progress)
{
    const auto rows = readFidelityRows(textOfFile(rowsFile));
    const auto backend = loadGpuBackend();
    if (!rows.ok() || !backend.ok())
        return 1;
    const char* directory = std::getenv(record_environment::kSpoolDirectory);
    const FidelityRunner runner = gpuRunner(*backend.value(), device, directory != nullptr ? directory : "", progress);
    std::vector<std::int64_t> walls;
    for (const FidelityRow& row : rows.value()) {
        const auto run = runner(row.scenario);
        walls.push_back(run.ok() ? run.value().wallNs : 0);
    }
    return writeWhole(resultFile, nlohmann::json(walls).dump()).ok() ? 0 : 1;
}

std::vector<FidelityFigures> recordedFigures(const Trace& trace, const std::vector<std::int64_t>& wallsNs)
{
    const StringId name = trace.strings().find(kMeasuredRun);
    const EventColumns& columns = trace.columns();
    std::vector<std::int64_t> starts;
    for (std::size_t at = 0; name.valid() && at < columns.name.size(); ++at)
        if (columns.name[at] == name && columns.kind[at] == EventKind::Annotation)
            starts.push_back(columns.startNs[at]);
    std::sort(starts.begin(), starts.end());
    const Analysis analysis(trace);
    std::vector<FidelityFigures> figures;
    std::size_t next = 0;
    for (const std::int64_t wallNs : wallsNs) {
        FidelityFigures& one = figures.emplace_back();
        if (wallNs <= 0 || next >= starts.size())
            continue;  // it did not run, and left nothing
        const std::int64_t startNs = starts[next++];
        one.wallNs = wallNs;
        const Summary summary = analysis.summarize(Interval{startNs, startNs + wallNs});
        const DeviceSummary* device = summary.worst();
        if (device == nullptr)
            continue;
        one.h2dNs = device->h2dBusyNs;
        one.d2hNs = device->d2hBusyNs;
        one.kernelNs = device->kernelBusyNs;
        one.overlapShare = device->overlapShare;
    }
    return figures;
}

}  // namespace overlane
