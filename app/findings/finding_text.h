// Findings as plain text: what a row says of its cost, and what goes to the clipboard.
//
// Pure functions; any thread.
#pragma once

#include <QString>

#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

// "8.30 ms a step, 58.2 %"; the range's total where it holds no whole step; empty where it costs nothing.
QString costText(const FindingCost& cost);
// Both costs, per step and in total, a line each; never empty.
QStringList costLines(const Finding& finding);
// "GPU 0, in 16 steps (229 ms): ..." and so on: range, idle time, and how much of it is explained.
QString listCaption(const FindingList& list, bool selected);
// What the trace could not answer, a line each.
QStringList notCheckedLines(const FindingList& list);

QString severityText(FindingSeverity severity);
QString findingText(const Trace& trace, const Finding& finding);
QString findingsText(const Trace& trace, const FindingList& list, bool selected);

// "cudaMemcpyAsync, 3.11 ms at 12.3 ms".
QString evidenceText(const Trace& trace, EventIndex event);

}  // namespace overlane
