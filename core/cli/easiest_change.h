// easiestChange(): the line that `overlane info` prints behind its advice.
//
// Where the advice is to look for a cause, a change of one line may win before that. Any thread; cancellable.
#pragma once

#include <memory>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/judgement/judged_trace.h"

namespace overlane
{

// Empty where the verdict is about copies or names no loss, where the trace cannot be replayed or has very many events
// (those are left to `overlane whatif`), and where no change wins a tenth. `judged` was made by `iteration`.
Result<std::string> easiestChange(const std::shared_ptr<const JudgedTrace>& judged, const std::string& iteration,
                                  Progress& progress);

}  // namespace overlane
