#include "core/cli/compare_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/analysis/cause_table.h"
#include "core/base/units.h"
#include "core/cli/column_table.h"
#include "core/cli/info_text.h"
#include "core/compare/comparison_sentence.h"
#include "core/report/markup.h"

namespace overlane
{
namespace
{

constexpr std::size_t kNameColumns = 36;

std::string duration(double ns)
{
    return formatDuration(std::llround(ns));
}

std::string alignedText(const Comparison& comparison)
{
    const Alignment& alignment = comparison.alignment;
    if (alignment.by == AlignBy::FirstKernel)
        return "Aligned at the first kernel of each.";
    return fmt::format("Aligned at {} of A and {} of B, and compared from there on.", alignment.a.firstStep,
                       alignment.b.firstStep);
}

// Where the compared steps take another time on average than the traces' steps.
std::string averageText(const Comparison& comparison, const ComparedNames& names)
{
    const auto differs = [](std::int64_t averageNs, std::int64_t comparedNs) {
        return averageNs > 0 && formatDuration(averageNs) != formatDuration(comparedNs);
    };
    if (!comparison.perStep ||
        (!differs(names.averageStepANs, comparison.wallANs) && !differs(names.averageStepBNs, comparison.wallBNs)))
        return {};
    return fmt::format(
        "The average step takes {} in A and {} in B; the {} and {} steps compared, as the GPU runs them and without "
        "the "
        "last, take {} and {}.",
        formatDuration(names.averageStepANs), formatDuration(names.averageStepBNs), comparison.alignment.a.steps.size(),
        comparison.alignment.b.steps.size(), formatDuration(comparison.wallANs), formatDuration(comparison.wallBNs));
}

std::string quantityClaim(const QuantityChange& change)
{
    if (change.claim == Claim::TooFew || change.claim == Claim::TooUneven)
        return claimText(change.claim);
    return fmt::format("{}, {}", claimText(change.claim), pText(change.p));
}

std::string deviceTable(const Comparison& comparison, const DeviceComparison& device)
{
    ColumnTable table({comparison.perStep ? "mean of a step" : "of the range", "#A", "#B", "#change", ""});
    table.row({"whole", formatDuration(comparison.wallANs), formatDuration(comparison.wallBNs),
               deltaText(comparison.wallBNs - comparison.wallANs), quantityClaim(comparison.stepTime)});
    table.row({"kernels run", formatDuration(device.kernelsANs), formatDuration(device.kernelsBNs),
               deltaText(device.kernelsBNs - device.kernelsANs)});
    for (const CauseChange& cause : device.causes)
        table.row({std::string(lostCauseName(cause.cause)), formatDuration(cause.aNs), formatDuration(cause.bNs),
                   deltaText(cause.deltaNs()), claimText(cause.claim)});
    return table.text();
}

// Whether a difference may be claimed, for narrow columns.
std::string sure(Claim claim)
{
    return claim == Claim::TooFew ? "few" : isClaimed(claim) ? "yes" : "no";
}

std::string medianTable(const Comparison& comparison, const DeviceComparison& device)
{
    if (!comparison.perStep)
        return {};
    ColumnTable table({"median of the steps", "#A", "#middle half", "#B", "#middle half", "sure"});
    const auto row = [&](std::string_view name, const QuantityChange& change, auto format) {
        if (change.a.count == 0 && change.b.count == 0)
            return;
        const auto half = [&](const Distribution& side) {
            return fmt::format("{} to {}", format(side.lowerQuartile), format(side.upperQuartile));
        };
        table.row({std::string(name), format(change.a.median), half(change.a), format(change.b.median), half(change.b),
                   sure(change.claim)});
    };
    row("step time", comparison.stepTime, duration);
    row("exposed copy", device.exposed, duration);
    row("overlap", device.overlap, [](double share) { return formatShare(share); });
    return table.text();
}

std::string sideText(const WorkChange::Side& side, std::int64_t ns)
{
    return side.count > 0 ? formatDuration(ns) : "-";
}

std::string kernelTable(const Comparison& comparison, const DeviceComparison& device, std::size_t top)
{
    const std::string each = comparison.perStep ? " a step" : "";
    ColumnTable table({"#A" + each, "#B" + each, "#change", "#a call A", "#a call B", "sure", "kernel"});
    for (std::size_t i = 0; i < std::min(top, device.kernels.size()); ++i) {
        const WorkChange& kernel = device.kernels[i];
        table.row({sideText(kernel.a, kernel.a.perStepNs), sideText(kernel.b, kernel.b.perStepNs),
                   deltaText(kernel.deltaNs()), sideText(kernel.a, kernel.a.medianNs),
                   sideText(kernel.b, kernel.b.medianNs), sure(kernel.claim), shortened(kernel.name, kNameColumns)});
    }
    std::string text = table.empty() ? "" : table.text();
    if (device.kernels.size() > top)
        text += fmt::format("  and {} more names; --top {} shows all\n",
                            formatCount(static_cast<std::int64_t>(device.kernels.size() - top)), device.kernels.size());
    return text;
}

std::string copyTables(const Comparison& comparison, const DeviceComparison& device, std::size_t top)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(top, device.copies.size()); ++i) {
        const WorkChange& copies = device.copies[i];
        const std::string size = sizeText(copies);
        text += fmt::format("  copies {}{}, {}: {}{}, {}\n",
                            copies.direction == EventKind::CopyH2D ? "to the device" : "back",
                            size.empty() ? "" : " of " + size, memoryText(copies), deltaText(copies.deltaNs()),
                            comparison.perStep ? " a step" : "", claimText(copies.claim));
        ColumnTable table(
            {"", "#copies", comparison.perStep ? "#time a step" : "#time", "#a copy", "#rate", "#hidden"});
        const auto row = [&](std::string_view name, const WorkChange::Side& side) {
            if (side.count > 0)
                table.row({std::string(name), formatCount(side.count), formatDuration(side.perStepNs),
                           formatDuration(side.medianNs), side.bytes > 0 ? formatRate(side.bytes, side.totalNs) : "-",
                           formatShare(side.totalNs > 0 ? double(side.hiddenNs) / double(side.totalNs) : 0)});
        };
        row("A", copies.a);
        row("B", copies.b);
        text += table.text("    ");
    }
    if (device.copies.size() > top)
        text += fmt::format("  and {} more groups of copies\n", device.copies.size() - top);
    return text;
}

std::string findingTable(const std::vector<FindingChange>& findings)
{
    if (findings.empty())
        return {};
    ColumnTable table({"finding", "", "#A", "#B"});
    for (const FindingChange& change : findings)
        table.row({std::string(change.shown().id), std::string(fateName(change.fate)),
                   change.a ? formatDuration(change.aNs) : "-", change.b ? formatDuration(change.bNs) : "-"});
    return table.text();
}

enum class Figure : bool { Nanoseconds, Share };

OrderedJson json(const Distribution& side, Figure figure)
{
    const auto value = [figure](double number) {
        return figure == Figure::Share ? OrderedJson(number) : OrderedJson(std::llround(number));
    };
    return {{"count", side.count},
            {"median", value(side.median)},
            {"lower_quartile", value(side.lowerQuartile)},
            {"upper_quartile", value(side.upperQuartile)},
            {"min", value(side.least)},
            {"max", value(side.most)}};
}

OrderedJson json(const QuantityChange& change, Figure figure)
{
    return {{"a", json(change.a, figure)},
            {"b", json(change.b, figure)},
            {"p", change.p},
            {"effect", change.effect},
            {"claim", claimName(change.claim)}};
}

OrderedJson json(const WorkChange::Side& side, bool copies)
{
    OrderedJson json{{"count", side.count},
                     {"total_ns", side.totalNs},
                     {"median_ns", side.medianNs},
                     {"per_step_ns", side.perStepNs}};
    if (copies) {
        json["bytes"] = side.bytes;
        json["hidden_ns"] = side.hiddenNs;
    }
    return json;
}

OrderedJson workJson(const std::vector<WorkChange>& changes, std::size_t top, bool copies)
{
    OrderedJson list = OrderedJson::array();
    for (std::size_t i = 0; i < std::min(top, changes.size()); ++i) {
        const WorkChange& change = changes[i];
        OrderedJson row;
        if (copies)
            row = {{"direction", kindName(change.direction)},
                   {"memory_a", memoryKindName(change.memoryA)},
                   {"memory_b", memoryKindName(change.memoryB)},
                   {"min_bytes", std::min(change.a.count > 0 ? change.a.leastBytes : change.b.leastBytes,
                                          change.b.count > 0 ? change.b.leastBytes : change.a.leastBytes)},
                   {"max_bytes", std::max(change.a.mostBytes, change.b.mostBytes)}};
        else
            row = {{"name", change.name}};
        row["a"] = json(change.a, copies);
        row["b"] = json(change.b, copies);
        row["delta_per_step_ns"] = change.deltaNs();
        row["p"] = change.p;
        row["claim"] = claimName(change.claim);
        list.push_back(std::move(row));
    }
    return list;
}

OrderedJson deviceComparisonJson(const DeviceComparison& device, std::size_t top)
{
    OrderedJson json_{{"id_a", device.a.id},
                      {"id_b", device.b.id},
                      {"kernels_a_ns", device.kernelsANs},
                      {"kernels_b_ns", device.kernelsBNs}};
    OrderedJson& causes = json_["idle_by_cause"] = OrderedJson::array();
    for (const CauseChange& cause : device.causes)
        causes.push_back({{"id", rowOf(cause.cause).id},
                          {"cause", lostCauseName(cause.cause)},
                          {"a_ns", cause.aNs},
                          {"b_ns", cause.bNs},
                          {"claim", claimName(cause.claim)}});
    json_["exposed_copy_ns"] = json(device.exposed, Figure::Nanoseconds);
    json_["overlap"] = json(device.overlap, Figure::Share);
    json_["kernels"] = workJson(device.kernels, top, false);
    json_["copies"] = workJson(device.copies, top, true);
    return json_;
}

}  // namespace

std::string compareText(const Comparison& comparison, const std::vector<FindingChange>& findings,
                        const ComparedNames& names, std::size_t top)
{
    std::string text = wrapText(comparison.sentence, "");
    text += fmt::format("A is {}\nB is {}\n", names.a, names.b);
    text += wrapText(alignedText(comparison), "");
    if (const std::string average = averageText(comparison, names); !average.empty())
        text += wrapText(average, "");
    for (const DeviceComparison& device : comparison.devices) {
        text += "\n";
        if (comparison.devices.size() > 1)
            text += device.a.id == device.b.id ? fmt::format("GPU {}\n", device.a.id)
                                               : fmt::format("GPU {} of A, GPU {} of B\n", device.a.id, device.b.id);
        for (const std::string& table : {deviceTable(comparison, device), medianTable(comparison, device),
                                         copyTables(comparison, device, top), kernelTable(comparison, device, top)})
            if (!table.empty())
                text += table + "\n";
    }
    for (const std::int32_t id : comparison.onlyInA)
        text += fmt::format("GPU {} has work in A only.\n", id);
    for (const std::int32_t id : comparison.onlyInB)
        text += fmt::format("GPU {} has work in B only.\n", id);
    return text + findingTable(findings);
}

OrderedJson compareJson(const Comparison& comparison, const std::vector<FindingChange>& findings,
                        const ComparedNames& names, std::size_t top)
{
    const Alignment& alignment = comparison.alignment;
    const auto side = [&](const AlignedSide& aligned, const std::string& name) {
        return OrderedJson{{"name", name},
                           {"from_ns", aligned.range.startNs},
                           {"to_ns", aligned.range.endNs},
                           {"steps", aligned.steps.size()},
                           {"first_step", aligned.firstStep}};
    };
    OrderedJson json_{{"sentence", comparison.sentence},
                      {"a", side(alignment.a, names.a)},
                      {"b", side(alignment.b, names.b)},
                      {"average_step_a_ns", names.averageStepANs},
                      {"average_step_b_ns", names.averageStepBNs},
                      {"aligned_by", alignment.by == AlignBy::Step ? "step" : "first-kernel"},
                      {"offset_ns", alignment.offsetNs()},
                      {"per_step", comparison.perStep},
                      {"wall_a_ns", comparison.wallANs},
                      {"wall_b_ns", comparison.wallBNs},
                      {"step_time_ns", json(comparison.stepTime, Figure::Nanoseconds)}};
    OrderedJson& devices = json_["devices"] = OrderedJson::array();
    for (const DeviceComparison& device : comparison.devices)
        devices.push_back(deviceComparisonJson(device, top));
    json_["only_in_a"] = comparison.onlyInA;
    json_["only_in_b"] = comparison.onlyInB;
    OrderedJson& changes = json_["findings"] = OrderedJson::array();
    for (const FindingChange& change : findings)
        changes.push_back({{"rule", change.shown().id},
                           {"change", fateName(change.fate)},
                           {"a_ns", change.aNs},
                           {"b_ns", change.bNs}});
    return json_;
}

}  // namespace overlane
