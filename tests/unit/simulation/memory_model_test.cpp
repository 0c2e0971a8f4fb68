#include "core/simulation/memory_model.h"

#include <gtest/gtest.h>

#include "core/base/units.h"

namespace overlane
{
namespace
{

// 16 GiB of RAM, 4 of them used before, 8 of swap; a data set of 10 GiB is in the page cache.
DeviceProfile machine()
{
    DeviceProfile profile;
    profile.usedRamBytes = 4 * kGiB;
    profile.datasetBytes = 10 * kGiB;
    profile.storageBytesPerSecond = 2e9;
    profile.swapBytesPerSecond = 1e9;
    return profile;
}

class MemoryModelTest : public testing::Test
{
protected:
    const DeviceProfile m_profile = machine();
    MemoryModel m_memory{m_profile, {16 * kGiB, 8 * kGiB}};
};

TEST_F(MemoryModelTest, FreeMemoryCostsNothing)
{
    EXPECT_EQ(m_memory.pageCacheBytes(), 10 * kGiB);
    EXPECT_EQ(m_memory.allocate(5, 2 * kGiB), 5);
    EXPECT_EQ(m_memory.touch(5, 2 * kGiB, kGiB), 5);
    EXPECT_EQ(m_memory.pageCacheBytes(), 10 * kGiB);
    EXPECT_EQ(m_memory.availableBytes(), 10 * kGiB);
    EXPECT_EQ(m_memory.processBytes(), 2 * kGiB);
}

TEST_F(MemoryModelTest, LockedPagesPushThePageCacheOutFirst)
{
    m_memory.allocate(0, 7 * kGiB);
    EXPECT_EQ(m_memory.lock(0, 7 * kGiB), 0);
    EXPECT_EQ(m_memory.pageCacheBytes(), 5 * kGiB);
    EXPECT_EQ(m_memory.swapUsedBytes(), 0);
    // Half of the data set must come from storage again.
    EXPECT_EQ(m_memory.touch(0, 0, 1'000'000'000), 250'000'000);
}

TEST_F(MemoryModelTest, ThenAnonymousPagesAreSwapped)
{
    m_memory.allocate(0, 12 * kGiB);
    EXPECT_EQ(m_memory.pageCacheBytes(), 0);
    EXPECT_EQ(m_memory.swapUsedBytes(), 0);
    // One GiB of other programs' pages leaves: the caller waits, its own pages stay.
    const std::int64_t readyNs = m_memory.allocate(0, kGiB);
    EXPECT_EQ(readyNs, kGiB);  // 1e9 bytes per second
    EXPECT_EQ(m_memory.swapUsedBytes(), kGiB);
    EXPECT_EQ(m_memory.touch(readyNs, kGiB), readyNs);
    // Beyond those 2 GiB, own pages are out, and touching memory moves a share both ways.
    m_memory.allocate(readyNs, 3 * kGiB);
    EXPECT_EQ(m_memory.swapUsedBytes(), 4 * kGiB);
    const std::int64_t freeNs = m_memory.driveBusyUntilNs();
    EXPECT_EQ(m_memory.touch(freeNs, kGiB), freeNs + kGiB / 4);
    EXPECT_FALSE(m_memory.exhausted());
}

TEST_F(MemoryModelTest, LockedPagesCannotBeSwapped)
{
    m_memory.allocate(0, 12 * kGiB);
    m_memory.lock(0, 12 * kGiB);
    EXPECT_FALSE(m_memory.exhausted());
    m_memory.allocate(0, 2 * kGiB);  // the other programs' 2 GiB can go
    EXPECT_FALSE(m_memory.exhausted());
    m_memory.lock(0, 2 * kGiB);
    EXPECT_FALSE(m_memory.exhausted());
    m_memory.allocate(0, kGiB);
    m_memory.lock(0, kGiB);
    EXPECT_TRUE(m_memory.exhausted());
}

TEST_F(MemoryModelTest, MoreThanRamAndSwapIsTooMuch)
{
    m_memory.allocate(0, 20 * kGiB);
    EXPECT_FALSE(m_memory.exhausted());
    m_memory.allocate(0, 1);
    EXPECT_TRUE(m_memory.exhausted());
}

TEST_F(MemoryModelTest, ReleasingGivesSwapBack)
{
    m_memory.allocate(0, 16 * kGiB);
    EXPECT_EQ(m_memory.swapUsedBytes(), 4 * kGiB);
    m_memory.release(16 * kGiB);
    EXPECT_EQ(m_memory.swapUsedBytes(), 2 * kGiB);  // the other programs' pages stay out
    EXPECT_EQ(m_memory.processBytes(), 0);
}

TEST_F(MemoryModelTest, OtherProgramsTakePageCacheFirst)
{
    const MemoryModel memory(m_profile, {16 * kGiB, 8 * kGiB, 5 * kGiB});
    EXPECT_EQ(memory.pageCacheBytes(), 7 * kGiB);
    EXPECT_EQ(memory.availableBytes(), 7 * kGiB);
    EXPECT_EQ(memory.otherBytes(), 9 * kGiB);
    EXPECT_EQ(memory.swapUsedBytes(), 0);
    EXPECT_FALSE(memory.exhausted());
}

TEST_F(MemoryModelTest, OtherProgramsWorkingSetIsSwappedInProportionAndHalvesTheDrive)
{
    MemoryModel memory(m_profile, {16 * kGiB, 8 * kGiB, 6 * kGiB});
    // 4 + 6 + 12 GiB are 6 too many: 2 that nobody uses, then 4 of 18 that are in use.
    memory.allocate(0, 12 * kGiB);
    EXPECT_EQ(memory.swapUsedBytes(), 6 * kGiB);
    const std::int64_t own = 4 * kGiB * 12 / 18;
    EXPECT_NEAR(static_cast<double>(memory.processBytes()), static_cast<double>(12 * kGiB - own), 1);
    EXPECT_NEAR(static_cast<double>(memory.otherBytes()),
                static_cast<double>(8 * kGiB) - static_cast<double>(4 * kGiB) * 6 / 18, 1);
    const std::int64_t freeNs = memory.driveBusyUntilNs();
    // 4/18 of a GiB come back and as many leave, at half of a GB per second.
    EXPECT_NEAR(static_cast<double>(memory.touch(freeNs, kGiB) - freeNs), 2.0 * 2 * kGiB * 4 / 18, 4);
    memory.release(12 * kGiB);
    EXPECT_EQ(memory.processBytes(), 0);
    EXPECT_LE(memory.otherBytes(), 10 * kGiB);
}

TEST_F(MemoryModelTest, OtherProgramsThatDoNotFitAreSwappedBeforeTheStart)
{
    const MemoryModel memory(m_profile, {16 * kGiB, 8 * kGiB, 15 * kGiB});
    EXPECT_EQ(memory.swapUsedBytes(), 3 * kGiB);
    EXPECT_EQ(memory.swapMovedBytes(), 0);
    EXPECT_EQ(memory.driveBusyUntilNs(), 0);
    EXPECT_EQ(memory.pageCacheBytes(), 0);
    EXPECT_TRUE(MemoryModel(m_profile, {16 * kGiB, 2 * kGiB, 15 * kGiB}).exhausted());
}

}  // namespace
}  // namespace overlane
