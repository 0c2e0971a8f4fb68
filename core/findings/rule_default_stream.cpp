#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askDefaultStream(const RuleContext& context)
{
    const CopyCount& count = context.toDevice(RuleId::DefaultStream);
    if (count.copies > 0 && context.isWorthNaming(RuleId::DefaultStream))
        return context.rated(
            RuleId::DefaultStream,
            fmt::format("{} to the device ({}) began only when the kernels of another stream had ended, and one of the "
                        "two is the legacy default stream; {}.",
                        copiesText(count), formatBytes(count.bytes), context.costText(RuleId::DefaultStream)));
    if (context.analysis.program().isPyTorch())
        return {};  // its streams wait for no other
    for (const DeviceActivity& device : context.analysis.devices())
        if (!device.defaultStreams.empty() || context.trace.origin().watchesReads)
            return {};  // the laboratory uses streams of its own
    return cannotTell("The trace does not record which stream is the legacy default stream.");
}

}  // namespace

extern const Rule kDefaultStreamRule{
    .rule = RuleId::DefaultStream,
    .id = "default-stream",
    .title = "The legacy default stream serializes",
    .sentence = "Work in the legacy default stream waits for all other streams, and they for it.",
    .lesson = "side_stream",
    .helpPage = "findings-streams",
    .changePyTorch =
        "Run copies and kernels on streams of their own: torch.cuda.Stream() does not wait for the default "
        "stream, streams of other libraries may.",
    .changeCuda =
        "Compile with --default-stream per-thread, or make the streams with cudaStreamCreateWithFlags(..., "
        "cudaStreamNonBlocking): others wait for the legacy default stream, and it for them.",
    .whatIf = "side_stream",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::LegacyDefaultStream},
    .ask = &askDefaultStream,
};

}  // namespace overlane
