#include "app/lessons/lesson_difference.h"

#include <algorithm>
#include <cmath>

#include <QStringList>

#include "app/widgets/text.h"
#include "core/compare/comparison.h"
#include "core/loader/setting_value.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"

namespace overlane
{

namespace
{

constexpr int kShownSteps = 3;
constexpr std::size_t kFewestSteps = 4;  // fewer are no steps
// Steps are no less typical than another by so little.
constexpr double kAlike = 0.05;

bool haveSteps(const JudgedRun& a, const JudgedRun& b)
{
    return std::min(a.steps.steps.size(), b.steps.steps.size()) >= kFewestSteps;
}

// The step that both runs have whose times are most like those of the whole runs, away from the first ones and the
// last, which are never like the rest; the one in the middle where several are.
std::size_t typicalStep(const std::vector<Step>& a, const std::vector<Step>& b, std::int64_t timeA, std::int64_t timeB)
{
    const std::size_t both = std::min(a.size(), b.size());
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
        return u"%1: %2 in %3, %4 in %5"_s.arg(text(metric->label), text(figureText(before, metric->unit)), nameA,
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
        changes << u"%1: %2 \u2192 %3"_s.arg(text(setting->label), text(settingValueText(*setting, setting->get(from))),
                                             text(settingValueText(*setting, setting->get(to))));
    return changes.join(u" \u00b7 "_s);
}

Speed lessonSpeed(const JudgedRun& a, const JudgedRun& b)
{
    Speed speed =
        haveSteps(a, b) ? simulatedSpeed(stepOf(a), stepOf(b)) : simulatedSpeed(a.result.wallNs, b.result.wallNs);
    speed.by = claimBy(a.result.trace, b.result.trace);
    const auto side = [](const JudgedRun& run) { return CompareSide{&run.result.trace, &run.analysis, &run.steps}; };
    // Runs on a GPU differ by chance: their steps have to claim the same.
    if (speed.by != ClaimBy::Means && speedOf(side(a), side(b)).pace != speed.pace)
        speed.pace = Pace::NotSure;
    return speed;
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
    const Speed speed = difference.speed = lessonSpeed(first, second);
    difference.steps = haveSteps(first, second);
    if (difference.steps) {
        const std::size_t at = typicalStep(first.steps.steps, second.steps.steps, speed.aNs, speed.bNs);
        const Step& stepA = first.steps.steps[at];
        const Step& stepB = second.steps.steps[at];
        const std::int64_t startNs = stepA.interval.startNs;
        // Steps of a loader may overlap: what a step costs is from its start to the start of the next.
        difference.a = {startNs, startNs + stepA.timeNs};
        difference.b = {stepB.interval.startNs, stepB.interval.startNs + stepB.timeNs};
        difference.offsetNs = difference.b.startNs - startNs;
        const std::int64_t longest = std::max({speed.aNs, speed.bNs, stepA.timeNs, stepB.timeNs});
        difference.shown = {startNs - longest / 4, startNs - longest / 4 + kShownSteps * longest};
    }
    const QString times = (difference.steps ? u"%1 a step instead of %2"_s : u"%1 instead of %2"_s)
                              .arg(durationText(speed.bNs), durationText(speed.aNs));
    difference.sentence = u"%1 is %2: %3"_s.arg(nameB, text(speedText(speed, nameA.toStdString())), times);
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
