#include "core/fleet/fleet_blocks.h"

#include <fmt/format.h>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostChangesTold = 3;
constexpr double kHardlyHidden = 0.2;
static_assert(kOverlapBins == 10);

std::string runsText(std::int64_t count)
{
    return formatCount(count) + (count == 1 ? " run" : " runs");
}

std::string percentText(double share)
{
    return fmt::format("{:.0f} %", 100 * share);
}

std::string brokenText(std::int64_t broken)
{
    return broken == 0 ? "" : fmt::format(" {} could not be read.", runsText(broken));
}

std::string leadText(const Fleet& fleet, const FleetFigures& figures)
{
    if (figures.read == 0)
        return fleet.runs.empty() ? "This fleet has no runs yet: scan a folder of traces."
                                  : fmt::format("None could be read of {}.", runsText(figures.broken));
    if (figures.lostGpuNs <= 0)
        return fmt::format("{}: no GPU time was lost.", runsText(figures.read)) + brokenText(figures.broken);
    const FleetCauseFigures& first = figures.causes.front();
    return fmt::format("{} lost {} of their GPU time, most of it to {}: {}, in {} at least {} of the time.",
                       runsText(figures.read), formatShare(figures.lostGpuNs / figures.gpuNs),
                       fleet.causes[first.cause].label, gpuTimeText(first.lostGpuNs), runsText(first.runs),
                       percentText(kNotableLoss)) +
           brokenText(figures.broken);
}

std::string overlapText(const FleetFigures& figures)
{
    if (!figures.medianOverlap)
        return figures.read > 0 ? "No run copies to the GPU." : "";
    std::int64_t hardly = 0;
    for (std::size_t bin = 0; bin < overlapBin(kHardlyHidden); ++bin)
        hardly += figures.overlap[bin];
    constexpr double kNothing = 0.005;
    const std::string half = *figures.medianOverlap < kNothing
                                 ? "In half of the runs nothing of the copies' time is hidden"
                                 : fmt::format("In half of the runs at least {} of the copies' time is hidden",
                                               formatShare(*figures.medianOverlap));
    std::string text = fmt::format("{}; in {} less than {}.", half, runsText(hardly), percentText(kHardlyHidden));
    if (figures.withoutCopies > 0)
        text += fmt::format(" {} without copies.", runsText(figures.withoutCopies));
    return text;
}

std::string changeText(const Fleet& fleet, const FleetChange& change)
{
    const std::string group = change.group == kNoPlace ? "" : fleet.groups[change.group] + ": ";
    return fmt::format("{}{} is {} {} than {}: {} instead of {} a step ({} and {} runs).", group,
                       fleet.versions[change.after], formatShare(std::abs(change.change())),
                       change.claim == Claim::Higher ? "slower" : "faster", fleet.versions[change.before],
                       formatDuration(saturatedRound(change.stepAfterNs)),
                       formatDuration(saturatedRound(change.stepBeforeNs)), change.runsAfter, change.runsBefore);
}

Cell nameCell(const std::vector<std::string>& names, FleetPlace place)
{
    return place == kNoPlace ? missingCell() : Cell{names[place]};
}

Cell stepCell(double ns)
{
    return durationCell(saturatedRound(ns));
}

void cut(Table& table, std::size_t mostRows, std::size_t of)
{
    if (of <= mostRows && table.rows.size() <= mostRows)
        return;
    table.rows.resize(std::min(table.rows.size(), mostRows));
    table.title += fmt::format(" (the first {} of {})", table.rows.size(), formatCount(std::int64_t(of)));
}

}  // namespace

Blocks fleetAnswer(const Fleet& fleet, const FleetFigures& figures, const std::vector<FleetChange>& changes)
{
    Blocks blocks;
    const bool worth = figures.gpuNs > 0 && figures.lostGpuNs / figures.gpuNs >= kNotableLoss;
    blocks.emplace_back(Sentence{leadText(fleet, figures), worth ? Tone::Worse : Tone::Plain, true});
    if (const std::string text = overlapText(figures); !text.empty())
        blocks.emplace_back(Sentence{text});
    std::size_t slower = 0;
    for (const FleetChange& change : changes)
        if (change.claim == Claim::Higher && slower++ < kMostChangesTold)
            blocks.emplace_back(Sentence{changeText(fleet, change), Tone::Worse});
    if (slower > kMostChangesTold)
        blocks.emplace_back(Sentence{fmt::format("{} more became slower.", slower - kMostChangesTold), Tone::Worse});
    return blocks;
}

Table fleetCausesTable(const Fleet& fleet, const FleetFigures& figures)
{
    Table table{"Where GPU time went",
                {{"cause", "cause", Column::Kind::Words},
                 {"lost_gpu_ns", "GPU time lost"},
                 {"share", "of all"},
                 {"runs", fmt::format("runs losing {} or more", percentText(kNotableLoss))}},
                {}};
    for (const FleetCauseFigures& cause : figures.causes)
        table.rows.push_back({{{fleet.causes[cause.cause].label},
                               {gpuTimeText(cause.lostGpuNs), cause.lostGpuNs},
                               shareCell(figures.gpuNs > 0 ? cause.lostGpuNs / figures.gpuNs : 0),
                               countCell(cause.runs)},
                              {}});
    return table;
}

Table fleetOverlapTable(const FleetFigures& figures)
{
    Table table{"How much of the copies' time is hidden",
                {{"hidden", "hidden", Column::Kind::Words}, {"runs", "runs"}, {"share", "of all"}},
                {}};
    if (!figures.medianOverlap)
        return table;
    for (std::size_t bin = 0; bin < kOverlapBins; ++bin)
        table.rows.push_back({{{fmt::format("{} to {} %", 100 / kOverlapBins * bin, 100 / kOverlapBins * (bin + 1))},
                               countCell(figures.overlap[bin]),
                               shareCell(shareOf(figures.overlap[bin], figures.read))},
                              {}});
    table.rows.push_back(
        {{{"no copies"}, countCell(figures.withoutCopies), shareCell(shareOf(figures.withoutCopies, figures.read))},
         {}});
    return table;
}

Table fleetVersionsTable(const Fleet& fleet, const std::vector<FleetVersion>& versions)
{
    Table table{"Groups and versions",
                {{"group", "group", Column::Kind::Words},
                 {"version", "version", Column::Kind::Words},
                 {"runs", "runs"},
                 {"step_ns", "step"},
                 {"overlap", "hidden copies"},
                 {"lost", "lost"},
                 {"lost_gpu_ns", "GPU time lost"}},
                {}};
    for (const FleetVersion& version : versions)
        table.rows.push_back({{nameCell(fleet.groups, version.group),
                               nameCell(fleet.versions, version.version),
                               countCell(version.runs),
                               version.stepNs ? stepCell(*version.stepNs) : missingCell(),
                               version.overlap ? shareCell(*version.overlap) : missingCell(),
                               shareCell(version.lostShare),
                               {gpuTimeText(version.lostGpuNs), version.lostGpuNs}},
                              {}});
    return table;
}

Table fleetChangesTable(const Fleet& fleet, const std::vector<FleetChange>& changes)
{
    Table table{"From one version to the next",
                {{"group", "group", Column::Kind::Words},
                 {"before", "version", Column::Kind::Words},
                 {"after", "next", Column::Kind::Words},
                 {"before_ns", "step before"},
                 {"after_ns", "step after"},
                 {"change", "change"},
                 {"claim", "", Column::Kind::Words}},
                {}};
    for (const FleetChange& change : changes) {
        const Tone tone = change.claim == Claim::Higher  ? Tone::Worse
                          : change.claim == Claim::Lower ? Tone::Better
                                                         : Tone::Muted;
        const std::string_view claim = change.claim == Claim::Higher   ? "slower"
                                       : change.claim == Claim::Lower  ? "faster"
                                       : change.claim == Claim::TooFew ? "too few runs to say"
                                                                       : "within the spread";
        table.rows.push_back({{nameCell(fleet.groups, change.group),
                               nameCell(fleet.versions, change.before),
                               nameCell(fleet.versions, change.after),
                               stepCell(change.stepBeforeNs),
                               stepCell(change.stepAfterNs),
                               {fmt::format("{:+.1f} %", 100 * change.change()), change.change(), tone},
                               {std::string(claim), {}, tone}},
                              fmt::format("{} and {} runs, p {:.2g}", change.runsBefore, change.runsAfter, change.p)});
    }
    return table;
}

Blocks fleetBlocks(const Fleet& fleet, const FleetQuery& query, std::size_t mostRows)
{
    const FleetFigures figures = fleetFigures(fleet);
    const std::vector<FleetChange> changes = fleetChanges(fleet);
    Blocks blocks = fleetAnswer(fleet, figures, changes);
    blocks.emplace_back(fleetCausesTable(fleet, figures));
    blocks.emplace_back(fleetOverlapTable(figures));
    Table versions = fleetVersionsTable(fleet, fleetVersions(fleet));
    cut(versions, mostRows, versions.rows.size());
    blocks.emplace_back(std::move(versions));
    Table compared = fleetChangesTable(fleet, changes);
    cut(compared, mostRows, compared.rows.size());
    blocks.emplace_back(std::move(compared));
    FleetQuery asked = query;
    asked.mostRows = std::min(asked.mostRows, mostRows);
    const FleetRows rows = fleetRows(fleet, asked);
    Table runs = fleetTable(fleet, rows).picked({"name", "group", "step_ns", "overlap", "lost_gpu_ns", "cause"});
    runs.title = "The runs that lost most";
    cut(runs, mostRows, rows.matching);
    blocks.emplace_back(std::move(runs));
    if (figures.broken > 0) {
        asked.onlyBroken = true;
        asked.order = FleetColumn::Name;
        asked.descending = false;
        const FleetRows broken = fleetRows(fleet, asked);
        Table table = fleetTable(fleet, broken).picked({"name", "verdict"});
        table.columns[1].title = "why";
        table.title = "Not read";
        cut(table, mostRows, broken.matching);
        blocks.emplace_back(std::move(table));
    }
    return blocks;
}

}  // namespace overlane
