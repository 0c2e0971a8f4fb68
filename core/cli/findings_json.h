// Findings as `overlane info --json` prints them. Pure; any thread.
#pragma once

#include <vector>

#include "core/cli/device_figures.h"
#include "core/findings/finding.h"

namespace overlane
{

// {"range_ns", "steps", "idle_ns", "explained_ns", "list": [...], "not_checked": [...]}.
OrderedJson findingsJson(const FindingList& list);
// file, line, function, share (of the time that was asked about), line_share, ns; callee: what was called there for
// longest, with its share. Those of a percent at least, most first.
OrderedJson placesJson(const std::vector<CodeShare>& places);

}  // namespace overlane
