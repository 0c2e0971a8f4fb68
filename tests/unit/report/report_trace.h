// A trace judged as a report wants it.
#pragma once

#include <string>

#include "core/findings/findings.h"
#include "core/report/html_report.h"

namespace overlane::test
{

struct ReportTrace {
    explicit ReportTrace(Trace made)
        : trace(std::move(made)),
          analysis(trace),
          steps(detectSteps(trace)),
          verdict(verdictOfTrace(analysis, steps.steps)),
          findings(overlane::findings(trace, analysis, steps.steps, judgedRange(analysis, steps.steps).range))
    {
    }

    ReportInput input() const
    {
        ReportInput input;
        input.trace = &trace;
        input.analysis = &analysis;
        input.steps = &steps;
        input.verdict = &verdict;
        input.findings = &findings;
        input.name = "run.json";
        input.version = "1.2.3";
        return input;
    }

    Trace trace;
    Analysis analysis;
    StepSequence steps;
    Verdict verdict;
    FindingList findings;
};

}  // namespace overlane::test
