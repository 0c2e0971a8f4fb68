#include <fmt/format.h>

#include "core/base/units.h"
#include "core/findings/rule.h"
#include "core/findings/rule_context.h"

namespace overlane
{
namespace
{

bool hasAsyncFlags(const RuleContext& context)
{
    for (const DeviceActivity& device : context.analysis.devices())
        for (const CopyRecord& copy : device.h2dCopies)
            if (copy.async != AsyncFlag::Unknown)
                return true;
    return false;
}

RuleAnswer askSyncCopies(const RuleContext& context)
{
    const CopyCount& count = context.toDevice(RuleId::SyncCopies);
    if (count.copies == 0)
        return count.all > 0 && !context.hasHostCalls() && !hasAsyncFlags(context)
                   ? cannotTell(
                         "The trace holds no host calls, so whether the host waited for its copies is not known.")
                   : RuleAnswer{};
    if (!context.isWorthNaming(RuleId::SyncCopies) && count.bytes * 10 < count.allBytes)
        return {};
    const std::int64_t pageable = count.pageable;
    std::string memory = count.pinned == count.copies ? "The memory is pinned"
                         : pageable == 0              ? "The trace does not name the kind of their memory"
                         : pageable == count.copies
                             ? "All are pageable, too"
                             : fmt::format("{} of them are pageable, too", formatCount(pageable));
    if (count.copies == 1 && pageable == 1)
        memory = "It is pageable, too";
    return context.rated(
        RuleId::SyncCopies,
        fmt::format("The host waits for {} to the device ({}, {}) and can queue no kernel during {}; {}. {}.",
                    copiesText(count), formatBytes(count.bytes), formatDuration(count.durationNs),
                    count.copies == 1 ? "it" : "them", context.costText(RuleId::SyncCopies), memory));
}

}  // namespace

extern const Rule kSyncCopiesRule{
    .rule = RuleId::SyncCopies,
    .id = "sync-copies",
    .title = "Copies that the host waits for",
    .sentence = "The host waits for each copy, so no kernel can be queued during it.",
    .lesson = "why_pinned",
    .helpPage = "findings-host",
    .changePyTorch = "Copy with .to(device, non_blocking=True); it needs pinned memory (DataLoader(pin_memory=True)).",
    .changeCuda =
        "Use cudaMemcpyAsync from pinned memory instead of cudaMemcpy, and no synchronization behind it; let "
        "the kernel's stream wait (cudaStreamWaitEvent).",
    .remedy = Remedy::NoWait,
    .whatIf = "non_blocking",
    .causes = {LostCause::Copies, LostCause::Staging},
    .copyCauses = {CopyCause::PageableMemory, CopyCause::SynchronousCall},
    .ask = &askSyncCopies,
    .needsKernels = false,
    .inLaunchingThread = true,
};

}  // namespace overlane
