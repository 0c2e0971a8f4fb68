// What the commands print: tables for people, JSON for programs.
//
// Pure functions, any thread. JSON keys are stable: append, never rename. Times in JSON are
// integers in nanoseconds, sizes integers in bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/steps.h"
#include "core/analysis/summary.h"
#include "core/analysis/verdict.h"
#include "core/cli/device_figures.h"
#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

// Of texts that go to no terminal.
constexpr std::size_t kTextColumns = 100;
// Longer lines are hard to read, however wide a terminal is.
constexpr std::size_t kMostTextColumns = 120;

// How wide texts are wrapped. The program sets it once, before any command runs, to its terminal's width.
std::size_t textColumns();
void setTextColumns(std::size_t terminalColumns);  // 0: there is no terminal

// Labels on the left, values right-aligned in one column.
std::string textTable(const std::vector<TextRow>& rows, std::string_view indent = "  ");
// Breaks a text at spaces into lines of at most `columns` characters that start with `indent`; 0: textColumns().
std::string wrapText(std::string_view text, std::string_view indent, std::size_t columns = 0);
std::string toText(const OrderedJson& json);

// The keys of one entry of "devices".
OrderedJson deviceJson(const DeviceSummary& device);
std::string deviceText(const DeviceSummary& device);

// What is not on a track, by reason.
OrderedJson skippedJson(const Trace& trace);
std::string skippedText(const Trace& trace);

// How the steps were found, their times, and which stand out.
OrderedJson stepsJson(const StepSequence& steps);
std::string stepsText(const StepSequence& steps);

OrderedJson traceJson(const Trace& trace, const Summary& summary, const Verdict& verdict, const StepSequence& steps);
// `fallbackTitle` names a trace that has no title; the findings stand behind the verdict. `summary` is of the
// verdict's range, where JSON takes that of the whole trace.
std::string traceText(const Trace& trace, const Summary& summary, const Verdict& verdict, const StepSequence& steps,
                      const FindingList& findings, std::string_view fallbackTitle);

// Sentence and advice as lines, with the times now and possible.
std::string verdictText(const Verdict& verdict);
OrderedJson verdictJson(const Verdict& verdict);

}  // namespace overlane
