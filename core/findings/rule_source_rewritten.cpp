#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askSourceRewritten(const RuleContext& context)
{
    const std::int64_t times = context.evidenceCount(RuleId::SourceRewritten);
    if (times == 0 && !context.trace.origin().watchesBuffers)
        return cannotTell("A recording shows copies and calls, not when the program writes into a buffer.");
    if (times == 0)
        return {};
    RuleAnswer answer;
    answer.holds = true;
    answer.severity = FindingSeverity::Hazard;
    answer.sentence = fmt::format(
        "{} the host wrote into pinned memory that a copy was still reading: the GPU may have got parts of the next "
        "batch.",
        times == 1 ? std::string("Once") : fmt::format("{} times", formatCount(times)));
    return answer;
}

}  // namespace

extern const Rule kSourceRewrittenRule{
    .rule = RuleId::SourceRewritten,
    .id = "source-rewritten",
    .title = "Source rewritten before its copy ended",
    .sentence = "A buffer was written again before the copy that reads it had ended: the GPU may have got mixed bytes.",
    .lesson = "pool_and_rounding",
    .helpPage = "findings-hazards",
    .changePyTorch =
        "Write into the batch only after its copy: wait for an event recorded behind the copy "
        "(event.synchronize()), or hand out a fresh pinned batch each time, as DataLoader(pin_memory=True) "
        "does.",
    .changeCuda =
        "cudaEventRecord behind cudaMemcpyAsync, and cudaEventSynchronize before the host writes into the "
        "buffer again; a ring of as many pinned buffers as copies may be in flight.",
    .ask = &askSourceRewritten,
    .needsKernels = false,
};

}  // namespace overlane
