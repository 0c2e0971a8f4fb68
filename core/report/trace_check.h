// RuleLimit and CheckResult: limits of `overlane check`, and what a trace makes of each: passed, fired or not checked.
//
// Pure functions, any thread; nanoseconds. A limit names a finding's rule, a severity ("hazard",
// "problem", "any": that and worse) or a figure ("step-time", "exposed-copy", "gpu-idle", "host-held").
// The cost of a finding is the larger of the device's idle and the host's held time that it causes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/summary.h"
#include "core/base/result.h"
#include "core/findings/finding.h"

namespace overlane
{

enum class LimitUnit : std::uint8_t {
    Any,      // "RULE": whatever it costs
    PerStep,  // "2ms"
    Total,    // "40ms/run"
    Share,    // "5%" of the time that is judged
};

struct RuleLimit {
    std::string text;  // as given: "pageable-async:2ms"
    std::string name;  // "pageable-async"
    LimitUnit unit = LimitUnit::Any;
    std::int64_t limitNs = 0;  // of PerStep and Total
    double share = 0;          // 0 to 1

    // "2.00 ms per step", "5.00 %".
    std::string limitText() const;
};

// "RULE", "RULE:2ms", "RULE:500us", "RULE:1.5s/run", "RULE:5%". Says what is wrong with a cost; whether
// the name is one of limitNames() is the caller's to ask.
Result<RuleLimit> parseRuleLimit(std::string_view text);
// One limit a line; empty lines and what follows a '#' are left out.
Result<std::vector<RuleLimit>> parseRuleLimits(std::string_view lines);
// All names that a limit may have: rules first, then severities, then figures.
std::vector<std::string_view> limitNames();
// A sentence about each name that is no rule.
std::span<const std::pair<std::string_view, std::string_view>> limitGroups();

enum class CheckOutcome : std::uint8_t { Passed, Fired, NotChecked };
// "passed", "fired", "not_checked"; stable, used in JSON.
std::string_view outcomeName(CheckOutcome outcome);

struct CheckResult {
    RuleLimit limit;
    CheckOutcome outcome = CheckOutcome::Passed;
    const Finding* finding = nullptr;  // in the list given; nullptr for figures and where nothing was found
    std::int64_t costNs = 0;           // in the unit of the limit
    double share = 0;
    std::string sentence;
};

struct CheckedRange {
    const FindingList* findings = nullptr;
    Summary summary;
    std::int64_t stepNs = 0;  // the one step time of the range; 0 without steps
    bool hasGpuWork = true;   // anywhere in the trace: without it most limits say nothing
};

// One answer per limit; a severity that several findings reach has one for each of them.
std::vector<CheckResult> checkTrace(const CheckedRange& range, std::span<const RuleLimit> limits);

// One file with its answers, or why it could not be read.
struct FileCheck {
    std::string file;
    std::string error;
    bool damaged = false;    // read in part; `error` says up to where
    bool cancelled = false;  // by the person who asked for it
    // Why nothing could be judged, where that is to fail: the trace has no GPU work, or next to none.
    std::string withoutGpuWork;
    FindingList findings;
    std::int64_t stepNs = 0;  // as CheckedRange has it
    std::vector<CheckResult> results;

    bool unreadable() const { return !error.empty() && !damaged; }
    std::size_t count(CheckOutcome outcome) const;
};

}  // namespace overlane
