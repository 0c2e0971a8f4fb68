#include "core/fleet/fleet_file.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "core/analysis/cause_table.h"
#include "core/base/printable_text.h"
#include "core/base/saturated.h"
#include "core/io/sqlite_database.h"

namespace overlane
{
namespace
{

constexpr std::string_view kFileName = "fleet.sqlite";
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kMostGpus = 1'000'000;
constexpr std::int64_t kRowsPerReport = 4096;

constexpr std::string_view kRunColumns =
    "id url name grouping version recorded gpu gpus steps step_ns span_ns exposed_ns overlap exposed_communication_ns "
    "verdict easiest error";
constexpr std::string_view kCauseColumns = "run cause label lost_ns";
// In the order of the columns read below.
constexpr std::string_view kRuns =
    "SELECT id, url, name, grouping, version, recorded, gpu, gpus, steps, step_ns, span_ns, exposed_ns, overlap, "
    "exposed_communication_ns, verdict, easiest, error FROM runs ORDER BY id";
// Of all GPUs together; where an older program wrote the file the verdict's GPU stands for the others.
constexpr std::string_view kLosses = "SELECT run, cause, label, all_lost_ns FROM causes WHERE all_lost_ns > 0";
constexpr std::string_view kLossesOfOne = "SELECT run, cause, label, lost_ns FROM causes WHERE lost_ns > 0";

// Places of texts in the order they come.
class Names
{
public:
    explicit Names(std::vector<std::string>& names) : m_names(names) {}

    FleetPlace place(std::string_view name)
    {
        if (name.empty())
            return kNoPlace;
        const auto [found, isNew] = m_places.try_emplace(printableText(name), FleetPlace(m_names.size()));
        if (isNew)
            m_names.push_back(found->first);
        return found->second;
    }

private:
    std::vector<std::string>& m_names;
    std::unordered_map<std::string, FleetPlace> m_places;
};

std::string wordsOf(std::string_view id, std::string_view label)
{
    for (const LostCauseRow& row : lostCauses())
        if (row.id == id)
            return std::string(row.name);
    return printableText(label.empty() ? id : label);
}

// A figure that cannot be negative.
std::int64_t figure(const SqliteStatement& row, int column)
{
    return std::max<std::int64_t>(0, row.integer(column));
}

FleetRun runOf(const SqliteStatement& row, Names& groups, Names& versions)
{
    FleetRun run;
    run.url = printableText(row.text(1));
    run.name = printableText(row.text(2).empty() ? row.text(1) : row.text(2));
    run.group = groups.place(row.text(3));
    run.version = versions.place(row.text(4));
    if (row.isInteger(5))
        run.recordedS = row.integer(5);
    run.gpu = printableText(row.text(6));
    run.gpus = std::clamp<std::int64_t>(row.integer(7), 1, kMostGpus);
    run.steps = figure(row, 8);
    run.stepNs = figure(row, 9);
    run.spanNs = figure(row, 10);
    const std::int64_t mostNs = saturatedRound(run.gpuNs());
    run.exposedNs = std::min(figure(row, 11), mostNs);
    if (row.type(12) != SqliteType::Null)
        run.overlap = std::clamp(row.isInteger(12) ? double(row.integer(12)) : row.real(12), 0.0, 1.0);
    run.exposedCommunicationNs = std::min(figure(row, 13), mostNs);
    run.verdict = printableText(row.text(14));
    run.easiest = printableText(row.text(15));
    run.error = printableText(row.text(16));
    return run;
}

Result<void> checkVersion(SqliteDatabase& database)
{
    ASSIGN_OR_RETURN(const std::vector<std::string> tables, database.tables());
    for (const char* table : {"runs", "causes"})
        if (std::find(tables.begin(), tables.end(), table) == tables.end())
            return Error{
                fmt::format("this is no fleet: it has no table \"{}\". `overlane fleet scan` writes one.", table)};
    for (const auto& [table, needed] : {std::pair{"runs", kRunColumns}, {"causes", kCauseColumns}}) {
        ASSIGN_OR_RETURN(const std::vector<std::string> columns, database.columns(table));
        std::istringstream names{std::string(needed)};
        for (std::string name; names >> name;)
            if (std::find(columns.begin(), columns.end(), name) == columns.end())
                return Error{fmt::format(
                    "this is no fleet: its table \"{}\" has no column \"{}\". `overlane fleet scan` writes one.", table,
                    name)};
    }
    ASSIGN_OR_RETURN(const std::int64_t version, database.integer("PRAGMA user_version"));
    if (version != kVersion)
        return Error{
            fmt::format("its version is {}, and this program reads {}. Scan it again with this version's "
                        "`overlane fleet scan`.",
                        version, kVersion)};
    return {};
}

Result<Fleet> readAll(const std::string& path, Progress& progress)
{
    ASSIGN_OR_RETURN(SqliteDatabase database, SqliteDatabase::openStranger(path, &progress));
    RETURN_IF_ERROR(checkVersion(database));
    ASSIGN_OR_RETURN(const std::int64_t count, database.rowCount("runs"));
    Fleet fleet;
    fleet.path = path;
    Names groups(fleet.groups);
    Names versions(fleet.versions);
    std::unordered_map<std::int64_t, std::size_t> placeOfId;
    RETURN_IF_ERROR(forEachRow(database, kRuns, [&](const SqliteStatement& row) -> Result<void> {
        if (progress.cancelled())
            return Error::cancelled();
        placeOfId.emplace(row.integer(0), fleet.runs.size());
        fleet.runs.push_back(runOf(row, groups, versions));
        if (std::int64_t(fleet.runs.size()) % kRowsPerReport == 0)
            progress.report(0.7 * double(fleet.runs.size()) / double(std::max<std::int64_t>(1, count)));
        return {};
    }));
    std::unordered_map<std::string, FleetPlace> placeOfCause;
    ASSIGN_OR_RETURN(const std::vector<std::string> columns, database.columns("causes"));
    const bool ofAll = std::find(columns.begin(), columns.end(), "all_lost_ns") != columns.end();
    RETURN_IF_ERROR(
        forEachRow(database, ofAll ? kLosses : kLossesOfOne, [&](const SqliteStatement& row) -> Result<void> {
            if (progress.cancelled())
                return Error::cancelled();
            const auto run = placeOfId.find(row.integer(0));
            if (run == placeOfId.end() || row.text(1).empty())
                return {};
            const auto [cause, isNew] =
                placeOfCause.try_emplace(std::string(row.text(1)), FleetPlace(fleet.causes.size()));
            if (isNew)
                fleet.causes.push_back({printableText(row.text(1)), wordsOf(row.text(1), row.text(2))});
            FleetRun& of = fleet.runs[run->second];
            const std::int64_t ns =
                ofAll ? figure(row, 3) : saturatedProduct(std::min(figure(row, 3), of.spanNs), of.gpus);
            of.losses.push_back({cause->second, std::min(ns, saturatedRound(of.gpuNs()))});
            return {};
        }));
    progress.report(1);
    return fleet;
}

}  // namespace

std::optional<std::string> fleetFile(const std::string& path)
{
    std::error_code error;
    const std::filesystem::path given(path);
    if (std::filesystem::is_directory(given, error)) {
        const std::filesystem::path inside = given / kFileName;
        return std::filesystem::is_regular_file(inside, error) ? std::optional(inside.string()) : std::nullopt;
    }
    return given.filename() == kFileName ? std::optional(path) : std::nullopt;
}

Result<Fleet> readFleet(const std::string& path, Progress& progress)
{
    const std::optional<std::string> file = fleetFile(path);
    if (!file)
        return Error{fmt::format("{}: there is no {} here. Name the folder that `overlane fleet scan -o FOLDER` wrote.",
                                 printableText(path), kFileName)};
    Result<Fleet> fleet = readAll(*file, progress);
    if (!fleet.ok())
        return fleet.failure().in(printableText(*file));
    return fleet;
}

}  // namespace overlane
