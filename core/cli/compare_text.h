// What `overlane compare` prints: tables for people, JSON for programs.
//
// Pure functions, any thread. JSON keys are stable: append, never rename; times are integers in
// nanoseconds, shares and probabilities numbers.
#pragma once

#include <cstddef>
#include <string>

#include "core/cli/device_figures.h"
#include "core/compare/comparison.h"
#include "core/compare/finding_changes.h"

namespace overlane
{

struct ComparedNames {
    std::string a;
    std::string b;
    // The one step time of each trace (core/judgement/judgement.h); 0 without steps.
    std::int64_t averageStepANs = 0;
    std::int64_t averageStepBNs = 0;
};

// `top` rows of each table of kernels and copies.
std::string compareText(const Comparison& comparison, const std::vector<FindingChange>& findings,
                        const ComparedNames& names, std::size_t top);
OrderedJson compareJson(const Comparison& comparison, const std::vector<FindingChange>& findings,
                        const ComparedNames& names, std::size_t top);

}  // namespace overlane
