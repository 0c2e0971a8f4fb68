// What `overlane compare` works out of two judged traces.
//
// Pure functions, any thread. Nanoseconds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/work_meter.h"
#include "core/cli/compare_text.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

struct CompareAnswer {
    Comparison comparison;
    std::vector<FindingChange> findings;
    ComparedNames names;
};

// "step", "step:K", "first-kernel"; empty: by step where both have steps.
Result<AlignmentWish> parsedAlignment(std::string_view text);
// The names are those of the files.
Result<CompareAnswer> compareAnswer(const JudgedTrace& a, const JudgedTrace& b, const std::string& nameA,
                                    const std::string& nameB, const AlignmentWish& wish, const WorkMeter& work = {});

}  // namespace overlane
