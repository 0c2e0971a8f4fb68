#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

RuleAnswer askPrefetchTooDeep(const RuleContext& context)
{
    if (!context.facts.hasMemoryGauges() && context.analysis.memory().swapUsed.timesNs.empty())
        return cannotTell("The trace has no gauge of swap or memory pressure.");
    const MemoryActivity& memory = context.analysis.memory();
    const std::int64_t swappingNs = memory.swapping.measureNs(context.range);
    const std::int64_t pressureNs = context.facts.memoryPressure().measureNs(context.range);
    const auto share = [&](std::int64_t ns) {
        return static_cast<double>(ns) / static_cast<double>(context.range.lengthNs());
    };
    if (share(swappingNs) < kWorthNaming && share(pressureNs) < kProblemShare)
        return {};
    const std::int64_t before = memory.swapUsed.at(context.range.startNs);
    const std::int64_t peak = memory.swapUsed.peak(context.range);
    std::string sentence = swappingNs > 0
                               ? fmt::format("The machine moves pages to or from swap for {} ({} of the time)",
                                             formatDuration(swappingNs), formatShare(share(swappingNs)))
                               : fmt::format("Tasks wait for memory (PSI) for {} ({} of the time)",
                                             formatDuration(pressureNs), formatShare(share(pressureNs)));
    if (peak > before)
        sentence += fmt::format(", and swap in use grows from {} to {}", formatBytes(before), formatBytes(peak));
    if (const std::int64_t pinned = memory.pinned.peak(context.range); pinned > 0)
        sentence += fmt::format("; up to {} are pinned", formatBytes(pinned));
    return context.rated(RuleId::PrefetchTooDeep,
                         fmt::format("{}; {}.", sentence, context.costText(RuleId::PrefetchTooDeep)));
}

}  // namespace

extern const Rule kPrefetchTooDeepRule{
    .rule = RuleId::PrefetchTooDeep,
    .id = "prefetch-too-deep",
    .title = "More batches in flight than the RAM holds",
    .sentence = "More batches are in flight than the RAM holds, and the machine swaps.",
    .lesson = "memory_pressure",
    .helpPage = "findings-loader",
    .changePyTorch =
        "Hold fewer batches in memory: lower prefetch_factor or num_workers, or the batch size; pinned "
        "batches cannot leave RAM.",
    .changeCuda =
        "Fewer or smaller staging buffers; memory from cudaHostAlloc is pinned and takes room from "
        "everything else.",
    .causes = {LostCause::Swap},
    .ask = &askPrefetchTooDeep,
    .needsKernels = false,
};

}  // namespace overlane
