#include "core/lessons/lesson_table.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "core/compare/speed.h"
#include "core/runs/run_metrics.h"

namespace overlane
{
namespace
{

constexpr double kTiny = 0.01;  // ratios below are read the other way round

std::string changeText(double a, double b, const FigureUnit& unit)
{
    if (!std::isfinite(a) || !std::isfinite(b))
        return {};
    if (aboutTheSame(a, b))
        return "alike";
    if (unit.share)
        return fmt::format("{}{}", b > a ? "+" : "-", figureText(std::abs(b - a), unit));
    if (a > 0 && b > 0 && b / a < kTiny)
        return "1/" + figureText(std::round(a / b), kNumberUnit);
    if (a > 0 && b > 0)
        return figureText(b / a, kNumberUnit) + " times";
    return fmt::format("{}{}", b > a ? "+" : "-", figureText(std::abs(b - a), unit));
}

}  // namespace

Table lessonTable(const LessonRun& run)
{
    Table table{"", {{"metric", "", Column::Kind::Words}}, {}};
    for (const LessonScenario& scenario : run.lesson().scenarios)
        table.columns.push_back({scenario.name, scenario.name});
    table.columns.push_back({"change", "B against A"});
    for (const std::string& key : run.lesson().compared) {
        const RunMetric* metric = findRunMetric(key);
        if (metric == nullptr)
            continue;
        Table::Row row{{{metric->label}}, metric->description};
        std::vector<double> values;
        for (const JudgedRunPointer& one : run.runs()) {
            const double value = values.emplace_back(metric->value(*one));
            row.cells.push_back(std::isnan(value) ? missingCell() : Cell{figureText(value, metric->unit), value});
        }
        Cell& change = row.cells.emplace_back(Cell{changeText(values[0], values[1], metric->unit)});
        if (values[0] > 0 && std::isfinite(values[1] / values[0]))
            change.value = values[1] / values[0];
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace overlane
