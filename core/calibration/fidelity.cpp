#include "core/calibration/fidelity.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/analysis/analysis.h"
#include "core/base/parallel.h"
#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/calibration/calibration_statistics.h"
#include "core/loader/run.h"
#include "core/loader/settings.h"
#include "core/simulation/spread.h"

namespace overlane
{
namespace
{

using Json = nlohmann::ordered_json;

constexpr double kToldApart = 0.1;
constexpr double kOverlapTolerance = 0.05;
constexpr double kQuiet = 0.05;  // repeats that lie no further apart

constexpr std::size_t kMostEnumerated = 5;  // runs of which every resample is looked at
constexpr std::size_t kResamples = 2000;    // of more runs, at random

// Deviation of the medians of resamples with replacement, each as likely as the others.
double bootstrapDeviation(const std::vector<std::int64_t>& runs)
{
    const std::size_t count = runs.size();
    const bool all = count <= kMostEnumerated;
    std::size_t resamples = all ? 1 : kResamples;
    for (std::size_t run = 0; all && run < count; ++run)
        resamples *= count;
    std::uint64_t random = count;
    std::vector<double> drawn(count);
    double sum = 0, squares = 0;
    const auto center = static_cast<double>(runs.front());
    for (std::size_t resample = 0; resample < resamples; ++resample) {
        std::size_t digits = resample;
        for (double& value : drawn) {
            const std::size_t pick = all ? digits % count : static_cast<std::size_t>(splitMix(random) % count);
            digits /= count;
            value = static_cast<double>(runs[pick]) - center;
        }
        const double middle = median(drawn);
        sum += middle;
        squares += middle * middle;
    }
    const auto number = static_cast<double>(resamples);
    return std::sqrt(std::max(0.0, squares / number - sum / number * (sum / number)));
}

// In full, so that rows stay what they are when defaults change; of the machine only what was changed.
Json settingsJson(const Scenario& scenario)
{
    Json json = Json::object();
    const Scenario defaults;
    for (const Setting& setting : allSettings())
        if (setting.group != "Machine" || setting.get(scenario) != setting.get(defaults))
            json[std::string(setting.key)] = settingText(setting, scenario);
    return json;
}

FidelityRow readRow(const Json& json)
{
    FidelityRow row;
    row.seed = json.at("seed");
    row.index = json.at("index");
    row.device = json.at("device");
    row.wallsNs = json.at("walls_ns").get<std::vector<std::int64_t>>();
    if (row.wallsNs.empty() || *std::min_element(row.wallsNs.begin(), row.wallsNs.end()) <= 0)
        throw std::runtime_error("walls_ns must hold times above 0");
    row.scenario.name = fmt::format("fidelity {}.{}", row.seed, row.index);
    for (const auto& [key, text] : json.at("settings").items())
        if (auto assigned = assignSetting(row.scenario, key, text.get<std::string>()); !assigned.ok())
            throw std::runtime_error(assigned.error());
    if (json.contains("recorded")) {
        const Json& recorded = json.at("recorded");
        row.recorded = {recorded.at("wall_ns"), recorded.at("h2d_ns"), recorded.at("d2h_ns"), recorded.at("kernel_ns"),
                        recorded.at("overlap_share")};
    }
    return row;
}

FidelityRanking rank(const FidelityCase& left, const FidelityCase& right)
{
    const auto [faster, slower] =
        left.row.wallNs() < right.row.wallNs() ? std::pair(&left, &right) : std::pair(&right, &left);
    if (static_cast<double>(slower->row.wallNs()) <= (1 + kToldApart) * static_cast<double>(faster->row.wallNs()))
        return {};
    return {1, faster->simulated.wallNs > slower->simulated.wallNs ? std::size_t{1} : 0};
}

FidelityGroup group(std::string name, FidelityFilter filter)
{
    return {std::move(name), std::move(filter)};
}

}  // namespace

std::int64_t FidelityRow::wallNs() const
{
    return median(wallsNs);
}

double FidelityRow::noise() const
{
    const auto [least, most] = std::minmax_element(wallsNs.begin(), wallsNs.end());
    return static_cast<double>(*most - *least) / static_cast<double>(wallNs());
}

double FidelityRow::standardError() const
{
    const auto runs = static_cast<double>(wallsNs.size());
    if (wallsNs.size() < 2)
        return 0;
    return bootstrapDeviation(wallsNs) * std::sqrt(runs / (runs - 1)) / static_cast<double>(wallNs());
}

Result<std::vector<FidelityRow>> readFidelityRows(std::string_view jsonLines)
{
    std::vector<FidelityRow> rows;
    std::size_t number = 0;
    while (!jsonLines.empty()) {
        const std::size_t end = std::min(jsonLines.find('\n'), jsonLines.size());
        const std::string_view line = jsonLines.substr(0, end);
        jsonLines.remove_prefix(std::min(end + 1, jsonLines.size()));
        ++number;
        if (line.empty())
            continue;
        try {
            rows.push_back(readRow(Json::parse(line)));
        } catch (const std::exception& error) {
            return Error{fmt::format("Line {} holds no measured scenario: {}.", number, error.what())};
        }
    }
    if (rows.empty())
        return Error{"The file holds no measured scenarios; make one with \"overlane fidelity --engine gpu -o FILE\"."};
    return rows;
}

std::string writeFidelityRows(const std::vector<FidelityRow>& rows)
{
    std::string text;
    for (const FidelityRow& row : rows) {
        Json json{{"seed", row.seed},
                  {"index", row.index},
                  {"device", row.device},
                  {"settings", settingsJson(row.scenario)},
                  {"walls_ns", row.wallsNs}};
        if (row.recorded.wallNs > 0)
            json["recorded"] = {{"wall_ns", row.recorded.wallNs},
                                {"h2d_ns", row.recorded.h2dNs},
                                {"d2h_ns", row.recorded.d2hNs},
                                {"kernel_ns", row.recorded.kernelNs},
                                {"overlap_share", std::round(row.recorded.overlapShare * 1e4) / 1e4}};
        text += json.dump() + "\n";
    }
    return text;
}

Result<std::vector<FidelityRow>> mergeFidelityRows(const std::vector<std::vector<FidelityRow>>& rounds)
{
    std::vector<FidelityRow> merged;
    std::map<std::pair<std::uint64_t, std::int64_t>, std::size_t> places;
    for (const std::vector<FidelityRow>& round : rounds)
        for (const FidelityRow& row : round) {
            const auto [place, isNew] = places.try_emplace({row.seed, row.index}, merged.size());
            if (isNew) {
                merged.push_back(row);
                continue;
            }
            FidelityRow& same = merged[place->second];
            if (settingsJson(same.scenario) != settingsJson(row.scenario))
                return Error{fmt::format("Row {}.{} is there twice, with different settings.", row.seed, row.index)};
            same.wallsNs.insert(same.wallsNs.end(), row.wallsNs.begin(), row.wallsNs.end());
            if (same.recorded.wallNs == 0)
                same.recorded = row.recorded;
        }
    return merged;
}

double FidelityCase::wallError() const
{
    return static_cast<double>(simulated.wallNs) / static_cast<double>(row.wallNs()) - 1;
}

double FidelityCase::overlapError() const
{
    if (row.recorded.h2dNs == 0 || simulated.h2dNs == 0)
        return 0;
    return simulated.overlapShare - row.recorded.overlapShare;
}

Result<FidelityFigures> simulateFigures(const Scenario& scenario, const DeviceProfile& device)
{
    ASSIGN_OR_RETURN(auto run, simulate(scenario, device));
    FidelityFigures figures;
    figures.wallNs = run.wallNs;
    const Summary summary = summarize(run.trace, Interval{0, figures.wallNs});
    if (const DeviceSummary* worst = summary.worst()) {
        figures.h2dNs = worst->h2dBusyNs;
        figures.d2hNs = worst->d2hBusyNs;
        figures.kernelNs = worst->kernelBusyNs;
        figures.overlapShare = worst->overlapShare;
    }
    return figures;
}

Result<std::vector<FidelityCase>> compareFidelity(const std::vector<FidelityRow>& rows, const DeviceProfile& device,
                                                  Progress* progress)
{
    std::vector<FidelityCase> cases(rows.size());
    std::mutex mutex;
    std::string error;
    runInParallel(rows.size(), 0, [&](std::size_t at) {
        if (progress && progress->cancelled())
            return false;
        auto figures = simulateFigures(rows[at].scenario, device);
        const std::lock_guard lock(mutex);
        if (!figures.ok() && error.empty())
            error = fmt::format("Scenario {}.{}: {}", rows[at].seed, rows[at].index, figures.error());
        cases[at] = {rows[at], figures.ok() ? figures.value() : FidelityFigures()};
        if (progress)
            progress->report(static_cast<double>(at) / static_cast<double>(rows.size()));
        return true;
    });
    if (progress && progress->cancelled())
        return Error::cancelled();
    if (!error.empty())
        return Error{error};
    return cases;
}

FidelityStatistics fidelityStatistics(const std::vector<FidelityCase>& cases, const FidelityFilter& filter)
{
    FidelityStatistics statistics;
    std::vector<double> errors, sizes, noises, floors, overlaps;
    for (const FidelityCase& each : cases) {
        if (!filter(each.row))
            continue;
        ++statistics.rows;
        errors.push_back(each.wallError());
        sizes.push_back(std::abs(each.wallError()));
        noises.push_back(each.row.noise());
        floors.push_back(each.row.standardError());
        if (each.row.recorded.h2dNs > 0)
            overlaps.push_back(std::abs(each.overlapError()));
    }
    statistics.bias = quantile(errors, 0.5);
    statistics.median = quantile(sizes, 0.5);
    statistics.worstDecile = quantile(sizes, 0.9);
    statistics.noise = quantile(noises, 0.5);
    statistics.floorMedian = quantile(floors, 0.5);
    statistics.floorWorstDecile = quantile(floors, 0.9);
    statistics.recorded = overlaps.size();
    const auto within =
        std::count_if(overlaps.begin(), overlaps.end(), [](double error) { return error <= kOverlapTolerance; });
    statistics.overlapWithin =
        overlaps.empty() ? 1 : static_cast<double>(within) / static_cast<double>(overlaps.size());
    return statistics;
}

FidelityRanking rankPartners(const std::vector<FidelityCase>& cases)
{
    FidelityRanking sum;
    for (std::size_t at = 0; at + 1 < cases.size(); ++at) {
        const FidelityRow& row = cases[at].row;
        const FidelityRow& next = cases[at + 1].row;
        if (row.seed != next.seed || row.index % 2 != 0 || next.index != row.index + 1)
            continue;
        const FidelityRanking one = rank(cases[at], cases[at + 1]);
        sum.pairs += one.pairs;
        sum.inverted += one.inverted;
    }
    return sum;
}

FidelityRanking rankAll(const std::vector<FidelityCase>& cases)
{
    FidelityRanking sum;
    for (std::size_t left = 0; left < cases.size(); ++left)
        for (std::size_t right = left + 1; right < cases.size(); ++right) {
            const FidelityRanking one = rank(cases[left], cases[right]);
            sum.pairs += one.pairs;
            sum.inverted += one.inverted;
        }
    return sum;
}

std::vector<FidelityCase> repeatsCompared(const std::vector<FidelityCase>& cases)
{
    std::vector<FidelityCase> compared = cases;
    for (FidelityCase& each : compared) {
        each.simulated.wallNs = each.row.wallsNs.back();
        each.row.wallsNs = {each.row.wallsNs.front()};
    }
    return compared;
}

std::vector<FidelityGroup> fidelityGroups()
{
    using Row = FidelityRow;
    return {
        group("pinned", [](const Row& row) { return row.pinned(); }),
        group("pageable", [](const Row& row) { return !row.pinned(); }),
        group("pinned, repeats agree", [](const Row& row) { return row.pinned() && row.noise() <= kQuiet; }),
        group("pageable, agree", [](const Row& row) { return !row.pinned() && row.noise() <= kQuiet; }),
        group("pin=thread", [](const Row& row) { return row.scenario.pin == PinStrategy::Thread; }),
        group("pin=consumer", [](const Row& row) { return row.scenario.pin == PinStrategy::Consumer; }),
        group("pin=ring", [](const Row& row) { return row.scenario.pin == PinStrategy::Ring; }),
        group("pin=register", [](const Row& row) { return row.scenario.pin == PinStrategy::Register; }),
        group("allocator=fresh",
              [](const Row& row) {
                  return row.scenario.allocator == Allocator::Fresh &&
                         (row.scenario.pin == PinStrategy::Thread || row.scenario.pin == PinStrategy::Consumer);
              }),
        group("no workers", [](const Row& row) { return row.scenario.workers == 0; }),
        group("1 to 3 workers", [](const Row& row) { return row.scenario.workers > 0 && row.scenario.workers < 4; }),
        group("4 to 8 workers", [](const Row& row) { return row.scenario.workers >= 4; }),
        group("batches below 1 MiB", [](const Row& row) { return row.scenario.batchBytes < kMiB; }),
        group("batches of 1 to 16 MiB",
              [](const Row& row) { return row.scenario.batchBytes >= kMiB && row.scenario.batchBytes < 16 * kMiB; }),
        group("batches above 16 MiB", [](const Row& row) { return row.scenario.batchBytes >= 16 * kMiB; }),
        group("non_blocking", [](const Row& row) { return row.scenario.nonBlocking; }),
        group("blocking", [](const Row& row) { return !row.scenario.nonBlocking; }),
        group("copy_stream=side", [](const Row& row) { return row.scenario.copyStream == CopyStream::Side; }),
        group("copy_stream=compute", [](const Row& row) { return row.scenario.copyStream == CopyStream::Compute; }),
        group("streams above 1", [](const Row& row) { return row.scenario.streams > 1; }),
        group("kernel=spin", [](const Row& row) { return row.scenario.kernel == KernelKind::Spin; }),
        group("kernel=memory", [](const Row& row) { return row.scenario.kernel == KernelKind::Memory; }),
        group("kernel=gemm",
              [](const Row& row) { return row.scenario.kernel == KernelKind::Gemm && row.scenario.computeFlops == 0; }),
        group("compute_flops", [](const Row& row) { return row.scenario.computeFlops > 0; }),
        group("files=cached", [](const Row& row) { return row.scenario.files == Files::Cached; }),
        group("results read back", [](const Row& row) { return row.scenario.resultBytes > 0; }),
        group("sync_every_step", [](const Row& row) { return row.scenario.syncEveryStep; }),
    };
}

}  // namespace overlane
