#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askResultReadEarly(const RuleContext& context)
{
    const std::int64_t times = context.evidenceCount(RuleId::ResultReadEarly);
    if (times == 0 && !context.trace.origin().watchesReads)
        return cannotTell("A recording shows copies and calls, not when the program reads a buffer.");
    if (times == 0)
        return {};
    RuleAnswer answer;
    answer.holds = true;
    answer.severity = FindingSeverity::Hazard;
    answer.sentence =
        fmt::format("{} the host read a result before its copy from the GPU had ended: it may have read old bytes.",
                    times == 1 ? std::string("Once") : fmt::format("{} times", formatCount(times)));
    return answer;
}

}  // namespace

extern const Rule kResultReadEarlyRule{
    .rule = RuleId::ResultReadEarly,
    .id = "result-read-early",
    .title = "Result read before its copy ended",
    .sentence = "The host read a result before its copy had ended, and may have seen old bytes.",
    .lesson = "reading_too_early",
    .helpPage = "findings-hazards",
    .changePyTorch =
        "Wait before reading: record an event behind .to(\"cpu\", non_blocking=True) and call "
        "event.synchronize(), best some steps later; a plain .cpu() waits by itself.",
    .changeCuda =
        "cudaEventRecord behind the device-to-host cudaMemcpyAsync, and cudaEventSynchronize (or "
        "cudaStreamSynchronize) before the host reads the buffer.",
    .ask = &askResultReadEarly,
    .needsKernels = false,
};

}  // namespace overlane
