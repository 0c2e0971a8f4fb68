#include "core/judgement/judged_trace.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "core/analysis/timed_steps.h"

namespace overlane
{

std::optional<StepNumbers> parsedStepNumbers(std::string_view text)
{
    StepNumbers numbers;
    const char* end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, numbers.first);
    numbers.last = numbers.first;
    if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '-')
        parsed = std::from_chars(parsed.ptr + 1, end, numbers.last);
    if (parsed.ec != std::errc{} || parsed.ptr != end || numbers.last < numbers.first)
        return {};
    return numbers;
}

Result<Interval> rangeOfSteps(const std::vector<Step>& steps, StepNumbers numbers)
{
    if (steps.empty())
        return Error{"it has no steps to judge."};
    if (numbers.last >= steps.size())
        return Error{fmt::format("it has {} steps, numbered from 0; the last is {}.", steps.size(), steps.size() - 1)};
    Interval range = steps[numbers.first].interval;
    for (std::size_t at = numbers.first; at <= numbers.last; ++at)
        range.endNs = std::max({range.endNs, steps[at].interval.endNs, steps[at].interval.startNs + steps[at].timeNs});
    return range;
}

Result<std::unique_ptr<const JudgedTrace>> JudgedTrace::make(Trace trace, std::string name, const TraceRequest& request,
                                                             const WorkMeter& work)
{
    return make(std::make_shared<const Trace>(std::move(trace)), std::move(name), request, work);
}

Result<std::unique_ptr<const JudgedTrace>> JudgedTrace::make(std::shared_ptr<const Trace> shared, std::string name,
                                                             const TraceRequest& request, const WorkMeter& work)
{
    const Trace& trace = *shared;
    Result<StepSequence> steps = request.iteration.empty() ? Result<StepSequence>(detectSteps(trace, work))
                                                           : stepsOfLevel(trace, request.iteration, work);
    if (!steps.ok())
        return steps.failure();
    Analysis analysis(trace, std::move(steps).value(), work);
    JudgeRequest asked;
    asked.depth = request.depth;
    if (request.steps) {
        const Result<Interval> range = rangeOfSteps(timedSteps(trace, analysis, work).steps, *request.steps);
        if (!range.ok())
            return range.failure();
        asked.range = range.value();
    } else {
        asked.range = request.range;
    }
    return std::unique_ptr<const JudgedTrace>(
        new JudgedTrace(std::move(shared), std::move(name), std::move(analysis), asked, work));
}

JudgedTrace::JudgedTrace(std::shared_ptr<const Trace> read, std::string fileName, Analysis made,
                         const JudgeRequest& request, const WorkMeter& work)
    : m_trace(std::move(read)),
      trace(*m_trace),
      name(std::move(fileName)),
      analysis(std::move(made)),
      steps(timedSteps(trace, analysis, work)),
      judgement(judge({trace, analysis, steps.steps}, request, work))
{
}

}  // namespace overlane
