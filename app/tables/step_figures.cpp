#include "app/tables/step_figures.h"

#include <algorithm>

#include <QObject>
#include <QStringList>

#include "app/widgets/text.h"
#include "core/base/statistics.h"

namespace overlane
{

namespace
{

constexpr std::int64_t kFewSteps = 4;  // so few have no middle half

}  // namespace

std::vector<RulerMark> rulerMarks(const std::vector<Step>& steps)
{
    const std::int64_t medianNs = statisticsOf(steps).medianNs;
    std::vector<RulerMark> marks;
    for (const Step& step : steps) {
        if (!step.warmUp && !step.outlier)
            continue;
        RulerMark mark;
        mark.interval = step.interval;
        mark.kind = step.outlier ? RulerMark::Kind::Outlier : RulerMark::Kind::WarmUp;
        mark.tip = step.outlier ? u"%1 stands out: %2, where the median step takes %3"_s.arg(
                                      text(step.name), durationText(step.timeNs), durationText(medianNs))
                                : u"%1 counts as warm-up: %2, where the median step takes %3"_s.arg(
                                      text(step.name), durationText(step.timeNs), durationText(medianNs));
        marks.push_back(mark);
    }
    return marks;
}

QString stepMarkText(const Step& step, std::int64_t medianNs)
{
    if (step.warmUp)
        return u"warm-up"_s;
    if (!step.outlier)
        return {};
    return step.timeNs > medianNs ? u"slow"_s : u"fast"_s;
}

StepStatistics statisticsOf(const std::vector<Step>& steps)
{
    StepStatistics statistics;
    std::vector<std::int64_t> times;
    times.reserve(steps.size());
    for (const Step& step : steps) {
        statistics.warmUps += step.warmUp ? 1 : 0;
        statistics.outliers += step.outlier ? 1 : 0;
        if (!step.warmUp)
            times.push_back(step.timeNs);
    }
    statistics.steps = static_cast<std::int64_t>(times.size());
    if (times.empty())
        return statistics;
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    statistics.minNs = *least;
    statistics.maxNs = *most;
    statistics.lowerQuartileNs = quantile(times, 0.25);
    statistics.medianNs = median(times);
    statistics.upperQuartileNs = quantile(times, 0.75);
    return statistics;
}

QString stepsCaption(const AnalyzedTrace& shown, const std::vector<Step>& inRange, bool selected)
{
    if (shown.steps.steps.empty())
        return {};
    const StepStatistics statistics = statisticsOf(inRange);
    const auto count = static_cast<std::int64_t>(inRange.size());
    QString caption;
    switch (shown.steps.origin) {
        case StepOrigin::Profiler:
            caption = u"Steps that the trace marks"_s;
            break;
        case StepOrigin::Ranges:
            caption = u"Steps from named ranges"_s;
            break;
        default:
            caption =
                u"Steps found from GPU work that repeats, %1 sure"_s.arg(text(formatShare(shown.steps.confidence)));
    }
    caption +=
        selected ? u": %1 of %2 in the selected range"_s.arg(
                       text(formatCount(count)), text(formatCount(static_cast<std::int64_t>(shown.steps.steps.size()))))
                 : u": %1"_s.arg(text(formatCount(count)));
    if (statistics.steps > 0 && statistics.steps < kFewSteps)
        caption += u". Median %1"_s.arg(durationText(statistics.medianNs));
    else if (statistics.steps > 0)
        caption += u". Median %1, half of them from %2 to %3"_s.arg(durationText(statistics.medianNs),
                                                                    durationText(statistics.lowerQuartileNs),
                                                                    durationText(statistics.upperQuartileNs));
    QStringList marked;
    if (statistics.warmUps > 0)
        marked << u"%1 warm-up"_s.arg(text(formatCount(statistics.warmUps)));
    if (statistics.outliers > 0)
        marked << (statistics.outliers == 1 ? u"1 that stands out"_s
                                            : u"%1 that stand out"_s.arg(text(formatCount(statistics.outliers))));
    return marked.isEmpty() ? caption : caption + u"; "_s + marked.join(u", "_s);
}

}  // namespace overlane
