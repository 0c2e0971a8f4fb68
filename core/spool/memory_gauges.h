// MemoryGauges: bytes in use over time, from allocations and frees that arrive roughly in order.
//
// Records of different threads reach a spool by different ways, so they are held back until
// everything older than a few seconds must have arrived, sorted, and then summed. A free takes off
// what its address was allocated with; the free of a block from before the recording is counted
// and takes off nothing. One thread. The sink that receives sums is given by the caller.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "core/spool/spool_format.h"

namespace overlane
{

class MemoryGauges
{
public:
    // The sum of a memory kind after an operation at `timeNs`.
    using Emit = std::function<void(std::int64_t timeNs, std::uint8_t memory, std::uint32_t device, std::int64_t sum)>;

    void add(const spool::MemoryOp& operation);
    // Emits all sums up to kHoldNs before the newest operation or, with `all`, every one.
    void emit(bool all, const Emit& emit);

    std::int64_t unknownFrees() const { return m_unknownFrees; }

    static constexpr std::int64_t kHoldNs = 3'000'000'000;

private:
    struct Block {
        std::uint64_t bytes = 0;
        std::uint8_t memory = 0;
        std::uint32_t device = 0;
    };
    void apply(const spool::MemoryOp& operation, const Emit& emit);

    std::vector<spool::MemoryOp> m_held;
    std::int64_t m_newestNs = 0;
    std::unordered_map<std::uint64_t, Block> m_blocks;       // by address
    std::unordered_map<std::uint64_t, std::int64_t> m_sums;  // by memory kind and device
    std::int64_t m_unknownFrees = 0;
};

}  // namespace overlane
