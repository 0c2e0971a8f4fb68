#include "core/simulation/memory_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace overlane
{

MemoryModel::MemoryModel(const DeviceProfile& profile, Sizes sizes)
    : m_profile(profile),
      m_sizes(sizes),
      m_used(std::min(profile.usedRamBytes, sizes.ramBytes)),
      m_fullPageCache(
          std::min(profile.datasetBytes, std::max<std::int64_t>(0, sizes.ramBytes - m_used - sizes.otherBytes))),
      m_pageCache(m_fullPageCache)
{
    rebalance(0);  // what does not fit beside the other programs was swapped long ago
    m_swapMoved = 0;
    m_driveFreeNs = 0;
}

std::int64_t MemoryModel::allocate(std::int64_t nowNs, std::int64_t bytes)
{
    m_anonymous += bytes;
    return rebalance(nowNs);
}

std::int64_t MemoryModel::lock(std::int64_t nowNs, std::int64_t bytes)
{
    assert(bytes <= m_anonymous);
    m_anonymous -= bytes;
    m_locked += bytes;
    return rebalance(nowNs);
}

void MemoryModel::unlock(std::int64_t bytes)
{
    assert(bytes <= m_locked);
    m_locked -= bytes;
    m_anonymous += bytes;
}

void MemoryModel::release(std::int64_t bytes)
{
    assert(bytes <= m_anonymous);
    // Freed pages that were out free their swap; the other programs' pages stay out.
    const std::int64_t own = ownSwappedBytes();
    if (own > 0)
        m_swapped -=
            std::llround(static_cast<double>(own) * static_cast<double>(bytes) / static_cast<double>(m_anonymous));
    m_anonymous -= bytes;
    m_swapped = std::min(m_swapped, warmBytes() + coldBytes());
}

std::int64_t MemoryModel::touch(std::int64_t nowNs, std::int64_t touchedBytes, std::int64_t fileBytes, bool offTheDrive)
{
    std::int64_t readyNs = nowNs;
    if (fileBytes > 0 && (offTheDrive || m_pageCache < m_fullPageCache)) {
        const double missing =
            offTheDrive ? 1.0 : 1.0 - static_cast<double>(m_pageCache) / static_cast<double>(m_fullPageCache);
        readyNs =
            useDrive(readyNs, std::llround(static_cast<double>(fileBytes) * missing), m_profile.storageBytesPerSecond);
    }
    const std::int64_t out = ownSwappedBytes();
    if (touchedBytes > 0 && out > 0) {
        const double share = static_cast<double>(out) / static_cast<double>(m_anonymous);
        const std::int64_t moved = 2 * std::llround(static_cast<double>(std::min(touchedBytes, m_anonymous)) * share);
        m_swapMoved += moved;
        readyNs = useDrive(readyNs, moved, m_profile.swapBytesPerSecond);
    }
    return readyNs;
}

std::int64_t MemoryModel::availableBytes() const
{
    return std::max<std::int64_t>(0, m_sizes.ramBytes - (neededBytes() - m_swapped));
}

std::int64_t MemoryModel::processBytes() const
{
    return m_anonymous - ownSwappedBytes() + m_locked;
}

std::int64_t MemoryModel::ownSwappedBytes() const
{
    const std::int64_t out = warmSwappedBytes();
    if (m_sizes.otherBytes == 0 || out == 0)
        return out;
    return std::llround(static_cast<double>(out) * static_cast<double>(m_anonymous) / static_cast<double>(warmBytes()));
}

std::int64_t MemoryModel::warmSwappedBytes() const
{
    return std::clamp<std::int64_t>(m_swapped - coldBytes(), 0, warmBytes());
}

std::int64_t MemoryModel::otherBytes() const
{
    return m_used + m_sizes.otherBytes - (m_swapped - ownSwappedBytes());
}

std::int64_t MemoryModel::useDrive(std::int64_t nowNs, std::int64_t bytes, double bytesPerSecond)
{
    const std::int64_t startNs = std::max(nowNs, m_driveFreeNs);
    if (warmSwappedBytes() > ownSwappedBytes())  // other programs want theirs back
        bytesPerSecond /= 2;
    m_driveFreeNs = startNs + std::llround(static_cast<double>(bytes) * 1e9 / bytesPerSecond);
    return m_driveFreeNs;
}

std::int64_t MemoryModel::rebalance(std::int64_t nowNs)
{
    m_swapped = std::min(m_swapped, warmBytes() + coldBytes());  // what was locked meanwhile came back
    const std::int64_t shortOf = neededBytes() - m_swapped - m_sizes.ramBytes;
    std::int64_t readyNs = nowNs;
    if (shortOf > 0) {
        const std::int64_t swappable = std::min(m_sizes.swapBytes, warmBytes() + coldBytes()) - m_swapped;
        const std::int64_t out = std::min(shortOf, std::max<std::int64_t>(0, swappable));
        m_exhausted |= out < shortOf;
        m_swapped += out;
        m_swapMoved += out;
        readyNs = useDrive(nowNs, out, m_profile.swapBytesPerSecond);
    }
    // What is dropped is read again only as files are; a little comes back with every read, which
    // is left out: under pressure it would be dropped again.
    m_pageCache = std::min(m_pageCache, availableBytes());
    return readyNs;
}

}  // namespace overlane
