#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askDeviceCopies(const RuleContext& context)
{
    const std::int64_t pieces = context.pieceCount(RuleId::DeviceCopies);
    if (pieces == 0 || !context.isWorthNaming(RuleId::DeviceCopies))
        return {};
    return context.rated(
        RuleId::DeviceCopies,
        fmt::format("{} {} copies within the GPU and memsets run while no kernel does; {}.", formatCount(pieces),
                    pieces == 1 ? "time" : "times", context.costText(RuleId::DeviceCopies)));
}

}  // namespace

extern const Rule kDeviceCopiesRule{
    .rule = RuleId::DeviceCopies,
    .id = "device-copies",
    .title = "Copies between device buffers run alone",
    .sentence = "Copies within the GPU, or memsets, run while no kernel does.",
    .lesson = "two_copies",
    .helpPage = "findings-transfers",
    .changePyTorch =
        "Reuse tensors that are cloned or zeroed in every step: out= arguments, views instead of .clone() and "
        ".contiguous(), optimizer.zero_grad(set_to_none=True).",
    .changeCuda =
        "Let kernels read and write in place, zero only what is read before it is written, and issue the rest on a "
        "stream other than the kernels'.",
    .causes = {LostCause::OtherWork},
    .ask = &askDeviceCopies,
};

}  // namespace overlane
