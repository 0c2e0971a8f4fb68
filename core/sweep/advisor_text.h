// An advice in words: what to set, what it wins, how sure that is, what limits then, and the Python to paste.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/content/block.h"
#include "core/sweep/advisor.h"

namespace overlane
{

// The advice itself in one sentence.
std::string adviceSentence(const Advice& advice);
// How sure that is, and why: the measured error of the simulation; empty where nothing fits.
std::string certaintySentence(const Advice& advice);
// "9.72 ms (8.94 to 12.2)": time per batch, simulated, and the range that it stands for.
std::string rangeText(const AdvisorCandidate& candidate);
// What else is to be known, a sentence each: how sure it is, what was passed over, where it stops paying, what pinned
// memory wins, what limits then, what was measured.
std::vector<std::string> adviceRemarks(const Advice& advice);
// The sentence, then the remarks.
Blocks adviceBlocks(const Advice& advice);
// The settings as they are, as advised, and the front around where it stops paying: what, batch_ns, low_ns, high_ns,
// pinned_bytes, hidden, pin, async, side, workers, prefetch.
Table adviceTable(const Advice& advice);
// "pin_memory=True, non_blocking=True, a side stream with 2 batches on the device, 4 workers, prefetch 2".
std::string settingsSentence(const Scenario& scenario);
// DataLoader and copy loop for PyTorch with these settings.
std::string pastedCode(const Scenario& scenario);

}  // namespace overlane
