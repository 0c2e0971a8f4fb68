// PinnedPool: the free page-locked blocks of a loader, reused the way PyTorch's caching host
// allocator does: sizes are rounded up to a power of two, and a block that was freed is handed
// out again only once the event behind its last use has been reached.
//
// Owns no memory, only names blocks of an Engine. Any actor may call it. Sizes in bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "core/engine/engine.h"

namespace overlane
{

struct PinnedBlock {
    BufferId buffer;
    std::int64_t bytes = 0;
    GpuEventId lastUse;  // recorded behind the copies that read the block
};

class PinnedPool
{
public:
    explicit PinnedPool(const Engine& engine) : m_engine(engine) {}

    // Of a batch: each tensor is a block of its own to the allocator.
    static std::int64_t roundedBytes(std::int64_t bytes, std::int64_t tensors)
    {
        const auto tensorBytes = static_cast<std::uint64_t>((bytes + tensors - 1) / tensors);
        return static_cast<std::int64_t>(std::bit_ceil(tensorBytes)) * tensors;
    }

    void free(const PinnedBlock& block)
    {
        const std::lock_guard lock(m_mutex);
        m_blocks.push_back(block);
    }

    // A block of this size whose last use has ended; none where a new one must be allocated.
    std::optional<PinnedBlock> take(std::int64_t bytes)
    {
        const std::lock_guard lock(m_mutex);
        for (auto block = m_blocks.begin(); block != m_blocks.end(); ++block) {
            if (block->bytes != bytes || !m_engine.eventDone(block->lastUse))
                continue;
            const PinnedBlock found = *block;
            m_blocks.erase(block);
            return found;
        }
        return std::nullopt;
    }

private:
    const Engine& m_engine;
    std::mutex m_mutex;
    std::vector<PinnedBlock> m_blocks;
};

}  // namespace overlane
