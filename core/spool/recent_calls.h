// RecentCalls: the calls of a process that were read last, by their correlation, for what comes later and asks for its
// call: kernels, CUDA events.
//
// The last kAtLeast are there, and up to twice as many, however far apart their correlations are: calls that are not
// recorded have some as well. An open-addressing table that grows with the process, since most of many make few calls,
// and the one before it. One thread; the spool's clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace overlane
{

class RecentCalls
{
public:
    static constexpr std::size_t kAtLeast = 1u << 15;

    struct Call {
        std::uint32_t correlation = 0;  // 0 = none
        std::uint32_t thread = 0;
        std::int64_t startNs = 0;
    };

    // One of the same correlation takes the place of that before it.
    void add(const Call& call);
    // Null where it is not there. Until the next add().
    const Call* find(std::uint32_t correlation) const;
    bool isEmpty() const { return m_now.count == 0; }

private:
    struct Table {
        std::vector<Call> slots;  // a power of two, half of them free at least
        std::size_t count = 0;

        std::size_t placeOf(std::uint32_t correlation) const;
        void put(const Call& call);
    };
    Table m_now;
    Table m_before;
};

}  // namespace overlane
