#include <algorithm>
#include <array>

#include "core/findings/rule.h"

namespace overlane
{

// Each is defined in a file of its own, rule_*.cpp.
extern const Rule kSourceRewrittenRule, kResultReadEarlyRule, kPageableAsyncRule, kSyncCopiesRule,
    kPageableSideStreamRule, kSameStreamRule, kDefaultStreamRule, kStreamWaitRule, kSmallCopiesRule,
    kPinInTrainingThreadRule, kPinnedAllocationRule, kSyncPerStepRule, kLoaderStarvedRule, kPrefetchTooDeepRule,
    kReadBackRule, kOneDirectionRule, kSlowLinkRule, kLinkBoundRule, kUnifiedMemoryRule, kExposedCommunicationRule,
    kLateCopiesRule, kDeviceCopiesRule, kGraphGapsRule, kDependencyStallRule, kLaunchBoundRule, kHostLateRule,
    kNothingToWinRule;

std::span<const Rule> allRules()
{
    static const std::array<Rule, kRuleCount> rules{
        kSourceRewrittenRule,    kResultReadEarlyRule,
        kPageableAsyncRule,      kSyncCopiesRule,
        kPageableSideStreamRule, kSameStreamRule,
        kDefaultStreamRule,      kStreamWaitRule,
        kSmallCopiesRule,        kPinInTrainingThreadRule,
        kPinnedAllocationRule,   kSyncPerStepRule,
        kLoaderStarvedRule,      kPrefetchTooDeepRule,
        kReadBackRule,           kOneDirectionRule,
        kSlowLinkRule,           kLinkBoundRule,
        kUnifiedMemoryRule,      kExposedCommunicationRule,
        kLateCopiesRule,         kDeviceCopiesRule,
        kGraphGapsRule,          kDependencyStallRule,
        kLaunchBoundRule,        kHostLateRule,
        kNothingToWinRule,
    };
    return rules;
}

const Rule& rowOf(RuleId rule)
{
    return allRules()[static_cast<std::size_t>(rule)];
}

const Rule* findRule(std::string_view id)
{
    const std::span<const Rule> rules = allRules();
    const auto found = std::find_if(rules.begin(), rules.end(), [id](const Rule& rule) { return rule.id == id; });
    return found == rules.end() ? nullptr : &*found;
}

}  // namespace overlane
