// The clocks of a recording, in nanoseconds: spools are written by CLOCK_MONOTONIC. Safe from any
// thread and in CUPTI's callbacks. Header only, no dependencies: also compiled into the program.
#pragma once

#include <cstdint>
#include <ctime>

namespace overlane
{

inline std::int64_t readClock(clockid_t clock)
{
    timespec now = {};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline std::int64_t monotonicNs()
{
    return readClock(CLOCK_MONOTONIC);
}

inline std::int64_t unixNs()
{
    return readClock(CLOCK_REALTIME);
}

inline std::int64_t threadCpuNs()
{
    return readClock(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace overlane
