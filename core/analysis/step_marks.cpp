#include "core/analysis/step_marks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/saturated.h"

namespace overlane
{
namespace
{

constexpr std::size_t kFewestRecurring = 4;

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

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    std::replace(lower.begin(), lower.end(), '_', ' ');
    return lower;
}

template <std::size_t count>
bool isOneOf(std::string_view text, const std::array<std::string_view, count>& words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

// The name under which ranges are of one sequence; empty for what marks no iteration.
std::string stepNameOf(std::string_view base)
{
    static constexpr std::array<std::string_view, 8> kWords{
        "step", "iteration", "iter", "batch", "train step", "training step", "train batch", "training batch"};
    static constexpr std::array<std::string_view, 5> kMembers{"training step", "train step", "train batch",
                                                              "training batch", "run training batch"};
    // Servers name the batch in it.
    static constexpr std::array<std::string_view, 3> kPrefixes{"execute ", "step[", "iteration["};
    std::string lower = lowered(base);
    if (isOneOf(lower, kWords))
        return lower;
    for (const std::string_view prefix : kPrefixes)
        if (lower.starts_with(prefix))
            return std::string(prefix.substr(0, prefix.size() - 1));
    // "[pl][profile]run_training_batch", "Trainer.training_step".
    const std::size_t owner = lower.find_last_of("].:");
    if (owner != std::string::npos && isOneOf(std::string_view(lower).substr(owner + 1), kMembers))
        return lower.substr(owner + 1);
    return isOneOf(lower, kMembers) ? lower : std::string();
}

std::int64_t coveredNs(const StepMarks& marks)
{
    std::int64_t sumNs = 0;
    for (const Step& step : marks.steps)
        sumNs = saturatedSum(sumNs, step.interval.lengthNs());
    return sumNs;
}

auto rankOf(const StepMarks& marks)
{
    const bool recurs = marks.steps.size() >= kFewestRecurring;
    // A loader's steps overlap, so the time that those of kind Step cover says nothing.
    return std::tuple(marks.stepKind, marks.onHost, recurs, marks.stepKind ? 0 : coveredNs(marks), marks.steps.size());
}

}  // namespace

std::vector<StepMarks> stepMarks(const Trace& trace, const WorkMeter& work)
{
    std::map<std::pair<TrackId, std::string>, StepMarks> found;
    std::vector<std::optional<std::string>> nameOf(trace.strings().size());  // of a range; empty for no step
    for (std::uint32_t track = 0; track < trace.tracks().size(); ++track) {
        const EventRange events = trace.tracks()[track].events;
        for (std::uint32_t at = events.first; at < events.last; ++at) {
            work.count();
            const EventIndex index(at);
            const bool stepKind = trace.kind(index) == EventKind::Step;
            if (!stepKind && trace.kind(index) != EventKind::Annotation)
                continue;
            const NumberedName name = splitNumber(trace.name(index));
            std::string sequence;
            if (!stepKind) {
                std::optional<std::string>& known = nameOf[trace.columns().name[at].index()];
                if (!known)
                    known = stepNameOf(name.base);
                if (known->empty())
                    continue;
                sequence = *known;
            }
            // All events of kind Step on a track are one sequence, whatever their names.
            StepMarks& marks = found[{TrackId(track), sequence}];
            if (marks.steps.empty())
                marks.name = stepKind ? std::string(name.base) : sequence;
            marks.stepKind = stepKind;
            marks.onHost = trace.tracks()[track].device < 0;
            marks.steps.push_back({trace.interval(index), std::string(trace.name(index)), name.number.value_or(-1)});
        }
    }
    std::vector<StepMarks> all;
    for (auto& [key, marks] : found) {
        if (!marks.stepKind && marks.steps.size() < 2)
            continue;
        std::stable_sort(marks.steps.begin(), marks.steps.end(),
                         [](const Step& a, const Step& b) { return a.interval.startNs < b.interval.startNs; });
        all.push_back(std::move(marks));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const StepMarks& a, const StepMarks& b) { return rankOf(a) > rankOf(b); });
    return all;
}

}  // namespace overlane
