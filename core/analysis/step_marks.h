// Step marks: the iterations that a trace marks itself.
//
// Events of kind Step (profiler steps, a loader's batches), and user ranges (NVTX, record_function) whose name is one
// that programs and libraries give to an iteration (core/trace/step_name.h). Pure; any thread; nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/steps.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

// What one track marks under one name.
struct StepMarks {
    std::string name;       // without number
    bool stepKind = false;  // else user ranges
    bool onHost = false;
    std::vector<Step> steps;  // in order of start; times and marks not filled in
};

// All of at least two marks, but for one of kind Step; the best first: events of kind Step, those of the host,
// then those that recur at least four times and cover most time, then the most.
std::vector<StepMarks> stepMarks(const Trace& trace, const WorkMeter& work = {});

}  // namespace overlane
