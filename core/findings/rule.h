// Rule: one kind of finding, as a row. What it is called and said of it, what to change and to try, which causes it
// speaks of, and the question it asks of a range. What costs time for several rules is shared out in claims.cpp.
//
// Plain data with pure functions; the list is allRules(), one rule per file rule_*.cpp. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/advice.h"
#include "core/analysis/copy_cause.h"
#include "core/analysis/lost_time.h"
#include "core/base/enum_set.h"
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
    std::string_view title;     // likewise
    std::vector<CodeShare> places;
};

static_assert(kLostCauseCount <= 32 && kCopyCauseCount <= 32);

struct Rule {
    RuleId rule = RuleId::None;
    std::string_view id;
    std::string_view title;
    std::string_view sentence;       // what it is, of any trace
    std::string_view lesson;         // key of the lesson that shows it (resources/lessons)
    std::string_view helpPage;       // resources/help/<helpPage>.md, section `id`
    std::string_view changePyTorch;  // empty: nothing to change
    std::string_view changeCuda;
    std::optional<Remedy> remedy;  // words it for other frameworks, and for what the copies carry
    std::string_view whatIf;       // the changes that a what-if makes of it: "pin+read_later"; empty: none
    // Beside which of them it may stand first; see cause_family.h. A loss that one rule alone lists gives it that idle
    // time, too, unless ownerOfIdle() (claims.h) has a case for it; whose a copy is, ownerOfCopy() alone decides.
    EnumSet<LostCause> causes;
    EnumSet<CopyCause> copyCauses;
    RuleAnswer (*ask)(const RuleContext&) = nullptr;
    // The title where the copies carry something else than `title` speaks of; empty: they do not.
    std::string_view (*titleFor)(CopyRole, const ProgramTraits&) = nullptr;
    bool needsKernels = true;        // cannot be asked where kernels were not recorded
    bool ofCopiesBack = false;       // its copies are those to the host
    bool inLaunchingThread = false;  // its time passes in that thread's code, whose place then says where
};

// In the order of RuleId.
std::span<const Rule> allRules();
// `rule` is not None.
const Rule& rowOf(RuleId rule);
// By its stable name; nullptr for an unknown one.
const Rule* findRule(std::string_view id);

}  // namespace overlane
