// The rules, in the order in which lists show those of the same weight: a name for each, of which RuleId, the
// declarations of the rules and allRules() are made. RULE(LateCopies) is RuleId::LateCopies, and kLateCopiesRule
// in rule_late_copies.cpp.
#pragma once

#define OVERLANE_RULES(RULE)   \
    RULE(SourceRewritten)      \
    RULE(ResultReadEarly)      \
    RULE(PageableAsync)        \
    RULE(SyncCopies)           \
    RULE(PageableSideStream)   \
    RULE(SameStream)           \
    RULE(DefaultStream)        \
    RULE(StreamWait)           \
    RULE(SmallCopies)          \
    RULE(PinInTrainingThread)  \
    RULE(PinnedAllocation)     \
    RULE(SyncPerStep)          \
    RULE(LoaderStarved)        \
    RULE(PrefetchTooDeep)      \
    RULE(ReadBack)             \
    RULE(OneDirection)         \
    RULE(SlowLink)             \
    RULE(LinkBound)            \
    RULE(UnifiedMemory)        \
    RULE(ExposedCommunication) \
    RULE(LateCopies)           \
    RULE(DeviceCopies)         \
    RULE(GraphGaps)            \
    RULE(DependencyStall)      \
    RULE(LaunchBound)          \
    RULE(HostLate)             \
    RULE(NothingToWin)
