// htmlReport(): a trace as one page: the verdict, a picture of the timeline, where the time goes, findings, steps,
// tables, and what the trace cannot tell.
//
// Pure function, any thread. The page is one file without scripts or references: it works offline,
// prints on A4, follows the reader's light or dark setting. Its size follows what it shows and not the
// number of events. Every text of the trace is escaped. Times are those of the trace.
#pragma once

#include <cstddef>
#include <string>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/compare/comparison.h"
#include "core/judgement/judgement.h"
#include "core/trace/trace.h"

namespace overlane
{

struct ReportBaseline {
    std::string name;
    const Comparison* comparison = nullptr;  // the baseline is its A, the report's trace its B
    const FindingList* findings = nullptr;   // of the baseline
};

struct ReportInput {
    const Trace* trace = nullptr;
    const Analysis* analysis = nullptr;
    const StepSequence* steps = nullptr;
    const Judgement* judgement = nullptr;
    std::string name;     // of the file
    std::string version;  // of the program that writes the report
    std::size_t topKernels = 15;
    ReportBaseline baseline;  // comparison nullptr: none
};

std::string htmlReport(const ReportInput& input);

// The stretch that stands for the rest: the three steps in a row whose times are nearest to the median.
// The whole range where there are no more steps than that.
Interval typicalRange(const StepSequence& steps, Interval range);

}  // namespace overlane
