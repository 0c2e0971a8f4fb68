// One line per rule; each is defined in its own file rule_*.cpp and stands in the list of rules.cpp.
#pragma once

#include "core/findings/rule.h"

namespace overlane
{

extern const Rule kSourceRewrittenRule;
extern const Rule kResultReadEarlyRule;
extern const Rule kPageableAsyncRule;
extern const Rule kSyncCopiesRule;
extern const Rule kPageableSideStreamRule;
extern const Rule kSameStreamRule;
extern const Rule kDefaultStreamRule;
extern const Rule kStreamWaitRule;
extern const Rule kSmallCopiesRule;
extern const Rule kPinInTrainingThreadRule;
extern const Rule kPinnedAllocationRule;
extern const Rule kSyncPerStepRule;
extern const Rule kLoaderStarvedRule;
extern const Rule kPrefetchTooDeepRule;
extern const Rule kReadBackRule;
extern const Rule kOneDirectionRule;
extern const Rule kSlowLinkRule;
extern const Rule kLinkBoundRule;
extern const Rule kUnifiedMemoryRule;
extern const Rule kExposedCommunicationRule;
extern const Rule kLateCopiesRule;
extern const Rule kDeviceCopiesRule;
extern const Rule kGraphGapsRule;
extern const Rule kDependencyStallRule;
extern const Rule kLaunchBoundRule;
extern const Rule kHostLateRule;
extern const Rule kNothingToWinRule;

}  // namespace overlane
