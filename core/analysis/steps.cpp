#include "core/analysis/steps.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "core/analysis/step_pattern.h"

namespace overlane
{
namespace
{

struct NumberedName {
    std::string_view base;  // without number and separator
    std::optional<std::int64_t> number;
};

NumberedName splitNumber(std::string_view name)
{
    std::size_t digits = name.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])))
        --digits;
    NumberedName split{name.substr(0, digits), {}};
    std::int64_t number = 0;
    const char* end = name.data() + name.size();
    if (const auto parsed = std::from_chars(name.data() + digits, end, number);
        parsed.ec == std::errc() && parsed.ptr == end)
        split.number = number;
    while (!split.base.empty() && std::string_view(" #_-:=").find(split.base.back()) != std::string_view::npos)
        split.base.remove_suffix(1);
    return split;
}

bool isStepName(std::string_view base)
{
    static constexpr std::array<std::string_view, 6> kWords{"step",  "iteration",  "iter",
                                                            "batch", "train step", "training step"};
    std::string lower(base);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    std::replace(lower.begin(), lower.end(), '_', ' ');
    return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

// What one track marks under one base name.
struct Candidate {
    bool stepKind = false;
    bool onHost = false;
    std::vector<Step> steps;

    auto rank() const { return std::tuple(stepKind, onHost, steps.size()); }
};

// A median absolute deviation of a normal distribution times this is its standard deviation.
constexpr double kDeviationScale = 1.4826;
constexpr double kWarmUpDeviations = 3;
constexpr double kWarmUpShare = 0.15;
constexpr double kOutlierDeviations = 5;
constexpr double kOutlierShare = 0.10;
constexpr std::int64_t kStepsPerOutlier = 4;
constexpr std::size_t kFewestForWarmUp = 4;
constexpr std::size_t kFewestForOutliers = 5;

std::int64_t medianOf(std::vector<std::int64_t> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

struct Spread {
    std::int64_t medianNs = 0;
    std::int64_t deviationNs = 0;

    // From this distance on a step is another kind of step, however little the others vary.
    std::int64_t farNs(double deviations, double share) const
    {
        return std::llround(std::max(deviations * kDeviationScale * static_cast<double>(deviationNs),
                                     share * static_cast<double>(medianNs)));
    }
};

Spread spreadOf(const std::vector<std::int64_t>& valuesNs)
{
    Spread spread;
    spread.medianNs = medianOf(valuesNs);
    std::vector<std::int64_t> distances;
    distances.reserve(valuesNs.size());
    for (const std::int64_t valueNs : valuesNs)
        distances.push_back(std::abs(valueNs - spread.medianNs));
    spread.deviationNs = medianOf(std::move(distances));
    return spread;
}

}  // namespace

StepSequence detectSteps(const Trace& trace)
{
    StepSequence found;
    std::int64_t pauseBehindNs = 0;
    std::map<std::pair<TrackId, std::string>, Candidate> candidates;
    for (std::uint32_t track = 0; track < trace.tracks().size(); ++track) {
        const EventRange events = trace.tracks()[track].events;
        for (std::uint32_t at = events.first; at < events.last; ++at) {
            const EventIndex index(at);
            const bool stepKind = trace.kind(index) == EventKind::Step;
            if (!stepKind && trace.kind(index) != EventKind::Annotation)
                continue;
            const NumberedName name = splitNumber(trace.name(index));
            if (!stepKind && !(name.number && isStepName(name.base)))
                continue;
            // All events of kind Step on a track are one sequence, whatever their names.
            Candidate& candidate = candidates[{TrackId(track), stepKind ? std::string() : std::string(name.base)}];
            candidate.stepKind = stepKind;
            candidate.onHost = trace.tracks()[track].device < 0;
            candidate.steps.push_back(
                {trace.interval(index), std::string(trace.name(index)), name.number.value_or(-1)});
        }
    }
    Candidate* best = nullptr;
    for (auto& [key, candidate] : candidates)
        if ((candidate.stepKind || candidate.steps.size() >= 2) && (!best || candidate.rank() > best->rank()))
            best = &candidate;
    if (best) {
        found.steps = std::move(best->steps);
        found.origin = best->stepKind ? StepOrigin::Profiler : StepOrigin::Ranges;
        found.confidence = 1;
        std::stable_sort(found.steps.begin(), found.steps.end(),
                         [](const Step& a, const Step& b) { return a.interval.startNs < b.interval.startNs; });
    } else if (const StepPattern pattern = findStepPattern(trace); pattern.confidence >= kLeastStepConfidence) {
        found.origin = StepOrigin::Pattern;
        found.confidence = pattern.confidence;
        pauseBehindNs = pattern.usualPauseNs;
        for (const Interval interval : pattern.steps)
            found.steps.push_back({interval, fmt::format("period {}", found.steps.size()), -1});
    }
    for (std::size_t at = 0; at < found.steps.size(); ++at)
        if (found.steps[at].number < 0)
            found.steps[at].number = static_cast<std::int64_t>(at);
    found.statistics = markSteps(found.steps, pauseBehindNs);
    return found;
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
    steps.back().timeNs =
        steps.back().interval.lengthNs() + (pausesNs.empty() ? 0 : medianOf(std::move(pausesNs))) + pauseBehindNs;
    for (Step& step : steps) {
        step.warmUp = step.outlier = false;
        timesNs.push_back(step.timeNs);
    }
    const Spread all = spreadOf(timesNs);
    std::size_t warm = 0;
    if (steps.size() >= kFewestForWarmUp)
        while (warm < steps.size() / 4 &&
               steps[warm].timeNs - all.medianNs > all.farNs(kWarmUpDeviations, kWarmUpShare))
            steps[warm++].warmUp = true;
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
    statistics.medianNs = rest.medianNs;
    statistics.deviationNs = rest.deviationNs;
    std::sort(timesNs.begin(), timesNs.end());
    statistics.lowerQuartileNs = timesNs[(timesNs.size() - 1) / 4];
    statistics.upperQuartileNs = timesNs[(timesNs.size() - 1) * 3 / 4];
    statistics.minNs = timesNs.front();
    statistics.maxNs = timesNs.back();
    return statistics;
}

std::vector<Step> stepsWithin(const std::vector<Step>& steps, Interval range)
{
    std::vector<Step> within;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(within), [&](const Step& step) {
        return step.interval.startNs >= range.startNs && step.interval.endNs <= range.endNs;
    });
    return within;
}

std::vector<Summary> stepSummaries(const Analysis& analysis, const std::vector<Step>& steps)
{
    std::vector<Summary> summaries;
    summaries.reserve(steps.size());
    for (const Step& step : steps)
        summaries.push_back(analysis.summarise(step.interval));
    return summaries;
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
