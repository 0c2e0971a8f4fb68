#include "core/cli/compare_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/analysis/cause_table.h"
#include "core/base/units.h"
#include "core/compare/comparison_tables.h"
#include "core/content/terminal.h"

namespace overlane
{
namespace
{

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

std::string kernelText(const Table& kernels, std::size_t top)
{
    std::string text =
        terminalText(kernels.picked({"a_ns", "b_ns", "change_ns", "a_median_ns", "b_median_ns", "sure", "name"}, top));
    if (kernels.rows.size() > top)
        text += fmt::format("  and {} more names; --top {} shows all\n",
                            formatCount(static_cast<std::int64_t>(kernels.rows.size() - top)), kernels.rows.size());
    return text;
}

// A row is too wide for a terminal: A and B stand below each other.
std::string copyText(const Table& copies, bool perStep, std::size_t top)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(top, copies.rows.size()); ++i) {
        const auto cell = [&](std::string_view id) { return copies.at(copies.rows[i], id); };
        text += fmt::format("  copies {}: {}{}, {}\n", cell("name").text, cell("change_ns").text,
                            perStep ? " a step" : "", cell("claim").text);
        Table sides{"",
                    {{"side", "", Column::Kind::Words},
                     {"count", "copies"},
                     {"ns", perStep ? "time a step" : "time"},
                     {"median_ns", "a copy"},
                     {"bytes_per_second", "rate"},
                     {"hidden", "hidden"}},
                    {}};
        for (const std::string side : {"A", "B"}) {
            const std::string prefix = side == "A" ? "a_" : "b_";
            Table::Row row{{{side}}, ""};
            for (std::size_t column = 1; column < sides.columns.size(); ++column)
                row.cells.push_back(cell(prefix + sides.columns[column].id));
            if (row.cells[1].value != countCell(0).value)
                sides.rows.push_back(std::move(row));
        }
        text += terminalText(sides, "    ");
    }
    if (copies.rows.size() > top)
        text += fmt::format("  and {} more groups of copies\n", copies.rows.size() - top);
    return text;
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
    text += wrapText(alignedSentence(comparison), "") + terminalText(Sentence{averageText(comparison, names)});
    for (const DeviceComparison& device : comparison.devices) {
        text += "\n";
        if (comparison.devices.size() > 1)
            text += device.a.id == device.b.id ? fmt::format("GPU {}\n", device.a.id)
                                               : fmt::format("GPU {} of A, GPU {} of B\n", device.a.id, device.b.id);
        for (const std::string& table :
             {terminalText(meanTable(comparison, device)),
              terminalText(medianTable(comparison, device).picked({"figure", "a", "a_half", "b", "b_half", "sure"})),
              copyText(copyTable(comparison, device), comparison.perStep, top),
              kernelText(kernelTable(comparison, device), top)})
            if (!table.empty())
                text += table + "\n";
    }
    for (const std::int32_t id : comparison.onlyInA)
        text += fmt::format("GPU {} has work in A only.\n", id);
    for (const std::int32_t id : comparison.onlyInB)
        text += fmt::format("GPU {} has work in B only.\n", id);
    Table changed = findingTable(findings, false).picked({"id", "fate", "a_ns", "b_ns"});
    changed.title.clear();
    return text + terminalText(changed);
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
