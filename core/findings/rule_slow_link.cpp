#include <fmt/format.h>

#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/findings/copy_owners.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

// Below this part of the link's rate it is worth a line even where it costs nothing.
constexpr double kFarBelow = 0.6;

struct Slow {
    std::int64_t copies = 0;
    std::int64_t large = 0;
    std::int64_t bytes = 0;
    std::int64_t durationNs = 0;  // that they fill together
    double link = 0;
};

void addSlow(const RuleContext& context, const std::vector<CopyRecord>& copies,
             const std::vector<std::int64_t>& excessesNs, double link, Slow& slow)
{
    IntervalSet filled;
    const auto [first, last] = context.analysis.startingIn(copies, context.range);
    for (std::size_t at = first; at < last; ++at) {
        const CopyRecord& copy = copies[at];
        slow.large += copy.hostMemory == MemoryKind::Pinned && copy.bytes >= kFullRateBytes;
        if (excessesNs[at] == 0)
            continue;
        ++slow.copies;
        slow.bytes = saturatedSum(slow.bytes, copy.bytes);
        filled.add(copy.interval());
        slow.link = link;
    }
    slow.durationNs = saturatedSum(slow.durationNs, filled.measureNs());
}

RuleAnswer askSlowLink(const RuleContext& context)
{
    Slow slow;
    bool linkKnown = false;
    for (std::size_t place = 0; place < context.analysis.devices().size(); ++place) {
        const double link = context.facts.linkBytesPerSecond(place);
        linkKnown = linkKnown || link > 0;
        const DeviceActivity& device = context.analysis.devices()[place];
        addSlow(context, device.h2dCopies, context.facts.h2dExcessesNs(place), link, slow);
        addSlow(context, device.d2hCopies, context.facts.d2hExcessesNs(place), link, slow);
    }
    if (!linkKnown)
        return cannotTell("The trace records neither the rate of the host link nor a GPU whose rate is known.");
    if (slow.copies * 2 < slow.large || slow.copies == 0)
        return {};
    const double needed = static_cast<double>(slow.bytes) / slow.link * static_cast<double>(kNsPerS);
    const bool farBelow = needed < kFarBelow * static_cast<double>(slow.durationNs);
    if (!farBelow && !context.isWorthNaming(RuleId::SlowLink))
        return {};
    return context.rated(
        RuleId::SlowLink,
        fmt::format("{} of {} large pinned copies run at {} on average, where the link allows about {}: memory on "
                    "another NUMA node, a link with fewer lanes, or other traffic on it; {}.",
                    formatCount(slow.copies), formatCount(slow.large), formatRate(slow.bytes, slow.durationNs),
                    formatRate(static_cast<std::int64_t>(slow.link), kNsPerS), context.costText(RuleId::SlowLink)));
}

}  // namespace

extern const Rule kSlowLinkRule{
    .rule = RuleId::SlowLink,
    .id = "slow-link",
    .title = "Copies far below the link's rate",
    .sentence =
        "Pinned copies run far below what the link allows: memory of another NUMA node, fewer lanes, other traffic.",
    .lesson = "numa",
    .helpPage = "findings-link",
    .changePyTorch =
        "Run the process and its workers on the NUMA node of the GPU (numactl --cpunodebind=N --membind=N), "
        "so that pinned memory is first touched there; check the width of the link with nvidia-smi -q -d "
        "PCIE.",
    .changeCuda =
        "Bind threads and memory to the GPU's NUMA node before cudaHostAlloc; look at the current link width "
        "and generation (nvidia-smi -q -d PCIE), and at other traffic on the same switch.",
    .whatIf = "link",
    .causes = {LostCause::Copies, LostCause::Staging, LostCause::ReadBack},
    .copyCauses = {CopyCause::SameStream, CopyCause::EventDependency, CopyCause::LegacyDefaultStream,
                   CopyCause::EngineBusy, CopyCause::NoCompute},
    .ask = &askSlowLink,
    .needsKernels = false,
};

}  // namespace overlane
