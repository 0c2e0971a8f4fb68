#include "core/analysis/copy_cause.h"

#include <bit>

#include "core/analysis/cause_table.h"

namespace overlane
{
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

}  // namespace overlane
