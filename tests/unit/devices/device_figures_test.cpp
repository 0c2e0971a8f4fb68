// The figures of the embedded profiles against each other: what no machine can do is a typing error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/devices/device_profile.h"

namespace overlane
{
namespace
{

class DeviceFiguresTest : public testing::TestWithParam<std::string>
{
protected:
    const DeviceProfile& profile() const { return *findDeviceProfile(GetParam()); }
};

TEST_P(DeviceFiguresTest, TheLinkIsWithinWhatItsDirectionsAndItsMemoryAllow)
{
    const DeviceProfile& p = profile();
    EXPECT_LE(p.bidirectionalBytesPerSecond, p.h2dBytesPerSecond + p.d2hBytesPerSecond);
    EXPECT_GE(p.bidirectionalBytesPerSecond, std::max(p.h2dBytesPerSecond, p.d2hBytesPerSecond));
    EXPECT_LT(p.bidirectionalBytesPerSecond, p.deviceMemoryBytesPerSecond);
    EXPECT_GE(p.copyKernelSlowdown, 1.0);
}

TEST_P(DeviceFiguresTest, StagedCopiesAreSlowerThanTheirMemcpyAndTheirLink)
{
    const DeviceProfile& p = profile();
    // The driver's copy into its own buffer may be a little quicker than one into page-locked memory.
    EXPECT_LE(p.stagingColdBytesPerSecond, 1.1 * p.hostMemcpyBytesPerSecond);
    EXPECT_LE(p.hostMemcpyBytesPerSecond, p.hostMemcpyWarmBytesPerSecond);
    EXPECT_LE(p.stagingColdBytesPerSecond, p.stagingWarmBytesPerSecond);
    EXPECT_LT(p.stagingWarmBytesPerSecond, p.h2dBytesPerSecond);
    EXPECT_LT(p.stagingD2hBytesPerSecond, p.d2hBytesPerSecond);
    EXPECT_LE(p.inlineCopyBytes, p.stagingChunkBytes);
}

TEST_P(DeviceFiguresTest, MemoryGetsSlowerTowardsTheDrive)
{
    const DeviceProfile& p = profile();
    EXPECT_LT(p.swapBytesPerSecond, p.storageBytesPerSecond);
    EXPECT_LT(p.storageBytesPerSecond, p.hostMemcpyBytesPerSecond);
    EXPECT_LT(p.usedRamBytes, p.ramBytes);
    EXPECT_LT(p.lastLevelCacheBytes, p.ramBytes);
}

TEST_P(DeviceFiguresTest, ASourceNamesItsDocumentOrSaysThatItIsAnEstimate)
{
    const auto documented =
        testing::ContainsRegex("measured|data sheet|product|GitHub|nvidia-smi|forum|NVIDIA|by def|mallopt");
    for (const auto& [figure, source] : profile().sources)
        EXPECT_THAT(source, testing::AnyOf(testing::StartsWith("estimate: "), documented)) << figure;
}

INSTANTIATE_TEST_SUITE_P(AllProfiles, DeviceFiguresTest,
                         testing::Values("h200", "h200_vm", "a100_pcie4", "rtx3060_laptop", "rtx4090_desktop"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace overlane
