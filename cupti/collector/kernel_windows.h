// KernelWindows: when kernels are recorded while they are only sampled.
//
// It bounds the records, not the cost of a launch: once CUPTI has recorded kernels, launches stay
// slower until the process ends. A window is long enough to hold whole steps of a launch-bound
// program. Pure; times in nanoseconds of any one clock.
#pragma once

#include <cstdint>

namespace overlane
{

class KernelWindows
{
public:
    static constexpr std::int64_t kPeriodNs = 1'200'000'000;
    static constexpr std::int64_t kOpenNs = 100'000'000;

    // Begins with an open window, so that the start of a program is seen.
    void start(std::int64_t nowNs) { m_startNs = nowNs; }
    bool isOpen(std::int64_t nowNs) const { return (nowNs - m_startNs) % kPeriodNs < kOpenNs; }
    std::int64_t nextChangeNs(std::int64_t nowNs) const
    {
        const std::int64_t phase = (nowNs - m_startNs) % kPeriodNs;
        return nowNs - phase + (phase < kOpenNs ? kOpenNs : kPeriodNs);
    }

private:
    std::int64_t m_startNs = 0;
};

}  // namespace overlane
