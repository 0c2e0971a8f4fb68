// Rule: one kind of finding. What it is called, what to change, and the question it asks of a range.
//
// Plain data with a pure function; the list is allRules(), one rule per file rule_*.cpp. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/findings/finding.h"

namespace overlane
{

struct RuleContext;

// What a rule says of a range: it holds, it does not, or the trace cannot tell.
struct RuleAnswer {
    bool holds = false;
    FindingSeverity severity = FindingSeverity::Problem;
    std::string sentence;
    std::string notChecked;     // why it could not be asked; empty where it could
    std::string changePyTorch;  // instead of the rule's own, where the range tells more
    std::string change;         // likewise, whatever framework ran
};

struct Rule {
    RuleId rule = RuleId::None;
    std::string_view id;
    std::string_view title;
    std::string_view changePyTorch;
    std::string_view changeCuda;
    RuleAnswer (*ask)(const RuleContext&) = nullptr;
    // Whether it cannot be asked where kernels were not recorded.
    bool needsKernels = true;
};

// In the order of RuleId.
std::span<const Rule> allRules();
// By its stable name; nullptr for an unknown one.
const Rule* findRule(std::string_view id);

}  // namespace overlane
