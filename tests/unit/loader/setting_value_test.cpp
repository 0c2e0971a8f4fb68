#include "core/loader/setting_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/units.h"

namespace overlane
{

TEST(SettingValue, IsRoundedAndHasItsUnit)
{
    EXPECT_EQ(settingValueText(*findSetting("produce_us"), 1900.0000000000002), formatDuration(1'900'000));
    EXPECT_EQ(settingValueText(*findSetting("produce_us"), 76), formatDuration(76'000));
    EXPECT_EQ(settingValueText(*findSetting("batch_bytes"), 48 << 20), formatBytes(48 << 20));
    EXPECT_EQ(settingValueText(*findSetting("produce_spread"), 0.30000000000000004), "0.3");
    EXPECT_EQ(settingValueText(*findSetting("compute_flops"), 2e12), "2e+12 FLOP");
    EXPECT_EQ(settingValueText(*findSetting("pin"), 1), "thread");
    EXPECT_EQ(settingValueText(*findSetting("non_blocking"), 1), "on");
    EXPECT_EQ(settingValueText(*findSetting("workers"), 4), "4");
    EXPECT_EQ(settingValueText(*findSetting("swap_bytes"), -1), "-1");
}

TEST(DifferingSettings, AreThoseWhoseValuesDiffer)
{
    Scenario changed;
    EXPECT_TRUE(differingSettings(Scenario(), changed).empty());
    changed.name = "other";
    EXPECT_TRUE(differingSettings(Scenario(), changed).empty());
    changed.workers = 17;
    changed.pin = PinStrategy::Ring;
    EXPECT_THAT(differingSettings(Scenario(), changed),
                testing::ElementsAre(findSetting("workers"), findSetting("pin")));
}

}  // namespace overlane
