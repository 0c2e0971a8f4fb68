#include "core/findings/rule.h"

#include <algorithm>
#include <array>

namespace overlane
{

// Each is defined in a file of its own, rule_*.cpp.
#define OVERLANE_RULE_DECLARED(name) extern const Rule k##name##Rule;
OVERLANE_RULES(OVERLANE_RULE_DECLARED)
#undef OVERLANE_RULE_DECLARED

std::span<const Rule> allRules()
{
#define OVERLANE_RULE_ROW(name) k##name##Rule,
    static const std::array<Rule, kRuleCount> rules{OVERLANE_RULES(OVERLANE_RULE_ROW)};
#undef OVERLANE_RULE_ROW
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
