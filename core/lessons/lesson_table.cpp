#include "core/lessons/lesson_table.h"

#include <cmath>
#include <fmt/format.h>

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

std::vector<LessonRow> lessonTable(const LessonRun& run)
{
    std::vector<LessonRow> rows;
    for (const std::string& key : run.lesson().compared) {
        const RunMetric* metric = findRunMetric(key);
        if (metric == nullptr)
            continue;
        LessonRow row{key, metric->label, metric->description, {}, {}, 0};
        std::vector<double> values;
        for (const JudgedRunPointer& one : run.runs()) {
            values.push_back(metric->value(*one));
            row.values.push_back(std::isnan(values.back()) ? "-" : figureText(values.back(), metric->unit));
        }
        row.change = changeText(values[0], values[1], metric->unit);
        row.ratio = values[0] > 0 && std::isfinite(values[1] / values[0]) ? values[1] / values[0] : 0;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace overlane
