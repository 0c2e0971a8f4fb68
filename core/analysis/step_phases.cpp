#include "core/analysis/step_phases.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/gpu_requests.h"
#include "core/analysis/loop_families.h"
#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// A step that asks for so many times the usual work holds another phase, a validation for one.
constexpr std::int64_t kOtherPhase = 3;
// The last of all, behind which the program ends.
constexpr double kOtherPhaseBehindAll = 1.5;
// Requests behind the last mark are an iteration where so many of them are those of the one before.
constexpr double kAlikeRequests = 0.9;
// Of so many batches one is taken together with the next, at least, where a program does that.
constexpr std::size_t kOneTogetherIn = 4;
constexpr std::size_t kFewestTogether = 8;
constexpr std::size_t kFewestWorking = 4;
// Requests of an iteration of two epochs differ by this part of the larger number at most.
constexpr std::int64_t kAlikePart = 4;

// What is asked of the GPU, gone through when first needed.
class Requests
{
public:
    Requests(const Trace& trace, const WorkMeter& work) : m_trace(trace), m_work(work) {}

    bool onHost() { return all().onHost; }
    // Requests between two times; only launches of kernels and graphs, if `launches`.
    std::int64_t between(std::int64_t startNs, std::int64_t endNs, bool launches = false)
    {
        const std::vector<std::int64_t>& places = launches ? launchTimes() : times();
        const auto placeOf = [&](std::int64_t timeNs) {
            return std::lower_bound(places.begin(), places.end(), timeNs);
        };
        return placeOf(endNs) - placeOf(startNs);
    }
    // Of two stretches of requests, `count` from each of two times on: how many they have in common, of each kind.
    std::int64_t alike(std::int64_t oneNs, std::int64_t otherNs, std::int64_t count)
    {
        std::vector<std::int64_t> left(all().kinds.size());
        const auto first = [&](std::int64_t timeNs) {
            return static_cast<std::size_t>(std::lower_bound(times().begin(), times().end(), timeNs) - times().begin());
        };
        const auto last = [&](std::size_t from) {
            return std::min(all().requests.size(), from + static_cast<std::size_t>(count));
        };
        m_work.count(2 * static_cast<std::size_t>(count));
        for (std::size_t at = first(oneNs); at < last(first(oneNs)); ++at)
            ++left[all().requests[at].token];
        std::int64_t same = 0;
        for (std::size_t at = first(otherNs); at < last(first(otherNs)); ++at)
            same += left[all().requests[at].token]-- > 0;
        return same;
    }
    // Where the request ends that is the `count`-th from a time on, which must be there.
    std::int64_t endOf(std::int64_t startNs, std::int64_t count)
    {
        const auto first = std::lower_bound(times().begin(), times().end(), startNs) - times().begin();
        return all().requests[static_cast<std::size_t>(first + count - 1)].endNs;
    }

private:
    const GpuRequests& all()
    {
        if (!m_all) {
            m_all = gpuRequests(m_trace, m_work);
            for (const GpuRequest& request : m_all->requests) {
                m_times.push_back(request.startNs);
                const RequestKind kind = m_all->kinds[request.token];
                if (kind == RequestKind::Kernel || kind == RequestKind::Graph)
                    m_launchTimes.push_back(request.startNs);
            }
        }
        return *m_all;
    }
    const std::vector<std::int64_t>& times() { return all(), m_times; }
    const std::vector<std::int64_t>& launchTimes() { return all(), m_launchTimes; }

    const Trace& m_trace;
    const WorkMeter& m_work;
    std::optional<GpuRequests> m_all;
    std::vector<std::int64_t> m_times;
    std::vector<std::int64_t> m_launchTimes;
};

bool isOfLoader(const StepMarks& marks)
{
    return marks.stepKind && marks.onHost;
}

// Whether many of the times from mark to mark are far shorter than they are on average.
bool hasShortOnes(const std::vector<Step>& steps)
{
    if (steps.size() < kFewestTogether)
        return false;
    std::vector<std::int64_t> timesNs;
    for (std::size_t at = 0; at + 1 < steps.size(); ++at)
        timesNs.push_back(steps[at + 1].interval.startNs - steps[at].interval.startNs);
    const std::int64_t meanNs =
        (steps.back().interval.startNs - steps.front().interval.startNs) / static_cast<std::int64_t>(timesNs.size());
    const auto shortOnes =
        std::count_if(timesNs.begin(), timesNs.end(), [&](std::int64_t timeNs) { return timeNs < meanNs / 4; });
    return static_cast<std::size_t>(shortOnes) * kOneTogetherIn >= timesNs.size();
}

// Batches that nothing is launched between are taken together.
void joinTakenTogether(StepMarks& marks, Requests& requests)
{
    if (!isOfLoader(marks) || !hasShortOnes(marks.steps) || !requests.onHost())
        return;
    std::vector<Step> joined;
    bool open = false;
    std::size_t silent = 0;
    for (std::size_t at = 0; at < marks.steps.size(); ++at) {
        Step& step = marks.steps[at];
        if (open)
            joined.back().interval.endNs = std::max(joined.back().interval.endNs, step.interval.endNs);
        else
            joined.push_back(step);
        const bool isLast = at + 1 == marks.steps.size();
        const std::int64_t nextNs = isLast ? step.interval.endNs : marks.steps[at + 1].interval.startNs;
        open = !isLast && requests.between(step.interval.startNs, nextNs, true) == 0;
        silent += open;
    }
    if (joined.size() < kFewestWorking || silent * kOneTogetherIn < marks.steps.size())
        return;
    for (std::size_t at = 0; at < joined.size(); ++at)
        joined[at].number = static_cast<std::int64_t>(at);
    marks.steps = std::move(joined);
}

// The iteration of the last batch, which no further one marks the end of.
void addLast(std::vector<StepMarks>& all, Requests& requests)
{
    StepMarks& marks = all.front();
    if (!isOfLoader(marks) || marks.steps.size() < kFewestWorking || !requests.onHost())
        return;
    const Step& last = marks.steps.back();
    const std::int64_t endNs = last.interval.endNs;
    const std::int64_t usual = requests.between(last.interval.startNs, endNs);
    const auto most = static_cast<double>(usual) * kAlikeRequests;
    if (usual < static_cast<std::int64_t>(kFewestWorking) ||
        static_cast<double>(requests.between(endNs, std::numeric_limits<std::int64_t>::max())) < most ||
        static_cast<double>(requests.alike(last.interval.startNs, endNs, usual)) < most)
        return;
    const std::int64_t count = std::min(usual, requests.between(endNs, std::numeric_limits<std::int64_t>::max()));
    Step added = last;
    added.interval = {endNs, std::max(endNs, requests.endOf(endNs, count))};
    // Another loader's batches are marked themselves.
    for (const StepMarks& other : all)
        for (const Step& step : other.steps)
            if (step.interval.intersected(added.interval).lengthNs() > 0)
                return;
    if (last.number >= 0) {
        const std::string number = std::to_string(last.number);
        added.number = last.number + 1;
        if (added.name.ends_with(number))
            added.name.replace(added.name.size() - number.size(), number.size(), std::to_string(added.number));
    }
    marks.steps.push_back(std::move(added));
}

struct Phase {
    Interval span;
    std::int64_t usualRequests = 0;  // of an iteration
};

std::optional<Phase> phaseOf(const StepMarks& marks, Requests& requests)
{
    const std::vector<Step>& steps = marks.steps;
    if (!isOfLoader(marks) || steps.size() < 2 || !requests.onHost())
        return std::nullopt;
    std::vector<std::int64_t> counts;
    for (std::size_t at = 0; at + 1 < steps.size(); ++at)
        counts.push_back(requests.between(steps[at].interval.startNs, steps[at + 1].interval.startNs));
    return Phase{{steps.front().interval.startNs, steps.back().interval.endNs}, lowerMedian(counts)};
}

// Loaders one after the other, whose iterations ask for about as much, are epochs of one loop.
void joinEpochs(std::vector<StepMarks>& all, Requests& requests)
{
    if (std::count_if(all.begin(), all.end(), isOfLoader) < 2)
        return;
    std::vector<std::optional<Phase>> phases;
    phases.reserve(all.size());
    for (const StepMarks& marks : all)
        phases.push_back(phaseOf(marks, requests));
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (!phases[at] || phases[at]->usualRequests == 0)
            continue;
        std::vector<Interval> spans{phases[at]->span};
        for (std::size_t other = at + 1; other < all.size(); ++other) {
            if (!phases[other])
                continue;
            const std::int64_t a = phases[at]->usualRequests;
            const std::int64_t b = phases[other]->usualRequests;
            const bool isApart = std::none_of(spans.begin(), spans.end(), [&](Interval span) {
                return phases[other]->span.intersected(span).lengthNs() > 0;
            });
            if (!isApart || (std::max(a, b) - std::min(a, b)) * kAlikePart > std::max(a, b))
                continue;
            spans.push_back(phases[other]->span);
            all[at].steps.back().phaseEnds = all[other].steps.back().phaseEnds = true;
            all[at].steps.insert(all[at].steps.end(), all[other].steps.begin(), all[other].steps.end());
            phases[other].reset();
            all[other].steps.clear();
        }
        if (spans.size() == 1)
            continue;
        std::vector<Step>& steps = all[at].steps;
        std::stable_sort(steps.begin(), steps.end(),
                         [](const Step& a, const Step& b) { return a.interval.startNs < b.interval.startNs; });
        steps.back().phaseEnds = false;
        for (std::size_t step = 0; step < steps.size(); ++step)
            steps[step].number = static_cast<std::int64_t>(step);
    }
    std::erase_if(all, [](const StepMarks& marks) { return marks.steps.empty(); });
}

}  // namespace

std::vector<StepMarks> iterationMarks(const Trace& trace, const WorkMeter& work)
{
    std::vector<StepMarks> all = stepMarks(trace, work);
    Requests requests(trace, work);
    for (StepMarks& marks : all)
        joinTakenTogether(marks, requests);
    joinEpochs(all, requests);
    if (!all.empty())
        addLast(all, requests);
    return all;
}

void leaveOutOtherPhases(const Trace& trace, StepSequence& found, const WorkMeter& work)
{
    const auto isLong = [&](const Step& step) {
        return step.timeNs / kPauseFactor > found.statistics.medianNs && !step.warmUp;
    };
    const bool isLastSlow = !found.steps.empty() && found.steps.back().timeNs / 2 > found.statistics.medianNs;
    if (!found.onHost || (!isLastSlow && std::none_of(found.steps.begin(), found.steps.end(), isLong)))
        return;
    Requests requests(trace, work);
    if (!requests.onHost())
        return;
    std::vector<std::int64_t> counts;
    for (const Step& step : found.steps)
        counts.push_back(requests.between(step.interval.startNs, step.interval.endNs));
    std::vector<std::int64_t> sorted = counts;
    const std::int64_t usual = lowerMedian(sorted);
    bool cut = false;
    const auto hasOtherPhase = [&](std::size_t at) {
        const Step& step = found.steps[at];
        return at + 1 < found.steps.size()
                   ? isLong(step) && counts[at] > kOtherPhase * usual
                   : !step.warmUp && step.timeNs / 2 > found.statistics.medianNs &&
                         static_cast<double>(counts[at]) > kOtherPhaseBehindAll * static_cast<double>(usual);
    };
    for (std::size_t at = 0; at < found.steps.size() && usual > 0; ++at)
        if (hasOtherPhase(at)) {
            Interval& interval = found.steps[at].interval;
            interval.endNs = std::clamp(requests.endOf(interval.startNs, usual), interval.startNs, interval.endNs);
            cut = true;
        }
    if (cut)
        found.statistics = markSteps(found.steps);
}

}  // namespace overlane
