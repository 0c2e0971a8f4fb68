// The head of a spool of the calling process: its times and ids, the rest left to who writes it.
//
// Safe from any thread. Header only: also compiled into the recorded program.
#pragma once

#include <unistd.h>

#include "core/spool/spool_clock.h"
#include "core/spool/spool_format.h"

namespace overlane
{

inline spool::ProcessStart thisProcess(std::int64_t nowNs)
{
    spool::ProcessStart start;
    start.timeNs = nowNs;
    start.unixOffsetNs = unixNs() - nowNs;
    start.pid = static_cast<std::uint32_t>(getpid());
    start.parentPid = static_cast<std::uint32_t>(getppid());
    return start;
}

}  // namespace overlane
