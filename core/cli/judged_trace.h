// JudgedTrace: a trace file read and asked everything that the commands report: analysis, steps,
// verdict, findings.
//
// Owns all of it; made on the calling thread, immutable afterwards. Reading and judging draw progress
// and can be cancelled. Nanoseconds.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/analysis/steps.h"
#include "core/analysis/summary.h"
#include "core/analysis/verdict.h"
#include "core/cli/long_task.h"
#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

// Places of steps in order of start, from 0; both included.
struct StepNumbers {
    std::size_t first = 0;
    std::size_t last = 0;
};
// "12" or "10-40".
std::optional<StepNumbers> parsedStepNumbers(std::string_view text);

struct JudgedTrace {
    JudgedTrace(Trace read, const std::string& path);

    Trace trace;
    std::string name;  // of the file, without its folder
    Analysis analysis;
    StepSequence steps;
    Verdict verdict;       // of the judged range (core/analysis/verdict.h)
    FindingList findings;  // of the same range
};

Result<std::unique_ptr<const JudgedTrace>> judgeFile(const std::string& path, LongTask::Drawing drawing);

// The damage of a file that could be read in part only; empty for any other.
std::string damageOf(const Trace& trace);

}  // namespace overlane
