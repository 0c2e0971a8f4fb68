// easiestLine(): what `overlane info` prints behind its advice, and Python's Trace.easiest().
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

// Empty where there is none (core/replay/easiest_change.h). Where the verdict is about copies, its advice says how to
// make the change; else the line does.
Result<std::string> easiestLine(const std::shared_ptr<const JudgedTrace>& judged, Progress& progress);

}  // namespace overlane
