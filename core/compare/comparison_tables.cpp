#include "core/compare/comparison_tables.h"

#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "core/analysis/cause_table.h"
#include "core/base/units.h"
#include "core/compare/comparison_sentence.h"

namespace overlane
{
namespace
{

using Kind = Column::Kind;

// Less time is better; what may not be claimed is neither.
Tone toneOf(double delta, Claim claim)
{
    if (!isClaimed(claim) || delta == 0)
        return Tone::Muted;
    return delta < 0 ? Tone::Better : Tone::Worse;
}

Cell deltaCell(std::int64_t deltaNs, Claim claim)
{
    return {deltaText(deltaNs), deltaNs, toneOf(static_cast<double>(deltaNs), claim)};
}

Cell claimCell(Claim claim, std::string text)
{
    return {std::move(text), {}, isClaimed(claim) ? Tone::Plain : Tone::Muted};
}

Cell claimCell(Claim claim)
{
    return claimCell(claim, claimText(claim));
}

// With p, where the difference was judged.
Cell judgedCell(const QuantityChange& change)
{
    const bool judged = change.claim != Claim::TooFew && change.claim != Claim::TooUneven;
    return claimCell(change.claim, judged ? fmt::format("{}, {}", claimText(change.claim), pText(change.p))
                                          : claimText(change.claim));
}

// For narrow columns.
Cell sureCell(Claim claim)
{
    return claimCell(claim, claim == Claim::TooFew ? "few" : isClaimed(claim) ? "yes" : "no");
}

Cell durationOf(const WorkChange::Side& side, std::int64_t ns)
{
    return side.count > 0 ? durationCell(ns) : missingCell();
}

Cell rateCell(const WorkChange::Side& side)
{
    if (side.bytes <= 0 || side.totalNs <= 0)
        return missingCell();
    return {formatRate(side.bytes, side.totalNs),
            static_cast<double>(side.bytes) * kNsPerS / static_cast<double>(side.totalNs)};
}

Cell hiddenCell(const WorkChange::Side& side)
{
    return side.count > 0 ? shareCell(side.totalNs > 0 ? double(side.hiddenNs) / double(side.totalNs) : 0)
                          : missingCell();
}

Cell medianDuration(double ns)
{
    return durationCell(std::llround(ns));
}

Cell pointsCell(double difference, Claim claim)
{
    return {fmt::format("{:+.0f} points", 100 * difference), difference, toneOf(-difference, claim)};
}

// Shares and times: `cell` makes a cell of a quantile, `delta` one of the change.
template <typename MakeCell>
void addMedian(Table& table, std::string_view name, const QuantityChange& change, const MakeCell& cell, Cell delta)
{
    if (change.a.count == 0 && change.b.count == 0)
        return;
    const auto median = [&](const Distribution& side) { return side.count > 0 ? cell(side.median) : missingCell(); };
    const auto half = [&](const Distribution& side) {
        return Cell{fmt::format("{} to {}", cell(side.lowerQuartile).text, cell(side.upperQuartile).text)};
    };
    table.rows.push_back({{{std::string(name)},
                           median(change.a),
                           half(change.a),
                           median(change.b),
                           half(change.b),
                           std::move(delta),
                           judgedCell(change),
                           sureCell(change.claim)},
                          fmt::format("A: {} steps, the middle half from {}. B: {} steps, the middle half from {}.",
                                      change.a.count, half(change.a).text, change.b.count, half(change.b).text)});
}

Table workTable(std::string_view name, Kind kind, bool perStep)
{
    const std::string each = perStep ? " a step" : "";
    return {"",
            {{"name", std::string(name), kind},
             {"a_ns", "A" + each},
             {"b_ns", "B" + each},
             {"change_ns", "change"},
             {"a_median_ns", "one in A"},
             {"b_median_ns", "one in B"},
             {"a_count", "count A"},
             {"b_count", "count B"},
             {"claim", "", Kind::Words},
             {"sure", "sure", Kind::Words}},
            {}};
}

Table::Row workRow(const std::string& name, const WorkChange& work)
{
    return {
        {{name},
         durationOf(work.a, work.a.perStepNs),
         durationOf(work.b, work.b.perStepNs),
         deltaCell(work.deltaNs(), work.claim),
         durationOf(work.a, work.a.medianNs),
         durationOf(work.b, work.b.medianNs),
         countCell(work.a.count),
         countCell(work.b.count),
         claimCell(work.claim),
         sureCell(work.claim)},
        fmt::format("{}\n{}{}", name, claimText(work.claim), work.claim == Claim::TooFew ? "" : ", " + pText(work.p))};
}

// Adds the rows of one more device, the first `shared` of them without its name.
void join(Table& all, Table part, const std::string& prefix, std::string_view suffix = {}, std::size_t shared = 0)
{
    if (all.columns.empty())
        all.columns = std::move(part.columns);
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
        std::string& name = part.rows[i].cells.front().text;
        name = (i < shared ? "" : prefix) + name.append(suffix);
        all.rows.push_back(std::move(part.rows[i]));
    }
}

std::string prefixOf(const Comparison& comparison, const DeviceComparison& device)
{
    return comparison.devices.size() < 2 ? "" : fmt::format("GPU {}: ", device.a.id);
}

template <typename MakeTable>
Table ofAllDevices(const Comparison& comparison, const MakeTable& tableOf)
{
    Table all = tableOf(comparison, DeviceComparison{});  // its columns, where there is no device
    for (const DeviceComparison& device : comparison.devices)
        join(all, tableOf(comparison, device), prefixOf(comparison, device));
    return all;
}

}  // namespace

std::string alignedSentence(const Comparison& comparison)
{
    const Alignment& alignment = comparison.alignment;
    if (alignment.by == AlignBy::FirstKernel)
        return "Aligned at the first kernel of each.";
    return fmt::format("Aligned at {} of A and {} of B, and compared from there on.", alignment.a.firstStep,
                       alignment.b.firstStep);
}

Table meanTable(const Comparison& comparison, const DeviceComparison& device)
{
    Table table{"",
                {{"figure", comparison.perStep ? "mean of a step" : "of the range", Kind::Words},
                 {"a_ns", "A"},
                 {"b_ns", "B"},
                 {"change_ns", "change"},
                 {"claim", "", Kind::Words}},
                {}};
    const auto row = [&](std::string_view name, std::int64_t aNs, std::int64_t bNs, Claim claim, Cell claimed) {
        table.rows.push_back({{{std::string(name)},
                               durationCell(aNs),
                               durationCell(bNs),
                               deltaCell(bNs - aNs, claim),
                               std::move(claimed)},
                              "Mean; kernels and causes add up to the whole."});
    };
    row("whole", comparison.wallANs, comparison.wallBNs, comparison.stepTime.claim, judgedCell(comparison.stepTime));
    row("kernels run", device.kernelsANs, device.kernelsBNs, Claim::TooFew, {});
    for (const CauseChange& cause : device.causes)
        row(lostCauseName(cause.cause), cause.aNs, cause.bNs, cause.claim, claimCell(cause.claim));
    return table;
}

Table medianTable(const Comparison& comparison, const DeviceComparison& device)
{
    Table table{"",
                {{"figure", "median of the steps", Kind::Words},
                 {"a", "A"},
                 {"a_half", "middle half"},
                 {"b", "B"},
                 {"b_half", "middle half"},
                 {"change", "change"},
                 {"claim", "", Kind::Words},
                 {"sure", "sure", Kind::Words}},
                {}};
    if (!comparison.perStep)
        return table;
    for (const auto& [name, change] :
         {std::pair("step time", &comparison.stepTime), std::pair("exposed copy", &device.exposed)})
        addMedian(table, name, *change, medianDuration,
                  deltaCell(std::llround(change->b.median) - std::llround(change->a.median), change->claim));
    addMedian(table, "overlap", device.overlap, shareCell,
              pointsCell(device.overlap.medianDelta(), device.overlap.claim));
    return table;
}

Table kernelTable(const Comparison& comparison, const DeviceComparison& device)
{
    Table table = workTable("kernel", Kind::Name, comparison.perStep);
    for (const WorkChange& work : device.kernels)
        table.rows.push_back(workRow(work.name, work));
    return table;
}

Table copyTable(const Comparison& comparison, const DeviceComparison& device)
{
    Table table = workTable("copies", Kind::Words, comparison.perStep);
    table.columns.insert(table.columns.end(), {{"a_bytes_per_second", "rate A"},
                                               {"b_bytes_per_second", "rate B"},
                                               {"a_hidden", "hidden A"},
                                               {"b_hidden", "hidden B"}});
    for (const WorkChange& work : device.copies) {
        const std::string size = sizeText(work);
        Table::Row row =
            workRow(fmt::format("{}{}, {}", work.direction == EventKind::CopyH2D ? "to the device" : "back",
                                size.empty() ? "" : " of " + size, memoryText(work)),
                    work);
        row.cells.insert(row.cells.end(), {rateCell(work.a), rateCell(work.b), hiddenCell(work.a), hiddenCell(work.b)});
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table findingTable(const std::vector<FindingChange>& findings, bool perStep)
{
    const std::string each = perStep ? " a step" : "";
    Table table{"Findings",
                {{"finding", "finding", Kind::Words},
                 {"id", "finding", Kind::Words},
                 {"fate", "", Kind::Words},
                 {"a_ns", "A" + each},
                 {"b_ns", "B" + each},
                 {"change_ns", "change"}},
                {}};
    for (const FindingChange& change : findings) {
        const bool good = change.shown().severity == FindingSeverity::Good;
        const Tone tone = change.fate == FindingFate::Same              ? Tone::Muted
                          : good || change.fate == FindingFate::Changed ? Tone::Plain
                          : change.fate == FindingFate::Gone            ? Tone::Better
                                                                        : Tone::Worse;
        const std::int64_t deltaNs = change.bNs - change.aNs;
        table.rows.push_back(
            {{{std::string(change.shown().title)},
              {std::string(change.shown().id)},
              {std::string(fateName(change.fate)), {}, tone},
              change.a ? durationCell(change.aNs) : missingCell(),
              change.b ? durationCell(change.bNs) : missingCell(),
              {deltaText(deltaNs), deltaNs, change.fate == FindingFate::Same ? Tone::Muted : Tone::Plain}},
             change.shown().sentence});
    }
    return table;
}

Table allFigures(const Comparison& comparison)
{
    Table all;
    for (const DeviceComparison& device : comparison.devices) {
        Table medians = medianTable(comparison, device).picked({"figure", "a", "b", "change", "claim"});
        Table means = meanTable(comparison, device);
        means.rows.front().cells.front().text = comparison.perStep ? "step time, mean" : "whole range";
        // The time of the step is one for all devices.
        const bool first = &device == &comparison.devices.front();
        for (Table* table : {&medians, &means})
            if (!first && !table->rows.empty())
                table->rows.erase(table->rows.begin());
        join(all, std::move(medians), prefixOf(comparison, device), ", median", first ? 1 : 0);
        join(all, std::move(means), prefixOf(comparison, device), {}, first ? 1 : 0);
    }
    if (!all.columns.empty())
        all.columns.front().title = comparison.perStep ? "of a step" : "of the range";
    return all;
}

Table allKernels(const Comparison& comparison)
{
    return ofAllDevices(comparison, kernelTable);
}

Table allCopies(const Comparison& comparison)
{
    return ofAllDevices(comparison, copyTable);
}

}  // namespace overlane
