// MemoryModel: RAM, page cache and swap of the machine, as far as a loader feels them.
//
// Locked (pinned) pages can neither be dropped nor swapped. When memory runs short the page cache
// of the data set is dropped first, so that later reads come from storage; then anonymous pages go
// to swap: what the system has not used for long (half of what was used before) first, then the
// loader's pages and the working set of other programs, in proportion to their sizes. Once the
// loader's own pages are out, each touch brings a share of them back and pushes as many out. Storage
// and swap share one drive that serves one request at a time; other programs use their working set
// all the time, so while some of it is out they are served in turn with the loader, which gets half
// of the drive. One thread; bytes and nanoseconds.
#pragma once

#include <cstdint>

#include "core/devices/device_profile.h"

namespace overlane
{

class MemoryModel
{
public:
    struct Sizes {
        std::int64_t ramBytes = 0;
        std::int64_t swapBytes = 0;
        std::int64_t otherBytes = 0;  // working set of other programs, beyond the profile's used RAM
    };
    MemoryModel(const DeviceProfile& profile, Sizes sizes);

    // Each answers when the caller may go on: `nowNs`, or later where pages had to be swapped out.
    std::int64_t allocate(std::int64_t nowNs, std::int64_t bytes);
    std::int64_t lock(std::int64_t nowNs, std::int64_t bytes);  // of memory allocated before
    void unlock(std::int64_t bytes);
    void release(std::int64_t bytes);  // unlocked memory

    // The same for use of memory: `touchedBytes` of unlocked memory, `fileBytes` of the data set, which
    // come off the drive as far as the page cache has lost them, or altogether.
    std::int64_t touch(std::int64_t nowNs, std::int64_t touchedBytes, std::int64_t fileBytes = 0,
                       bool offTheDrive = false);

    // Time 0 becomes what was `originNs`.
    void moveOrigin(std::int64_t originNs) { m_driveFreeNs -= originNs; }

    std::int64_t ramBytes() const { return m_sizes.ramBytes; }
    std::int64_t swapSizeBytes() const { return m_sizes.swapBytes; }
    std::int64_t lockedBytes() const { return m_locked; }
    std::int64_t pageCacheBytes() const { return m_pageCache; }
    std::int64_t swapUsedBytes() const { return m_swapped; }
    std::int64_t availableBytes() const;  // free, or page cache
    std::int64_t processBytes() const;    // resident: the loader's own, locked or not
    std::int64_t otherBytes() const;      // resident: the system's and other programs'
    std::int64_t neededBytes() const { return m_used + m_sizes.otherBytes + m_anonymous + m_locked; }
    bool exhausted() const { return m_exhausted; }

    // Swap moved so far in both directions, and until when the drive is busy with it.
    std::int64_t swapMovedBytes() const { return m_swapMoved; }
    std::int64_t driveBusyUntilNs() const { return m_driveFreeNs; }

private:
    std::int64_t useDrive(std::int64_t nowNs, std::int64_t bytes, double bytesPerSecond);
    std::int64_t rebalance(std::int64_t nowNs);
    std::int64_t coldBytes() const { return m_used / 2; }
    std::int64_t warmBytes() const { return m_anonymous + m_sizes.otherBytes; }
    std::int64_t warmSwappedBytes() const;
    std::int64_t ownSwappedBytes() const;

    const DeviceProfile& m_profile;
    Sizes m_sizes;
    std::int64_t m_used;
    std::int64_t m_anonymous = 0;
    std::int64_t m_locked = 0;
    std::int64_t m_fullPageCache;
    std::int64_t m_pageCache;
    std::int64_t m_swapped = 0;
    std::int64_t m_swapMoved = 0;
    std::int64_t m_driveFreeNs = 0;
    bool m_exhausted = false;
};

}  // namespace overlane
