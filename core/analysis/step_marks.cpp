#include "core/analysis/step_marks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/saturated.h"
#include "core/trace/step_name.h"

namespace overlane
{
namespace
{

constexpr std::size_t kFewestRecurring = 4;

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
