// Findings as plain text for the clipboard, and what heads their list.
//
// Pure functions; any thread.
#pragma once

#include <QString>

#include "core/findings/finding.h"
#include "core/trace/trace.h"

namespace overlane
{

// "Active range, 229 ms, 16 steps: GPU idle 133 ms, 98 % explained by findings".
QString listCaption(const FindingList& list, bool selected);

QString severityText(FindingSeverity severity);
QString findingText(const Trace& trace, const Finding& finding);
QString findingsText(const Trace& trace, const FindingList& list, bool selected);

}  // namespace overlane
