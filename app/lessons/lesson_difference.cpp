#include "app/lessons/lesson_difference.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QStringList>

#include "app/widgets/text.h"
#include "core/loader/setting_value.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"

namespace overlane
{

namespace
{

constexpr int kShownSteps = 3;
// Less than a hundredth is no difference that a person sees.
constexpr double kSame = 1.01;
// Nor are steps less typical than another by so little.
constexpr double kAlike = 0.05;

QString tr(const char* source)
{
    return QCoreApplication::translate("LessonDifference", source);
}

QString ratioText(double ratio)
{
    return QString::number(ratio, 'f', ratio < 10 ? 2 : 0);
}

// The step that both runs have whose times are most like those of the whole runs, away from the first ones and the
// last, which are never like the rest; the one in the middle where several are.
std::optional<std::size_t> typicalStep(const std::vector<Step>& a, const std::vector<Step>& b, std::int64_t timeA,
                                       std::int64_t timeB)
{
    const std::size_t both = std::min(a.size(), b.size());
    if (both < 4)
        return {};
    const auto unlike = [](const Step& step, std::int64_t timeNs) {
        return std::abs(static_cast<double>(step.timeNs - timeNs)) /
               static_cast<double>(std::max<std::int64_t>(1, timeNs));
    };
    const std::size_t last = both - 1 - kShownSteps / 2;
    std::size_t best = std::min(both / 2, last);
    const auto cost = [&](std::size_t at) { return unlike(a[at], timeA) + unlike(b[at], timeB); };
    double least = cost(best) - kAlike;
    for (std::size_t at = both / 4; at <= last; ++at)
        if (cost(at) < least) {
            least = cost(at);
            best = at;
        }
    return best;
}

double metricOf(const RunMetric& metric, const JudgedRun& run)
{
    return metric.value(run);
}

QString detailOf(const LessonRun& run, const JudgedRun& a, const JudgedRun& b, const QString& nameA,
                 const QString& nameB)
{
    for (const std::string& key : run.lesson().compared) {
        const RunMetric* metric = findRunMetric(key);
        if (metric == nullptr || key == "wall" || key == "step" || key == "ideal")
            continue;
        const double before = metricOf(*metric, a);
        const double after = metricOf(*metric, b);
        if (!std::isfinite(before) || !std::isfinite(after))
            continue;
        return tr("%1: %2 in %3, %4 in %5")
            .arg(text(metric->label), text(figureText(before, metric->unit)), nameA,
                 text(figureText(after, metric->unit)), nameB);
    }
    return {};
}

// As the lesson's own figures have it, without the first batches; of a short run with them.
std::int64_t stepOf(const JudgedRun& run)
{
    const double settledNs = metricOf(runMetric("step"), run);
    return std::isfinite(settledNs) ? std::llround(settledNs) : stepTimeNs(run.steps.steps);
}

}  // namespace

QString changedSettingsText(const Scenario& from, const Scenario& to)
{
    QStringList changes;
    for (const Setting* setting : differingSettings(from, to))
        changes << QStringLiteral("%1: %2 \u2192 %3")
                       .arg(text(setting->label), text(settingValueText(*setting, setting->get(from))),
                            text(settingValueText(*setting, setting->get(to))));
    return changes.join(QStringLiteral(" \u00b7 "));
}

LessonDifference lessonDifference(const LessonRun& run, std::size_t a, std::size_t b)
{
    const JudgedRun& first = *run.runs()[a];
    const JudgedRun& second = *run.runs()[b];
    const QString nameA = text(run.lesson().scenarios[a].name);
    const QString nameB = text(run.lesson().scenarios[b].name);
    LessonDifference difference;
    difference.settings = changedSettingsText(first.scenario, second.scenario);
    difference.a = first.range();
    difference.b = second.range();
    difference.shown = {0, std::max(first.result.wallNs, second.result.wallNs)};
    std::int64_t timeA = first.result.wallNs;
    std::int64_t timeB = second.result.wallNs;
    const std::vector<Step>& stepsA = first.steps.steps;
    const std::vector<Step>& stepsB = second.steps.steps;
    const std::int64_t stepA = stepOf(first);
    const std::int64_t stepB = stepOf(second);
    if (const auto at = typicalStep(stepsA, stepsB, stepA, stepB)) {
        difference.steps = true;
        timeA = stepA;
        timeB = stepB;
        const std::int64_t startA = stepsA[*at].interval.startNs;
        const std::int64_t startB = stepsB[*at].interval.startNs;
        // Steps of a loader may overlap: what a step costs is from its start to the start of the next.
        difference.a = {startA, startA + stepsA[*at].timeNs};
        difference.b = {startB, startB + stepsB[*at].timeNs};
        difference.offsetNs = startB - startA;
        const std::int64_t longest = std::max({timeA, timeB, stepsA[*at].timeNs, stepsB[*at].timeNs});
        difference.shown = {startA - longest / 4, startA - longest / 4 + kShownSteps * longest};
    }
    const double ratio = timeB > 0 ? static_cast<double>(timeA) / static_cast<double>(timeB) : 1;
    const QString times = (difference.steps ? tr("%1 a step instead of %2") : tr("%1 instead of %2"))
                              .arg(durationText(timeB), durationText(timeA));
    if (ratio >= kSame)
        difference.sentence = tr("%1 is %2 x faster than %3: %4").arg(nameB, ratioText(ratio), nameA, times);
    else if (ratio <= 1 / kSame)
        difference.sentence = tr("%1 is %2 x slower than %3: %4").arg(nameB, ratioText(1 / ratio), nameA, times);
    else
        difference.sentence = tr("%1 is as fast as %2: %3").arg(nameB, nameA, times);
    difference.detail = detailOf(run, first, second, nameA, nameB);
    return difference;
}

FigureSource plannedFigures(const Lesson& lesson)
{
    return [lesson = &lesson](const FigureName& name) -> Result<double> {
        const DeviceProfile* device = findDeviceProfile(lesson->scenarios.front().device);
        if (name.run == kDeviceRun && device != nullptr)
            return deviceFigure(*device, name);
        const LessonScenario* scenario = lesson->find(name.run);
        if (scenario != nullptr && findSetting(name.figure) != nullptr)
            return settingFigure(scenario->scenario, name.figure);
        return Error{"it has not run yet"};
    };
}

}  // namespace overlane
