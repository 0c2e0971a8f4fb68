// JudgedTrace: a trace read and asked everything that the commands report: analysis, steps, and the
// judgement of its active range or of some of its steps.
//
// Owns all of it, the trace perhaps with others; made on the calling thread, immutable afterwards. Nanoseconds.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/judgement/judgement.h"

namespace overlane
{

// Places of steps in order of start, from 0; both included.
struct StepNumbers {
    std::size_t first = 0;
    std::size_t last = 0;
};
// "12" or "10-40".
std::optional<StepNumbers> parsedStepNumbers(std::string_view text);
// From the start of the first to the end of the last. An Error where there are not so many.
Result<Interval> rangeOfSteps(const std::vector<Step>& steps, StepNumbers numbers);

struct TraceRequest {
    std::string iteration;             // one of its loops, as stepsOfLevel() takes it; empty: the program's own
    std::optional<StepNumbers> steps;  // those only
    std::optional<Interval> range;     // somebody's choice, where there are no steps
    Depth depth = Depth::Whole;
};

class JudgedTrace
{
public:
    // An Error where the trace has no such loop or steps.
    static Result<std::unique_ptr<const JudgedTrace>> make(Trace trace, std::string name,
                                                           const TraceRequest& request = {},
                                                           const WorkMeter& work = {});
    // Of a trace that others read, too.
    static Result<std::unique_ptr<const JudgedTrace>> make(std::shared_ptr<const Trace> shared, std::string name,
                                                           const TraceRequest& request = {},
                                                           const WorkMeter& work = {});
    JudgedTrace(const JudgedTrace&) = delete;
    JudgedTrace& operator=(const JudgedTrace&) = delete;
    ~JudgedTrace() = default;

private:
    const std::shared_ptr<const Trace> m_trace;

public:
    const Trace& trace;
    const std::string name;  // of the file, without its folder
    const Analysis analysis;
    const StepSequence steps;  // timedSteps() of the analysis
    const Judgement judgement;

private:
    JudgedTrace(std::shared_ptr<const Trace> read, std::string fileName, Analysis made, const JudgeRequest& request,
                const WorkMeter& work);
};

}  // namespace overlane
