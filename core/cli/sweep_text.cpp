#include "core/cli/sweep_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/cli/column_table.h"
#include "core/cli/info_text.h"
#include "core/sweep/sweep_file.h"
#include "core/sweep/sweep_ready.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostMatrixColumns = 8;
constexpr int kBarColumns = 48;

std::string spreadText(const MetricUnit unit, const std::optional<SweepSpread>& spread)
{
    return spread ? metricText(unit, spread->median) : "-";
}

std::string rangeText(MetricUnit unit, const SweepSpread& spread)
{
    return fmt::format("{} to {}", metricText(unit, spread.low), metricText(unit, spread.high));
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

std::string barsText(const SweepResult& result, SweepMetric metric)
{
    const SweepMetricInfo& info = metricInfo(metric);
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
        fmt::format("\n  {}{}\n", info.label, result.ideal(0, metric) ? " (│ marks the ideal bound)" : "");
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
                            metricText(info.unit, spread->median));
    }
    return text;
}

// Of columns that stand side by side.
std::string shortLabel(SweepMetric metric)
{
    switch (metric) {
        case SweepMetric::Batch:
            return "Per batch";
        case SweepMetric::Wall:
            return "Wall";
        case SweepMetric::Overlap:
            return "Hidden";
        case SweepMetric::Exposed:
            return "Exposed";
        case SweepMetric::Idle:
            return "Idle";
        case SweepMetric::PinnedPeak:
            return "Pinned";
        default:
            return std::string(metricInfo(metric).label);
    }
}

bool anySwap(const SweepResult& result)
{
    return std::any_of(result.runs.begin(), result.runs.end(), [](const SweepRun& run) {
        return run.figures[static_cast<std::size_t>(SweepMetric::SwapPeak)] > 0;
    });
}

std::string rowsText(const SweepResult& result, SweepMetric metric)
{
    const SweepPlan& plan = result.plan;
    std::vector<std::string> heads;
    for (const SweepAxis& axis : plan.axes)
        heads.push_back("#" + axis.key);
    std::vector<SweepMetric> shown{SweepMetric::Batch};
    if (metric != SweepMetric::Batch)
        shown.push_back(metric);
    for (const SweepMetric more : {SweepMetric::Wall, SweepMetric::Overlap, SweepMetric::Exposed, SweepMetric::Idle,
                                   SweepMetric::PinnedPeak, SweepMetric::SwapPeak})
        if (more != metric && (more != SweepMetric::SwapPeak || anySwap(result)) &&
            (more != SweepMetric::Idle || plan.repeats == 1))
            shown.push_back(more);
    for (const SweepMetric one : shown) {
        heads.push_back("#" + shortLabel(one));
        if (one == SweepMetric::Batch)
            heads.emplace_back("#Ideal");
    }
    if (plan.repeats > 1)
        heads.emplace_back("Low to high");
    ColumnTable table(heads);
    for (std::size_t point = 0; point < plan.points(); ++point) {
        std::vector<std::string> row;
        for (std::size_t axis = 0; axis < plan.axes.size(); ++axis)
            row.push_back(valueText(plan, point, axis));
        for (const SweepMetric one : shown) {
            row.push_back(spreadText(metricInfo(one).unit, result.spread(point, one)));
            if (one == SweepMetric::Batch) {
                const auto ideal = result.ideal(point, one);
                row.push_back(ideal ? metricText(MetricUnit::Time, *ideal) : "-");
            }
        }
        if (plan.repeats > 1)
            if (const auto spread = result.spread(point, metric))
                row.push_back(rangeText(metricInfo(metric).unit, *spread));
        table.row(std::move(row));
    }
    return table.text();
}

std::string matrixText(const SweepResult& result, SweepMetric metric)
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
            cells.push_back(spreadText(metricInfo(metric).unit, result.spread(point, metric)));
        }
        table.row(std::move(cells));
    }
    std::string text =
        fmt::format("{}{}\n", metricInfo(metric).label, plan.repeats > 1 ? " (median)" : "") + table.text();
    if (best)
        text += fmt::format("Least: {} at {}={}, {}={}.\n",
                            spreadText(metricInfo(metric).unit, result.spread(*best, metric)), plan.axes[0].key,
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

OrderedJson wholeNumber(double value)
{
    return value == std::floor(value) ? OrderedJson(static_cast<std::int64_t>(value)) : OrderedJson(value);
}

}  // namespace

std::string sweepText(const SweepResult& result, SweepMetric metric)
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
            entry["values"].push_back(wholeNumber(result.plan.value(point, axis)));
        if (const std::string error = result.error(point); !error.empty())
            entry["error"] = error;
        for (const SweepMetricInfo& metric : allSweepMetrics())
            if (const auto spread = result.spread(point, metric.metric))
                entry[std::string(metric.key)] = {{"median", wholeNumber(spread->median)},
                                                  {"low", wholeNumber(spread->low)},
                                                  {"high", wholeNumber(spread->high)},
                                                  {"runs", spread->runs}};
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
                cells.push_back(metricText(sheet.unit, sheet.curves[curve].points[row].value));
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
    OrderedJson json{{"title", sheet.title}, {"unit", sheet.unit == MetricUnit::Time ? "ns" : "bytes_per_second"}};
    for (const SizeCurve& curve : sheet.curves) {
        OrderedJson points = OrderedJson::array();
        for (const CurvePoint& point : curve.points)
            points.push_back({{"bytes", point.bytes},
                              {"value", std::llround(point.value)},
                              {"low", std::llround(point.low)},
                              {"high", std::llround(point.high)}});
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
    text += "\nFigures of each point (--metric KEY):\n";
    for (const SweepMetricInfo& metric : allSweepMetrics()) {
        text += fmt::format("  {}  {}\n", metric.key, metric.label);
        text += wrapText(metric.meaning, "      ");
    }
    return text;
}

OrderedJson sweepListJson()
{
    OrderedJson json{{"ready", OrderedJson::array()}, {"metrics", OrderedJson::array()}};
    for (const ReadySweep& sweep : allSweeps())
        json["ready"].push_back({{"key", sweep.key}, {"title", sweep.title}, {"hint", sweep.hint}});
    for (const SweepMetricInfo& metric : allSweepMetrics())
        json["metrics"].push_back({{"key", metric.key}, {"label", metric.label}, {"meaning", metric.meaning}});
    return json;
}

}  // namespace overlane
