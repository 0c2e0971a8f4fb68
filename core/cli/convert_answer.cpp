#include "core/cli/convert_answer.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/analysis/steps.h"
#include "core/cli/info_text.h"
#include "core/trace/trace_slice.h"

namespace overlane
{
namespace
{

constexpr const char* kPart = "part";  // property of a trace that was cut

}  // namespace

Result<Trace> cutToSteps(const Trace& trace, const StepNumbers& numbers, const std::string& file)
{
    const std::vector<Step> steps = findSteps(trace);
    if (numbers.last >= steps.size())
        return Error{steps.empty() ? fmt::format("{} has no steps to cut at; overlane info says what it has.", file)
                                   : fmt::format("{} has {} steps, numbered from 0; the last is {}.", file,
                                                 steps.size(), steps.size() - 1)};
    Interval range = steps[numbers.first].interval;
    for (std::size_t step = numbers.first; step <= numbers.last; ++step)
        range.endNs = std::max(range.endNs, steps[step].interval.endNs);
    TraceMetadata metadata = trace.metadata();
    metadata.sourceEvents = 0;  // of the whole
    metadata.properties[kPart] = fmt::format("steps {} to {} of {}", numbers.first, numbers.last, steps.size());
    return sliceTrace(trace, range, std::move(metadata));
}

OrderedJson convertJson(const std::string& in, const std::string& out, const Trace& trace)
{
    OrderedJson json{{"in", in}, {"out", out}};
    json["format"] = trace.metadata().format;
    json["events"] = trace.eventCount();
    json["source_events"] = trace.metadata().sourceEvents;
    json["skipped"] = skippedJson(trace);
    return json;
}

}  // namespace overlane
