#include "core/analysis/copy_cause.h"

#include <array>
#include <bit>

#include "core/base/enum_rows.h"

namespace overlane
{
namespace
{

constexpr std::array<CopyCauseRow, kCopyCauseCount> kCopies{{
    {CopyCause::Hidden, "hidden", "hidden", "hidden", "At least half of the copy ran while kernels ran.",
     "three_stages"},
    {CopyCause::UnifiedMemory, "unified_memory", "unified-memory migration", "managed",
     "The data is in managed memory, which moves when it is touched, page by page.", "two_copies"},
    {CopyCause::OutsideKernels, "outside_kernels", "first or last batch", "first or last",
     "It ran before the first kernel or after the last one: nothing was there to hide it.", "three_stages"},
    {CopyCause::StagedInline, "staged_inline", "staged inline, too small", "small",
     "A pageable copy of 64 KiB or less goes with the command itself; its time is the call's, not the link's.",
     "small_tensors"},
    {CopyCause::PageableMemory, "pageable_memory", "pageable memory", "pageable",
     "The host's side is pageable memory: the driver stages the copy and the host waits for it.", "why_pinned"},
    {CopyCause::SynchronousCall, "synchronous_call", "synchronous call", "sync call",
     "The host waited in the call until the copy was done, so it could queue no kernel during it.", "why_pinned"},
    {CopyCause::SameStream, "same_stream", "same stream as the kernels", "same stream",
     "Its stream also carries the kernels, and one stream does its work in order.", "side_stream"},
    {CopyCause::EventDependency, "event_dependency", "event or stream dependency", "event",
     "Its stream was made to wait for an event or another stream, and the copy began when that wait was over.",
     "side_stream"},
    {CopyCause::LegacyDefaultStream, "legacy_default_stream", "legacy default stream", "default stream",
     "The copy and the kernels use the legacy default stream and another one, and these wait for each other.",
     "side_stream"},
    {CopyCause::EngineBusy, "engine_busy", "engine busy in the same direction", "engine busy",
     "Another copy in the same direction occupied the copy engine while kernels ran that could have hidden this one.",
     "both_directions"},
    {CopyCause::HostSync, "host_sync", "issued after a synchronization", "after a sync",
     "The host first waited for the GPU and issued the copy only then, when the kernels were done.", "run_ahead"},
    {CopyCause::UnknownMemory, "unknown_memory", "unknown memory kind", "memory unknown",
     "The trace does not show whether the host's memory was pinned, and no kernel ran during it.", "why_pinned"},
    {CopyCause::NoCompute, "no_compute", "no kernel during it", "no kernel",
     "Nothing in the copy itself prevented overlap, but no kernel was running at the time.", "three_stages"},
    {CopyCause::Unknown, "unknown", "unknown", "unknown",
     "The trace lacks the record that would say what the copy waited for.", "run_ahead"},
}};
static_assert(standInOrder(kCopies, &CopyCauseRow::cause));

}  // namespace

CopyCauses causesOf(const CopyFacts& facts)
{
    CopyCauses causes = 0;
    const auto add = [&](CopyCause cause, bool holds) { causes |= holds ? causeBit(cause) : CopyCauses{0}; };
    add(CopyCause::Hidden, facts.hiddenNs > 0 && facts.hiddenNs >= facts.durationNs - facts.hiddenNs);
    if (causes != 0 && facts.hiddenNs >= facts.durationNs)
        return causes;  // nothing is left to explain
    const bool pageable = facts.hostMemory == MemoryKind::Pageable;
    const bool inlined = pageable && facts.toDevice && facts.bytes > 0 && facts.bytes <= kInlineCopyBytes;
    add(CopyCause::UnifiedMemory, facts.hostMemory == MemoryKind::Managed);
    add(CopyCause::OutsideKernels, facts.outsideKernels && facts.kernelsRecorded);
    add(CopyCause::StagedInline, inlined);
    add(CopyCause::PageableMemory, pageable);
    add(CopyCause::SynchronousCall, facts.async == AsyncFlag::Sync || facts.hostWaitedAfter);
    add(CopyCause::SameStream, facts.streamHasKernels);
    add(CopyCause::EventDependency, facts.streamWaited);
    add(CopyCause::LegacyDefaultStream, facts.defaultStreamBetween);
    add(CopyCause::EngineBusy, facts.behindSameEngine);
    add(CopyCause::HostSync, facts.hostWaitedBefore);
    const bool explained = causes != 0;
    add(CopyCause::UnknownMemory, facts.hostMemory == MemoryKind::Unknown);
    const bool hidden = (causes & causeBit(CopyCause::Hidden)) != 0;
    add(CopyCause::NoCompute, facts.kernelsRecorded && !facts.kernelsWhilePending && !hidden);
    add(CopyCause::Unknown, !explained && (facts.kernelsWhilePending || !facts.kernelsRecorded));
    return causes;
}

CopyCause firstCause(CopyCauses causes)
{
    return causes == 0 ? CopyCause::Unknown : static_cast<CopyCause>(std::countr_zero(causes));
}

std::vector<CopyCause> rankedCauses(CopyCauses causes)
{
    std::vector<CopyCause> ranked;
    for (; causes != 0; causes &= static_cast<CopyCauses>(causes - 1))
        ranked.push_back(firstCause(causes));
    return ranked;
}

std::string_view causeName(CopyCause cause)
{
    return rowOf(cause).name;
}

std::string_view causeSentence(CopyCause cause)
{
    return rowOf(cause).sentence;
}

std::span<const CopyCauseRow> copyCauses()
{
    return kCopies;
}

const CopyCauseRow& rowOf(CopyCause cause)
{
    return kCopies[static_cast<std::size_t>(cause)];
}

}  // namespace overlane
