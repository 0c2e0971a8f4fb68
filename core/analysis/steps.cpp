#include "core/analysis/steps.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

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

}  // namespace

std::vector<Step> findSteps(const Trace& trace)
{
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
    if (!best)
        return {};
    std::stable_sort(best->steps.begin(), best->steps.end(),
                     [](const Step& a, const Step& b) { return a.interval.startNs < b.interval.startNs; });
    for (std::size_t at = 0; at < best->steps.size(); ++at)
        if (best->steps[at].number < 0)
            best->steps[at].number = static_cast<std::int64_t>(at);
    return std::move(best->steps);
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
