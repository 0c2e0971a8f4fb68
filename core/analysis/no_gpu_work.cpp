#include "core/analysis/no_gpu_work.h"

#include <fmt/format.h>
#include <string_view>

#include "core/base/units.h"
#include "core/trace/name_classes.h"
#include "core/trace/profiler_messages.h"

namespace overlane
{
namespace
{

enum class CallClass : std::uint8_t { NotAsked, Launch, Copy, Other };

CallClass callClass(std::string_view name)
{
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (has("LaunchKernel") || has("LaunchCooperativeKernel") || has("GraphLaunch"))
        return CallClass::Launch;
    return has("Memcpy") ? CallClass::Copy : CallClass::Other;
}

struct Calls {
    std::int64_t launches = 0;
    std::int64_t copies = 0;
};

Calls callsOf(const Trace& trace)
{
    Calls calls;
    NameClasses<CallClass> classes(trace, callClass);
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        const EventIndex event(at);
        if (trace.kind(event) != EventKind::RuntimeCall)
            continue;
        calls.launches += classes.of(event) == CallClass::Launch;
        calls.copies += classes.of(event) == CallClass::Copy;
    }
    return calls;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", formatCount(count), count == 1 ? one : many);
}

}  // namespace

Verdict withoutGpuWork(Verdict verdict, const Trace& trace)
{
    const Calls calls = callsOf(trace);
    verdict.sentence = "No verdict: this trace has no GPU work.";
    if (calls.launches + calls.copies > 0) {
        std::string asked;
        if (calls.launches > 0)
            asked = counted(calls.launches, "kernel launch", "kernel launches");
        if (calls.copies > 0)
            asked += (asked.empty() ? "" : " and ") + counted(calls.copies, "call that copies", "calls that copy");
        verdict.sentence += fmt::format(" The program made {}, so its GPU worked and was not recorded.", asked);
    }
    const auto says = trace.metadata().properties.find(kProfilerSays);
    if (says != trace.metadata().properties.end())
        verdict.sentence += fmt::format(" The profiler says: {}", says->second);
    verdict.advice = trace.origin().howToRecordGpu;
    return verdict;
}

}  // namespace overlane
