// checkAgainst(): a trace held to an earlier one of the same program, as answers of `overlane check`.
//
// Pure, any thread; nanoseconds. Two limits: "slower" fires where compare claims slower steps (core/compare/speed.h: a
// difference unlikely by chance and large against the spread), so that noise does not fail a build; "new-problem" fires
// on a hazard that the baseline has not, and on a problem it has not from kNewProblemShare of the step on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/compare/finding_changes.h"
#include "core/report/trace_check.h"

namespace overlane
{

constexpr double kNewProblemShare = 0.05;

struct Baseline {
    std::string name;      // of its file, for the sentences
    double tolerance = 0;  // slower by at most this share passes
};

// `findings` is the list of the trace under test, which the answers point into.
std::vector<CheckResult> checkAgainst(const Baseline& baseline, const Comparison& comparison,
                                      std::span<const FindingChange> changes, const FindingList& findings);

}  // namespace overlane
