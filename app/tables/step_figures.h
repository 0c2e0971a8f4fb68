// Figures and marks of steps, as the steps page and the ruler show them.
//
// Pure functions; any thread. Nanoseconds.
#pragma once

#include <vector>

#include <QString>

#include "app/session/analyzed_trace.h"
#include "app/timeline/ruler_mark.h"
#include "core/analysis/steps.h"

namespace overlane
{

// The warm-up steps and those that stand out, in order of start.
std::vector<RulerMark> rulerMarks(const std::vector<Step>& steps);
// "warm-up", "slow", "fast"; empty for an ordinary step.
QString stepMarkText(const Step& step, std::int64_t medianNs);
// Of some of a trace's steps, with the marks that they have in it.
StepStatistics statisticsOf(const std::vector<Step>& steps);
// "16 profiler steps: 14.3 ms in the median, half between 14.1 ms and 14.6 ms; 1 warm-up, 2 stand out"
QString stepsCaption(const AnalyzedTrace& shown, const std::vector<Step>& inRange, bool selected);

}  // namespace overlane
