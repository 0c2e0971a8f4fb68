#include "core/analysis/copy_cause.h"

#include <array>
#include <bit>

namespace overlane
{
namespace
{

struct CauseText {
    std::string_view name;
    std::string_view sentence;
};

constexpr std::array<CauseText, kCopyCauseCount> kTexts{{
    {"hidden", "At least half of the copy ran while kernels ran."},
    {"unified-memory migration", "The data is in managed memory, which moves when it is touched, page by page."},
    {"first or last batch", "It ran before the first kernel or after the last one: nothing was there to hide it."},
    {"staged inline, too small",
     "A pageable copy of 64 KiB or less goes with the command itself; its time is the call's, not the link's."},
    {"pageable memory", "The host's side is pageable memory: the driver stages the copy and the host waits for it."},
    {"synchronous call", "The host waited in the call until the copy was done, so it could queue no kernel beside it."},
    {"same stream as the kernels", "Its stream also carries the kernels, and one stream does its work in order."},
    {"event or stream dependency",
     "Its stream was made to wait for an event or another stream, and the copy began when that wait was over."},
    {"legacy default stream",
     "The copy and the kernels use the legacy default stream and another one, and these wait for each other."},
    {"engine busy in the same direction",
     "Another copy in the same direction held the copy engine while kernels ran that could have hidden this one."},
    {"issued after a synchronisation",
     "The host first waited for the GPU and asked for the copy only then, when the kernels were done."},
    {"unknown memory kind",
     "The trace does not say whether the host's memory was pinned, and no kernel ran beside it."},
    {"no kernel beside it", "Nothing in the copy itself prevented overlap, but no kernel was running at the time."},
    {"not told by the trace", "The trace lacks the record that would say what the copy waited for."},
}};

const CauseText& textOf(CopyCause cause)
{
    return kTexts[static_cast<std::size_t>(cause)];
}

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

CopyCause causeOf(const CopyFacts& facts)
{
    return firstCause(causesOf(facts));
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
    return textOf(cause).name;
}

std::string_view causeSentence(CopyCause cause)
{
    return textOf(cause).sentence;
}

}  // namespace overlane
