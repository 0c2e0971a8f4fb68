// Finding: one thing that a range of a trace does and need not do, or a hazard, with what it costs,
// the events that show it and the change to make.
//
// A value that owns its texts; nanoseconds. Costs come from the attribution of idle time: every idle
// moment of a device and every held moment of the host belongs to at most one finding
// (core/findings/claims.h), so costs may be added.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/code_share.h"
#include "core/analysis/copy_role.h"
#include "core/base/interval.h"
#include "core/base/strong_id.h"
#include "core/findings/rule_list.h"

namespace overlane
{

// The rules of core/findings/rule_list.h, each in a file of its own. Their stable names are Rule::id.
enum class RuleId : std::uint8_t {
#define OVERLANE_RULE_ID(name) name,
    OVERLANE_RULES(OVERLANE_RULE_ID) None,  // what no rule owns
#undef OVERLANE_RULE_ID
};
constexpr int kRuleCount = static_cast<int>(RuleId::None);

enum class FindingSeverity : std::uint8_t {
    Hazard,   // results may be wrong
    Problem,  // costs time that the change would win back
    Hint,     // true, but costs little here
    Good,     // as it should be
};
// "hazard", "problem", "hint", "good"; stable, used in JSON.
std::string_view severityName(FindingSeverity severity);

struct FindingCost {
    // In the whole range, all devices together.
    std::int64_t gpuIdleNs = 0;      // a device without kernels because of this
    std::int64_t hostBlockedNs = 0;  // at least one thread held by this
    // Of each whole step in the range, on the average device; 0 where the range holds no whole step.
    std::int64_t gpuIdlePerStepNs = 0;
    std::int64_t hostBlockedPerStepNs = 0;
    // GPU idle as a part of the range, on the average device with GPU work: 0 to 1.
    double shareOfWall = 0;
};

// As many events as a finding lists to click through; evidenceCount says how many there are.
constexpr std::size_t kMostEvidence = 64;

struct Finding {
    RuleId rule = RuleId::None;
    std::string_view id;  // "pageable-async": the rule's stable name, also the anchor in the help
    FindingSeverity severity = FindingSeverity::Hint;
    std::string_view title;
    std::string sentence;  // with its numbers
    FindingCost cost;
    std::int32_t device = -1;          // the one that it costs most; -1 where it costs none
    std::vector<EventIndex> evidence;  // longest first
    std::int64_t evidenceCount = 0;
    // What to change, in the words of the framework that ran (core/analysis/advice.h); empty where nothing is.
    std::string change;
    std::string_view framework;  // "JAX"; empty where it is not known
    std::string changePyTorch;
    std::string changeCuda;
    CopyRole carries = CopyRole::Unknown;  // most of the copies that it is about
    // In which code the late threads are then, as far as stacks tell, most first: those that launch, or workers.
    std::vector<CodeShare> places;
    std::string_view helpPage;  // resources/help/<helpPage>.md, section `id`
};

// A rule that could not be asked, and the record that the trace lacks.
struct NotChecked {
    RuleId rule = RuleId::None;
    std::string_view id;
    std::string_view title;
    std::string reason;
};

struct FindingList {
    Interval range;
    std::int64_t steps = 0;         // whole steps in the range
    std::vector<Finding> findings;  // hazards, problems, what is good, hints; each by cost
    std::vector<NotChecked> notChecked;
    std::int64_t devices = 0;      // with GPU work in the trace
    std::int64_t idleNs = 0;       // time without kernels, all devices together; 0 where they were not recorded
    std::int64_t explainedNs = 0;  // of it: in the cost of the findings

    const Finding* find(RuleId rule) const;  // nullptr where it is not found
};

}  // namespace overlane
