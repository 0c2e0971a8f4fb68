// An advice in words: what to set, what it wins, what limits then, and the Python to paste.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/sweep/advisor.h"

namespace overlane
{

// The advice itself in one sentence.
std::string adviceSentence(const Advice& advice);
// What else is to be known, a sentence each: where it stops paying, what pinned memory wins, what limits
// then, what was measured.
std::vector<std::string> adviceRemarks(const Advice& advice);
// "pin_memory=True, non_blocking=True, a side stream with 2 batches on the device, 4 workers, prefetch 2".
std::string settingsSentence(const Scenario& scenario);
// DataLoader and copy loop for PyTorch with these settings.
std::string pastedCode(const Scenario& scenario);

}  // namespace overlane
