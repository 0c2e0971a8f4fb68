#include "core/analysis/steps.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>
#include <string_view>

#include "core/analysis/loop_levels.h"
#include "core/analysis/step_marks.h"
#include "core/analysis/step_phases.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// A median absolute deviation of a normal distribution times this is its standard deviation.
constexpr double kDeviationScale = 1.4826;
constexpr double kWarmUpDeviations = 3;
constexpr double kWarmUpShare = 0.15;
constexpr double kOutlierDeviations = 5;
constexpr double kOutlierShare = 0.10;
constexpr std::int64_t kStepsPerOutlier = 4;
constexpr std::size_t kFewestForWarmUp = 4;
constexpr std::size_t kFewestForOutliers = 5;
constexpr std::size_t kQuickInWarmUp = 3;
constexpr std::size_t kFewestQuick = 2;
constexpr std::size_t kNamedInError = 40;  // letters
constexpr std::int64_t kMuchSlower = 2;
// Steps that live on what was ready before take this part of what the others do, and there are so many at least.
constexpr double kOnStock = 0.8;
constexpr std::size_t kFewestOnStock = 4;

struct Spread {
    std::int64_t medianNs = 0;
    std::int64_t deviationNs = 0;

    // From this distance on a step is another kind of step, however little the others vary.
    std::int64_t farNs(double deviations, double share) const
    {
        return saturatedRound(std::max(deviations * kDeviationScale * static_cast<double>(deviationNs),
                                       share * static_cast<double>(medianNs)));
    }
};

Spread spreadOf(const std::vector<std::int64_t>& valuesNs)
{
    Spread spread;
    spread.medianNs = median(valuesNs);
    std::vector<std::int64_t> distances;
    distances.reserve(valuesNs.size());
    for (const std::int64_t valueNs : valuesNs)
        distances.push_back(std::abs(valueNs - spread.medianNs));
    spread.deviationNs = median(std::move(distances));
    return spread;
}

// Steps from the first on that are far slower than usual; before them a few that take not half as long as usual, where
// a program gets ready. A few quick ones may lie before one that is much slower, as where another shape is compiled.
// Behind slow ones several quick ones use up what was made ready while the host was slow: batches in a queue.
std::size_t warmUps(const std::vector<Step>& steps, const Spread& usual)
{
    if (steps.size() < kFewestForWarmUp)
        return 0;
    const std::size_t most = steps.size() / 4;
    const std::int64_t farNs = usual.farNs(kWarmUpDeviations, kWarmUpShare);
    const auto isSlow = [&](std::size_t at) { return at < most && steps[at].timeNs - usual.medianNs > farNs; };
    std::size_t warm = 0;
    while (warm < std::min(most, kQuickInWarmUp) && steps[warm].timeNs < usual.medianNs / 2)
        ++warm;
    warm = isSlow(warm) ? warm : 0;
    while (isSlow(warm))
        ++warm;
    const bool beginsQuick = static_cast<double>(steps.front().timeNs) < kOnStock * static_cast<double>(usual.medianNs);
    for (std::size_t at = warm; (warm > 0 || beginsQuick) && at < std::min(most, warm + kQuickInWarmUp + 1); ++at)
        if (steps[at].timeNs - usual.medianNs > std::max(farNs, kMuchSlower * usual.medianNs))
            warm = at + 1;
    std::size_t quick = warm;
    while (warm > 0 && quick < most && steps[quick].timeNs < usual.medianNs / 2)
        ++quick;
    if (quick >= warm + kFewestQuick)
        return quick;
    // Where the loader sets the pace its batches come unevenly, and no single step tells: those on stock follow each
    // other.
    std::vector<std::int64_t> restNs;
    for (std::size_t at = warm; at < steps.size(); ++at)
        restNs.push_back(steps[at].timeNs);
    const double usualNs =
        kOnStock * static_cast<double>(std::accumulate(restNs.begin(), restNs.end(), std::int64_t{0}, saturatedSum)) /
        static_cast<double>(restNs.size());
    std::size_t onStock = warm;
    while (warm > 0 && onStock < most && static_cast<double>(steps[onStock].timeNs) < usualNs)
        ++onStock;
    return onStock >= warm + kFewestOnStock ? onStock : warm;
}

std::int64_t meanNs(const std::vector<Step>& steps)
{
    std::int64_t sumNs = 0;
    std::int64_t count = 0;
    for (const Step& step : steps)
        if (!step.warmUp) {
            sumNs = saturatedSum(sumNs, step.timeNs);
            ++count;
        }
    return count == 0 ? 0 : sumNs / count;
}

void finish(StepSequence& found, std::int64_t pauseBehindNs)
{
    for (std::size_t at = 0; at < found.steps.size(); ++at)
        if (found.steps[at].number < 0)
            found.steps[at].number = static_cast<std::int64_t>(at);
    found.statistics = markSteps(found.steps, pauseBehindNs);
}

StepSequence sequenceOf(StepMarks marks)
{
    StepSequence found;
    found.steps = std::move(marks.steps);
    found.origin = marks.stepKind ? StepOrigin::Profiler : StepOrigin::Ranges;
    found.onHost = marks.onHost;
    found.confidence = 1;
    finish(found, 0);
    return found;
}

StepSequence sequenceOf(const LoopLevels& levels, bool onHost)
{
    StepSequence found;
    if (!levels.chosen)
        return found;
    found.origin = StepOrigin::Pattern;
    found.onHost = onHost;
    found.confidence = levels.iterations.confidence;
    for (const Interval interval : levels.iterations.intervals)
        found.steps.push_back({interval, fmt::format("iteration {}", found.steps.size()), -1});
    finish(found, levels.iterations.usualPauseNs);
    return found;
}

LoopLevels loopLevels(const Trace& trace, const GpuRequests& requests, std::optional<std::size_t> wished,
                      const WorkMeter& work)
{
    const TraceEvidence evidence(trace, work);
    return findLoopLevels(requests, wished, work, &evidence);
}

bool isSameName(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x == '_' ? ' ' : x) == std::tolower(y == '_' ? ' ' : y);
    });
}

}  // namespace

StepSequence detectSteps(const Trace& trace, const WorkMeter& work)
{
    std::vector<StepMarks> marks = iterationMarks(trace, work);
    if (!marks.empty()) {
        StepSequence found = sequenceOf(std::move(marks.front()));
        leaveOutOtherPhases(trace, found, work);
        return found;
    }
    const GpuRequests requests = gpuRequests(trace, work);
    return sequenceOf(loopLevels(trace, requests, {}, work), requests.onHost);
}

std::vector<IterationLevel> iterationLevels(const Trace& trace, const WorkMeter& work)
{
    std::vector<IterationLevel> levels;
    for (StepMarks& marks : iterationMarks(trace, work)) {
        IterationLevel& level = levels.emplace_back();
        level.name = marks.name;
        const StepSequence sequence = sequenceOf(std::move(marks));
        level.origin = sequence.origin;
        level.count = sequence.statistics.steps;
        level.medianNs = sequence.statistics.medianNs;
        level.isTaken = levels.size() == 1;
    }
    const bool isMarked = !levels.empty();
    const LoopLevels loops = loopLevels(trace, gpuRequests(trace, work), {}, work);
    for (std::size_t at = 0; at < loops.levels.size(); ++at)
        levels.push_back({StepOrigin::Pattern, loops.levels[at].name,
                          static_cast<std::int64_t>(loops.levels[at].iterations), loops.levels[at].medianNs,
                          !isMarked && loops.chosen == at});
    return levels;
}

Result<StepSequence> stepsOfLevel(const Trace& trace, std::string_view wish, const WorkMeter& work)
{
    const std::vector<IterationLevel> levels = iterationLevels(trace, work);
    if (levels.empty())
        return Error{"The trace shows no loop to choose: nothing is marked, and its GPU work does not repeat."};
    std::int64_t number = 0;
    const auto parsed = std::from_chars(wish.data(), wish.data() + wish.size(), number);
    const bool isNumber = parsed.ec == std::errc() && parsed.ptr == wish.data() + wish.size();
    std::size_t place = levels.size();
    if (isNumber && number >= 1 && number <= static_cast<std::int64_t>(levels.size()))
        place = static_cast<std::size_t>(number) - 1;
    for (std::size_t at = 0; at < levels.size() && place == levels.size(); ++at)
        if (isNumber ? levels[at].count == number : isSameName(levels[at].name, wish))
            place = at;
    if (place == levels.size()) {
        std::string text = fmt::format("The trace shows no loop {}; choose one of:", wish);
        for (std::size_t at = 0; at < levels.size(); ++at)
            text += fmt::format("{} {} ({} times {})", at > 0 ? "," : "", at + 1, levels[at].count,
                                std::string_view(levels[at].name).substr(0, kNamedInError));
        return Error{text + "."};
    }
    std::vector<StepMarks> marks = iterationMarks(trace, work);
    if (place < marks.size())
        return sequenceOf(std::move(marks[place]));
    const GpuRequests requests = gpuRequests(trace, work);
    return sequenceOf(loopLevels(trace, requests, place - marks.size(), work), requests.onHost);
}

std::vector<Step> findSteps(const Trace& trace)
{
    return detectSteps(trace).steps;
}

std::string_view stepOriginName(StepOrigin origin)
{
    switch (origin) {
        case StepOrigin::Profiler:
            return "profiler steps";
        case StepOrigin::Ranges:
            return "named ranges";
        case StepOrigin::Pattern:
            return "repeating GPU work";
        case StepOrigin::None:
            break;
    }
    return "none";
}

StepStatistics markSteps(std::vector<Step>& steps, std::int64_t pauseBehindNs)
{
    StepStatistics statistics;
    statistics.steps = static_cast<std::int64_t>(steps.size());
    if (steps.empty())
        return statistics;
    std::vector<std::int64_t> timesNs;
    std::vector<std::int64_t> pausesNs;
    for (std::size_t at = 0; at + 1 < steps.size(); ++at) {
        steps[at].timeNs = steps[at + 1].interval.startNs - steps[at].interval.startNs;
        pausesNs.push_back(steps[at].timeNs - steps[at].interval.lengthNs());
    }
    const std::int64_t usualPauseNs = median(std::move(pausesNs)) + pauseBehindNs;
    for (std::size_t at = 0; at + 1 < steps.size(); ++at)
        timesNs.push_back(steps[at].timeNs);
    // In a long pause behind a step another phase runs, or nothing.
    if (!timesNs.empty()) {
        const std::int64_t longNs = saturatedProduct(kPauseFactor, median(timesNs));
        for (std::size_t at = 0; at + 1 < steps.size(); ++at)
            if ((steps[at].timeNs > longNs || steps[at].phaseEnds) &&
                steps[at].interval.lengthNs() + usualPauseNs < steps[at].timeNs)
                timesNs[at] = steps[at].timeNs =
                    steps[at].interval.lengthNs() + std::max<std::int64_t>(0, usualPauseNs);
    }
    steps.back().timeNs = steps.back().interval.lengthNs() + usualPauseNs;
    // Within another one it has no pause behind it that would be its own.
    if (steps.back().timeNs <= 0 && !timesNs.empty())
        steps.back().timeNs = median(timesNs);
    timesNs.push_back(steps.back().timeNs);
    for (Step& step : steps)
        step.warmUp = step.outlier = false;
    const Spread all = spreadOf(timesNs);
    const std::size_t warm = warmUps(steps, all);
    for (std::size_t at = 0; at < warm; ++at)
        steps[at].warmUp = true;
    timesNs.erase(timesNs.begin(), timesNs.begin() + static_cast<std::ptrdiff_t>(warm));
    const Spread rest = spreadOf(timesNs);
    if (timesNs.size() >= kFewestForOutliers)
        for (std::size_t at = warm; at < steps.size(); ++at)
            steps[at].outlier =
                std::abs(steps[at].timeNs - rest.medianNs) > rest.farNs(kOutlierDeviations, kOutlierShare);
    // What happens so often is how the steps are, not what stands out of them.
    const auto isOutlier = [](const Step& step) { return step.outlier; };
    statistics.outliers = std::count_if(steps.begin(), steps.end(), isOutlier);
    if (statistics.outliers * kStepsPerOutlier > static_cast<std::int64_t>(timesNs.size())) {
        statistics.outliers = 0;
        for (Step& step : steps)
            step.outlier = false;
    }
    statistics.warmUps = static_cast<std::int64_t>(warm);
    statistics.meanNs = meanNs(steps);
    statistics.medianNs = rest.medianNs;
    statistics.deviationNs = rest.deviationNs;
    statistics.lowerQuartileNs = quantile(timesNs, 0.25);
    statistics.upperQuartileNs = quantile(timesNs, 0.75);
    const auto [least, most] = std::minmax_element(timesNs.begin(), timesNs.end());
    statistics.minNs = *least;
    statistics.maxNs = *most;
    return statistics;
}

namespace
{

bool isWithin(const Step& step, Interval range)
{
    return step.interval.startNs >= range.startNs && step.interval.endNs <= range.endNs;
}

}  // namespace

std::vector<Step> stepsWithin(const std::vector<Step>& steps, Interval range)
{
    std::vector<Step> within;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(within),
                 [&](const Step& step) { return isWithin(step, range); });
    return within;
}

std::int64_t wholeSteps(const std::vector<Step>& steps, Interval range)
{
    return std::count_if(steps.begin(), steps.end(), [&](const Step& step) { return isWithin(step, range); });
}

std::int64_t averageStepNs(const std::vector<Step>& steps, Interval range)
{
    const std::vector<Step> whole = stepsWithin(steps, range);
    if (whole.empty())
        return 0;
    std::int64_t sumNs = 0;
    std::int64_t count = 0;
    for (const Step& step : whole)
        if (!step.warmUp) {
            sumNs = saturatedSum(sumNs, step.timeNs);
            ++count;
        }
    if (count == 0)
        return stepTimeNs(whole);
    // Where a host ran ahead behind a slow start, its quick steps are warm-up, and what it left is theirs.
    bool beganSlow = false;
    bool ranAhead = false;
    for (const Step& step : steps) {
        beganSlow |= step.warmUp && step.timeNs > sumNs / count;
        ranAhead |= step.warmUp && beganSlow && step.timeNs < sumNs / count / 2;
    }
    const Step& last = steps.back();
    if (whole.back().interval == last.interval && !ranAhead)
        sumNs = saturatedSum(sumNs, std::max<std::int64_t>(0, range.endNs - last.interval.startNs - last.timeNs));
    return sumNs / count;
}

StepPauses pausesBetween(const std::vector<Step>& steps, Interval range)
{
    StepPauses pauses;
    const std::vector<Step> whole = stepsWithin(steps, range);
    for (std::size_t at = 0; at + 1 < whole.size(); ++at)
        if (const std::int64_t ns = whole[at + 1].interval.startNs - whole[at].interval.startNs - whole[at].timeNs;
            ns > 0) {
            ++pauses.count;
            pauses.ns = saturatedSum(pauses.ns, ns);
        }
    return pauses;
}

std::int64_t perStepNs(std::int64_t sumNs, Interval range, std::int64_t averageStepNs)
{
    if (range.empty())
        return 0;
    return saturatedRound(static_cast<double>(sumNs) / static_cast<double>(range.lengthNs()) *
                          static_cast<double>(averageStepNs));
}

std::int64_t stepTimeNs(const std::vector<Step>& steps)
{
    if (steps.empty())
        return 0;
    if (steps.size() == 1)
        return steps.front().interval.lengthNs();
    const std::int64_t betweenStartsNs = steps.back().interval.startNs - steps.front().interval.startNs;
    return betweenStartsNs / static_cast<std::int64_t>(steps.size() - 1);
}

}  // namespace overlane
