// Findings as text and as JSON, for `overlane info`. Pure; any thread.
#pragma once

#include <string>

#include "core/cli/device_figures.h"
#include "core/findings/finding.h"

namespace overlane
{

// Each finding with its severity, its sentence and, but for hints, the change; then what could not be
// checked. Empty where there is nothing to say.
std::string findingsText(const FindingList& list);
// {"range_ns", "steps", "idle_ns", "explained_ns", "list": [...], "not_checked": [...]}.
OrderedJson findingsJson(const FindingList& list);
// file, line, function, share (of the time that was asked about), line_share, ns; callee: what was called there for
// longest, with its share. Those of a percent at least, most first.
OrderedJson placesJson(const std::vector<CodeShare>& places);

}  // namespace overlane
