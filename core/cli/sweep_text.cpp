#include "core/cli/sweep_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/number_text.h"
#include "core/base/units.h"
#include "core/cli/figure_list.h"
#include "core/content/column_table.h"
#include "core/content/terminal.h"
#include "core/loader/setting_value.h"
#include "core/sweep/sweep_file.h"
#include "core/sweep/sweep_ready.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostMatrixColumns = 8;
constexpr int kBarColumns = 48;

std::string medianText(const SweepResult& result, std::size_t point, const RunMetric& metric)
{
    const auto spread = result.spread(point, metric);
    return spread ? metric.text(spread->median) : "-";
}

std::string rangeText(const RunMetric& metric, const SweepSpread& spread)
{
    return fmt::format("{} to {}", metric.text(spread.low), metric.text(spread.high));
}

std::string valueText(const SweepPlan& plan, std::size_t point, std::size_t axis)
{
    return settingValueText(plan.axes[axis].setting(), plan.value(point, axis));
}

// Eighths of a column, so that a bar's length says a little more.
std::string bar(double share)
{
    constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int eighths = std::max(0, static_cast<int>(std::lround(share * kBarColumns * 8)));
    std::string text;
    for (int column = 0; column < eighths / 8; ++column)
        text += "█";
    return text + kEighths[eighths % 8];
}

std::string barsText(const SweepResult& result, const RunMetric& metric)
{
    double most = 0;
    std::size_t widest = 0;
    for (std::size_t point = 0; point < result.plan.points(); ++point) {
        if (const auto spread = result.spread(point, metric))
            most = std::max(most, spread->high);
        widest = std::max(widest, columnsOf(valueText(result.plan, point, 0)));
    }
    if (most <= 0)
        return {};
    std::string text =
        fmt::format("\n  {}{}\n", metric.title(), result.ideal(0, metric) ? " (│ marks the ideal bound)" : "");
    for (std::size_t point = 0; point < result.plan.points(); ++point) {
        const auto spread = result.spread(point, metric);
        if (!spread)
            continue;
        const std::string label = valueText(result.plan, point, 0);
        std::string line = bar(spread->median / most);
        if (const auto ideal = result.ideal(point, metric)) {
            // The mark takes the place of the bar's column.
            const auto at = static_cast<std::size_t>(std::lround(*ideal / most * kBarColumns));
            std::vector<std::string> columns;
            for (std::size_t byte = 0; byte < line.size(); byte += 3)
                columns.push_back(line.substr(byte, 3));
            if (at > 0) {
                columns.resize(std::max(columns.size(), at), " ");
                columns[at - 1] = "│";
            }
            line.clear();
            for (const std::string& column : columns)
                line += column;
        }
        text += fmt::format("  {}{}  {}  {}\n", std::string(widest - columnsOf(label), ' '), label, line,
                            metric.text(spread->median));
    }
    return text;
}

// Of columns that stand side by side.
std::string shortTitle(const RunMetric& metric)
{
    constexpr std::pair<std::string_view, std::string_view> kShort[] = {
        {metric_key::kBatch, "Per batch"}, {metric_key::kWall, "Wall"}, {metric_key::kOverlap, "Hidden"},
        {metric_key::kExposed, "Exposed"}, {metric_key::kIdle, "Idle"}, {metric_key::kPinnedPeak, "Pinned"},
        {metric_key::kSwapPeak, "Swap"}};
    for (const auto& [key, title] : kShort)
        if (metric.key == key)
            return std::string(title);
    return metric.title();
}

bool anySwap(const SweepResult& result)
{
    return std::any_of(result.runs.begin(), result.runs.end(),
                       [](const SweepRun& run) { return figureOf(run.figures, runMetric(metric_key::kSwapPeak)) > 0; });
}

std::string rowsText(const SweepResult& result, const RunMetric& metric)
{
    const SweepPlan& plan = result.plan;
    std::vector<std::string> heads;
    for (const SweepAxis& axis : plan.axes)
        heads.push_back("#" + axis.key);
    std::vector<const RunMetric*> shown;
    const auto show = [&shown](const RunMetric& one) {
        if (std::find(shown.begin(), shown.end(), &one) == shown.end())
            shown.push_back(&one);
    };
    show(runMetric(metric_key::kBatch));
    show(metric);
    for (const std::string_view key : {metric_key::kWall, metric_key::kOverlap, metric_key::kExposed})
        show(runMetric(key));
    if (plan.repeats == 1)
        show(runMetric(metric_key::kIdle));
    show(runMetric(metric_key::kPinnedPeak));
    if (anySwap(result))
        show(runMetric(metric_key::kSwapPeak));
    for (const RunMetric* one : shown) {
        heads.push_back("#" + shortTitle(*one));
        if (one == shown.front())
            heads.emplace_back("#Ideal");
    }
    if (plan.repeats > 1)
        heads.emplace_back("Low to high");
    ColumnTable table(heads);
    for (std::size_t point = 0; point < plan.points(); ++point) {
        std::vector<std::string> row;
        for (std::size_t axis = 0; axis < plan.axes.size(); ++axis)
            row.push_back(valueText(plan, point, axis));
        for (const RunMetric* one : shown) {
            row.push_back(medianText(result, point, *one));
            if (one == shown.front()) {
                const auto ideal = result.ideal(point, *one);
                row.push_back(ideal ? one->text(*ideal) : "-");
            }
        }
        if (plan.repeats > 1)
            if (const auto spread = result.spread(point, metric))
                row.push_back(rangeText(metric, *spread));
        table.row(std::move(row));
    }
    return table.text();
}

std::string matrixText(const SweepResult& result, const RunMetric& metric)
{
    const SweepPlan& plan = result.plan;
    const std::size_t columns = plan.axes[1].values.size();
    std::vector<std::string> heads{fmt::format("{} \\ {}", plan.axes[0].key, plan.axes[1].key)};
    heads[0] = "#" + heads[0];
    for (std::size_t column = 0; column < columns; ++column)
        heads.push_back("#" + valueText(plan, column, 1));
    ColumnTable table(heads);
    const auto best = result.smallest(metric);
    for (std::size_t row = 0; row < plan.axes[0].values.size(); ++row) {
        std::vector<std::string> cells{valueText(plan, row * columns, 0)};
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t point = row * columns + column;
            cells.push_back(medianText(result, point, metric));
        }
        table.row(std::move(cells));
    }
    std::string text = fmt::format("{}{}\n", metric.title(), plan.repeats > 1 ? " (median)" : "") + table.text();
    if (best)
        text += fmt::format("Least: {} at {}={}, {}={}.\n", medianText(result, *best, metric), plan.axes[0].key,
                            valueText(plan, *best, 0), plan.axes[1].key, valueText(plan, *best, 1));
    return text;
}

std::string errorsText(const SweepResult& result)
{
    std::string text;
    for (std::size_t point = 0; point < result.plan.points(); ++point) {
        const std::string error = result.error(point);
        if (error.empty())
            continue;
        std::string at;
        for (std::size_t axis = 0; axis < result.plan.axes.size(); ++axis)
            at += fmt::format("{}{}={}", axis > 0 ? ", " : "", result.plan.axes[axis].key,
                              valueText(result.plan, point, axis));
        text += wrapText(fmt::format("{}: {}", at, error), "  ");
    }
    return text.empty() ? text : "Not possible:\n" + text;
}

// Whole where it is; else with the digits that mean something.
OrderedJson tidyNumber(double value)
{
    if (value == std::floor(value))
        return static_cast<std::int64_t>(value);
    return roundedToDigits(value, 12);
}

}  // namespace

std::string sweepText(const SweepResult& result, const RunMetric& metric)
{
    const SweepPlan& plan = result.plan;
    const bool gpu = plan.engine == SweepEngine::Gpu;
    const std::string device = gpu && !result.runs.empty() ? result.runs.front().device : plan.deviceKey;
    std::string text =
        wrapText(fmt::format("{}: {} points, {} run{} each, {} on {}", sweepTitle(plan), plan.points(), plan.repeats,
                             plan.repeats == 1 ? "" : "s", gpu ? "measured" : "simulated", device),
                 "");
    const bool matrix = plan.axes.size() == 2 && plan.axes[1].values.size() <= kMostMatrixColumns;
    text += matrix ? matrixText(result, metric) : rowsText(result, metric);
    if (plan.axes.size() == 1)
        text += barsText(result, metric);
    return text + errorsText(result);
}

OrderedJson sweepJson(const SweepResult& result)
{
    OrderedJson json = OrderedJson::parse(sweepHeadJson(result.plan));
    json["complete"] = result.complete();
    OrderedJson points = OrderedJson::array();
    for (std::size_t point = 0; point < result.plan.points(); ++point) {
        OrderedJson entry{{"point", point}};
        for (std::size_t axis = 0; axis < result.plan.axes.size(); ++axis)
            entry["at"][result.plan.axes[axis].key] = valueText(result.plan, point, axis);
        for (std::size_t axis = 0; axis < result.plan.axes.size(); ++axis)
            entry["values"].push_back(tidyNumber(result.plan.value(point, axis)));
        if (const std::string error = result.error(point); !error.empty())
            entry["error"] = error;
        for (const RunMetric& metric : allRunMetrics())
            if (const auto spread = result.spread(point, metric)) {
                const double factor = metric.columnFactor();
                entry[metric.column] = {{"median", tidyNumber(spread->median * factor)},
                                        {"low", tidyNumber(spread->low * factor)},
                                        {"high", tidyNumber(spread->high * factor)},
                                        {"runs", spread->runs}};
            }
        points.push_back(std::move(entry));
    }
    json["points"] = std::move(points);
    return json;
}

std::string curvesText(const CurveSheet& sheet)
{
    std::string text = sheet.title + "\n";
    std::string group;
    std::size_t first = 0;
    // A table per group: together they are wider than a terminal.
    while (first < sheet.curves.size()) {
        group = sheet.curves[first].group;
        std::size_t last = first;
        std::vector<std::string> heads{"#size"};
        while (last < sheet.curves.size() && sheet.curves[last].group == group)
            heads.push_back("#" + sheet.curves[last++].name);
        ColumnTable table(heads);
        for (std::size_t row = 0; row < sheet.curves[first].points.size(); ++row) {
            std::vector<std::string> cells{formatBytes(sheet.curves[first].points[row].bytes)};
            for (std::size_t curve = first; curve < last; ++curve)
                cells.push_back(figureText(sheet.curves[curve].points[row].value, sheet.unit));
            table.row(std::move(cells));
        }
        text += "\n" + group + "\n" + table.text();
        first = last;
    }
    text += "\n";
    for (const std::string& note : sheet.notes)
        text += wrapText(note, "  ");
    return text;
}

OrderedJson curvesJson(const CurveSheet& sheet)
{
    OrderedJson json{{"title", sheet.title}, {"unit", curveColumnUnit(sheet)}};
    const double factor = curveColumnFactor(sheet);
    for (const SizeCurve& curve : sheet.curves) {
        OrderedJson points = OrderedJson::array();
        for (const CurvePoint& point : curve.points)
            points.push_back({{"bytes", point.bytes},
                              {"value", std::llround(point.value * factor)},
                              {"low", std::llround(point.low * factor)},
                              {"high", std::llround(point.high * factor)}});
        json["curves"].push_back({{"group", curve.group}, {"name", curve.name}, {"points", points}});
    }
    return json;
}

std::string sweepList()
{
    std::string text = "Ready-made sweeps (--ready KEY):\n";
    for (const ReadySweep& sweep : allSweeps()) {
        text += fmt::format("  {}  {}\n", sweep.key, sweep.title);
        text += wrapText(sweep.hint, "      ");
    }
    return text + "\nFigures of each point (--metric KEY):\n" + metricLines();
}

OrderedJson sweepListJson()
{
    OrderedJson json{{"ready", OrderedJson::array()}, {"metrics", OrderedJson::array()}};
    for (const ReadySweep& sweep : allSweeps())
        json["ready"].push_back({{"key", sweep.key}, {"title", sweep.title}, {"hint", sweep.hint}});
    for (const RunMetric& metric : allRunMetrics())
        json["metrics"].push_back({{"key", metric.key},
                                   {"column", metric.column},
                                   {"label", metric.title()},
                                   {"meaning", metric.description}});
    return json;
}

}  // namespace overlane
