// The easiest change behind a verdict: one line of the program, with what a step would take with it.
//
// Pure, any thread; blocks for as long as a replay and a few predictions take.
#pragma once

#include <memory>
#include <optional>

#include "core/analysis/analysis.h"
#include "core/analysis/verdict.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/replay/prediction.h"
#include "core/replay/replay.h"
#include "core/trace/trace.h"

namespace overlane
{

// None where the verdict is no problem, where the trace cannot be replayed, where no change is easy and clear
// (isEasyAndClear()), and for traces of very many events, which are left to `overlane whatif`. An Error only where it
// was cancelled.
Result<std::optional<Prediction>> easiestChange(std::shared_ptr<const Trace> trace, const Analysis& analysis,
                                                const Verdict& verdict, const ReplayOptions& options,
                                                Progress* progress);

}  // namespace overlane
