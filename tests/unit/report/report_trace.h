// A trace judged as a report wants it.
#pragma once

#include <string>

#include "core/judgement/judgement.h"
#include "core/report/html_report.h"

namespace overlane::test
{

struct ReportTrace {
    explicit ReportTrace(Trace made)
        : trace(std::move(made)),
          analysis(trace),
          steps(detectSteps(trace)),
          judgement(judge({trace, analysis, steps.steps}))
    {
    }

    ReportInput input() const
    {
        ReportInput input;
        input.trace = &trace;
        input.analysis = &analysis;
        input.steps = &steps;
        input.judgement = &judgement;
        input.name = "run.json";
        input.version = "1.2.3";
        return input;
    }

    Trace trace;
    Analysis analysis;
    StepSequence steps;
    Judgement judgement;
};

}  // namespace overlane::test
