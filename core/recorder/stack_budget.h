// StackBudget: the processor time that reading stacks may take, a share of one core with some saved for what is
// dear once, as reading the symbols of a large program.
//
// Owns nothing; one thread, whose processor time it is. Nanoseconds.
#pragma once

#include <algorithm>
#include <cstdint>

namespace overlane
{

class StackBudget
{
public:
    static constexpr double kShare = 0.1;
    static constexpr double kMostSavedNs = 1e9;

    // Whether there is time for one more stack. Both clocks only go forward.
    bool hasTime(std::int64_t nowNs, std::int64_t cpuNs)
    {
        if (m_nowNs != 0)
            m_leftNs += kShare * static_cast<double>(nowNs - m_nowNs) - static_cast<double>(cpuNs - m_cpuNs);
        m_leftNs = std::clamp(m_leftNs, -kMostSavedNs, kMostSavedNs);
        m_nowNs = nowNs;
        m_cpuNs = cpuNs;
        return m_leftNs > 0;
    }

private:
    std::int64_t m_nowNs = 0;
    std::int64_t m_cpuNs = 0;
    double m_leftNs = kMostSavedNs;
};

}  // namespace overlane
