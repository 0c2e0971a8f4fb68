#include "core/spool/memory_gauges.h"

#include <algorithm>

#include "core/base/saturated.h"
#include "core/trace/event.h"

namespace overlane
{

void MemoryGauges::add(const spool::MemoryOp& operation)
{
    m_held.push_back(operation);
    m_newestNs = std::max(m_newestNs, operation.timeNs);
}

void MemoryGauges::emit(bool all, const Emit& emit)
{
    std::stable_sort(m_held.begin(), m_held.end(),
                     [](const spool::MemoryOp& a, const spool::MemoryOp& b) { return a.timeNs < b.timeNs; });
    std::size_t done = 0;
    while (done < m_held.size() && (all || m_held[done].timeNs < m_newestNs - kHoldNs))
        apply(m_held[done++], emit);
    m_held.erase(m_held.begin(), m_held.begin() + static_cast<std::ptrdiff_t>(done));
}

void MemoryGauges::apply(const spool::MemoryOp& operation, const Emit& emit)
{
    // Host memory belongs to the process, whichever device was current.
    const auto sumKey = [](std::uint8_t memory, std::uint32_t device) {
        const bool onDevice = memory == static_cast<std::uint8_t>(MemoryKind::Device);
        return (std::uint64_t{onDevice ? device : 0} << 8) | memory;
    };
    const auto change = [&](const Block& block, std::int64_t bytes) {
        std::int64_t& sum = m_sums[sumKey(block.memory, block.device)];
        sum = saturatedSum(sum, bytes);
        emit(operation.timeNs, block.memory, block.device, sum);
    };
    const auto release = [&] {
        const auto block = m_blocks.find(operation.address);
        if (block == m_blocks.end())
            return false;
        change(block->second, -static_cast<std::int64_t>(block->second.bytes));
        m_blocks.erase(block);
        return true;
    };
    if (operation.operation == spool::MemoryOperation::Allocate) {
        // A free that was not recorded must not be counted for ever.
        release();
        const Block block{operation.bytes, operation.memory, operation.device};
        m_blocks[operation.address] = block;
        change(block, static_cast<std::int64_t>(operation.bytes));
    } else if (operation.operation == spool::MemoryOperation::Free && !release()) {
        ++m_unknownFrees;
    }
}

}  // namespace overlane
