// What the commands print: tables for people, JSON for programs.
//
// Pure functions, any thread. JSON keys are stable: append, never rename. Times in JSON are
// integers in nanoseconds, sizes integers in bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/analysis/verdict.h"
#include "core/cli/device_figures.h"
#include "core/judgement/judged_trace.h"
#include "core/trace/trace.h"

namespace overlane
{

std::string toText(const OrderedJson& json);

// The loops that a trace shows; empty where it shows no other than its steps.
OrderedJson levelsJson(const std::vector<IterationLevel>& levels);
std::string levelsText(const std::vector<IterationLevel>& levels);

// The keys of one entry of "devices".
OrderedJson deviceJson(const DeviceSummary& device);
std::string deviceText(const DeviceSummary& device);

// What is not on a track, by reason.
OrderedJson skippedJson(const Trace& trace);
std::string skippedText(const Trace& trace);

// How the steps were found, their times, and which stand out. `stepNs` is the one step time, where there is one.
OrderedJson stepsJson(const StepSequence& steps, std::int64_t stepNs);
std::string stepsText(const StepSequence& steps);

// Devices are those of the whole trace.
OrderedJson traceJson(const JudgedTrace& judged);
// The findings stand behind the verdict; the figures are of its range. `easiest` is a line behind the advice.
std::string traceText(const JudgedTrace& judged, const std::string& easiest = {});

// Sentence and advice as lines, with the times now and possible.
std::string verdictText(const Verdict& verdict);
OrderedJson verdictJson(const Verdict& verdict);

}  // namespace overlane
