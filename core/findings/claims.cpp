#include "core/findings/claims.h"

#include <span>

#include "core/findings/cause_family.h"

namespace overlane
{
namespace
{

bool has(const CopyRecord& copy, CopyCause cause)
{
    return (copy.causes & causeBit(cause)) != 0;
}

// Of rules that share a cause, none by itself.
RuleId onlyRuleOf(LostCause cause)
{
    const std::span<const RuleId> rules = rulesOf(cause);
    return rules.size() == 1 ? rules.front() : RuleId::None;
}

// The copy came late because everything before it was late.
RuleId ownerOfDelay(LostCause delay)
{
    return delay == LostCause::Pinning ? RuleId::PinInTrainingThread : onlyRuleOf(delay);
}

RuleId ownerOfReadBack(const CopyRecord& copy, const CopyContext& context)
{
    const bool held = has(copy, CopyCause::SynchronousCall) || copy.hostMemory == MemoryKind::Pageable;
    if (held && copy.bytes > 0 && copy.bytes <= kInlineCopyBytes)
        return RuleId::SyncPerStep;
    if (!held && context.besideOtherDirection)
        return RuleId::OneDirection;
    return RuleId::ReadBack;
}

}  // namespace

RuleId ownerOfCopy(const CopyRecord& copy, const CopyContext& context)
{
    if (has(copy, CopyCause::UnifiedMemory))
        return RuleId::UnifiedMemory;
    if (!context.toDevice)
        return ownerOfReadBack(copy, context);
    if (has(copy, CopyCause::OutsideKernels))
        return RuleId::None;
    if (copy.bytes > 0 && copy.bytes <= kInlineCopyBytes)
        return RuleId::SmallCopies;
    if (has(copy, CopyCause::SynchronousCall))
        return RuleId::SyncCopies;
    // The driver may have staged such a copy to its end before the wait begins; it was asked for all the same.
    if (copy.hostMemory == MemoryKind::Pageable && context.waitFollows)
        return RuleId::SyncCopies;
    if (copy.hostMemory == MemoryKind::Pageable)
        return context.streamWithoutKernels ? RuleId::PageableSideStream : RuleId::PageableAsync;
    if (context.delay)
        return ownerOfDelay(*context.delay);
    // Hiding such copies would win little: whatever they wait for, the link is busy for longer.
    if (context.linkTooNarrow)
        return RuleId::LinkBound;
    if (has(copy, CopyCause::SameStream))
        return RuleId::SameStream;
    if (has(copy, CopyCause::EventDependency))
        return RuleId::StreamWait;
    if (has(copy, CopyCause::LegacyDefaultStream))
        return RuleId::DefaultStream;
    if (has(copy, CopyCause::EngineBusy))
        return RuleId::LinkBound;
    if (has(copy, CopyCause::HostSync) && !has(copy, CopyCause::Hidden))
        return RuleId::SyncPerStep;
    // Copies of one batch follow each other, and the first says why.
    if (context.behind != RuleId::None && context.behind != RuleId::SmallCopies)
        return context.behind;
    if (has(copy, CopyCause::NoCompute) && copy.hostMemory == MemoryKind::Pinned)
        return RuleId::LateCopies;
    return RuleId::None;
}

RuleId ownerOfIdle(LostCause cause, const PieceContext& context)
{
    switch (cause) {
        case LostCause::Copies:
        case LostCause::Staging:
        case LostCause::ReadBack:
            return context.copy;
        case LostCause::OtherWork:
            return context.copy == RuleId::None ? RuleId::DeviceCopies : context.copy;
        case LostCause::Pinning:
            return context.pinsMemory ? RuleId::PinnedAllocation : RuleId::PinInTrainingThread;
        default:
            return onlyRuleOf(cause);
    }
}

}  // namespace overlane
