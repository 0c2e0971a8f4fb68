// What `overlane check` works out of judged traces: limits from words, and what each file makes of them.
//
// Pure functions but for reading a file of rules; any thread. Nanoseconds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/work_meter.h"
#include "core/judgement/judged_trace.h"
#include "core/report/trace_check.h"

namespace overlane
{

struct CheckQuestion {
    std::vector<std::string> failOn;  // "RULE[:COST]"
    std::string rules;                // a file of such, one a line
    std::string iteration;
    std::string steps;
    std::string against;      // a file of the same program, earlier; empty: none
    double tolerance = 0;     // slower than it by at most this share passes
    bool strict = false;      // what the trace cannot tell fails, too
    bool allowNoGpu = false;  // a trace without GPU work passes
};

// An Error for names that are no rule's. Without any, what may be wrong and what costs a tenth of the time; beside an
// earlier trace none.
Result<std::vector<RuleLimit>> limitsOf(const CheckQuestion& question);
FileCheck checkJudged(const JudgedTrace& judged, const std::string& file, const CheckQuestion& question,
                      std::span<const RuleLimit> limits);
// What the trace makes of an earlier one, as further answers.
Result<void> addBaseline(FileCheck& checked, const JudgedTrace& judged, const JudgedTrace& baseline,
                         const CheckQuestion& question, const WorkMeter& work = {});
int checkExitCode(std::span<const FileCheck> files, bool strict);

}  // namespace overlane
