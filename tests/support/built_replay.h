// A replay of a trace by the iterations that are found in it.
#pragma once

#include <memory>
#include <utility>

#include "core/replay/replay.h"

namespace overlane::test
{

inline Result<Replay> builtReplay(std::shared_ptr<const Trace> trace, const ReplayOptions& options = {},
                                  Progress* progress = nullptr)
{
    const Analysis analysis(*trace);
    return Replay::build(std::move(trace), analysis, options, progress);
}

}  // namespace overlane::test
