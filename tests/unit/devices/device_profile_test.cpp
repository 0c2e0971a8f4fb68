#include "core/devices/device_profile.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "core/devices/profile_figures.h"

namespace overlane
{
namespace
{

std::string h200Text()
{
    std::ifstream file(OVERLANE_SOURCE_DIR "/resources/devices/h200.json");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(DeviceProfileTest, TheProfilesAreEmbeddedDefaultFirst)
{
    std::vector<std::string> keys;
    for (const DeviceProfile& profile : allDeviceProfiles())
        keys.push_back(profile.key);
    EXPECT_THAT(keys, testing::ElementsAre("h200", "a100_pcie4", "h200_vm", "nvidia_h200_2026-11-22", "rtx3060_laptop",
                                           "rtx4090_desktop"));
    EXPECT_EQ(findDeviceProfile("nothing"), nullptr);
}

TEST(DeviceProfileTest, EveryFigureHasASource)
{
    for (const DeviceProfile& profile : allDeviceProfiles()) {
        EXPECT_EQ(profile.sources.size(), profileFigures().size() + profileTables().size()) << profile.key;
        for (const auto& [figure, source] : profile.sources)
            EXPECT_GT(source.size(), 10u) << profile.key << " " << figure;
    }
}

TEST(DeviceProfileTest, TheEmbeddedProfileIsTheFile)
{
    const auto parsed = parseDeviceProfile(h200Text());
    ASSERT_TRUE(parsed.ok()) << parsed.error();
    EXPECT_EQ(parsed.value().h2dBytesPerSecond, findDeviceProfile("h200")->h2dBytesPerSecond);
    EXPECT_EQ(parsed.value().hostAllocCost.costNs(1 << 30), 281'874'170);
}

TEST(DeviceProfileTest, DamagedProfilesAreRefusedWithTheFigureNamed)
{
    const std::string good = h200Text();
    EXPECT_FALSE(parseDeviceProfile("").ok());
    EXPECT_FALSE(parseDeviceProfile("[]").ok());
    const auto missing = parseDeviceProfile(replaced(good, "\"copy_call_ns\"", "\"copy_kall_ns\""));
    ASSERT_FALSE(missing.ok());
    EXPECT_THAT(missing.error(), testing::HasSubstr("copy_call_ns"));
    const auto negative = parseDeviceProfile(replaced(good, "{\"value\": 1050", "{\"value\": -1"));
    ASSERT_FALSE(negative.ok());
    EXPECT_THAT(negative.error(), testing::HasSubstr("copy_call_ns"));
    EXPECT_FALSE(parseDeviceProfile(replaced(good, "[65536, 0.51]", "[1, 0.51]")).ok());
    // Would round to a chunk of no bytes, and to a copy that never ends.
    EXPECT_FALSE(parseDeviceProfile(replaced(good, "{\"value\": 1048576", "{\"value\": 0.3")).ok());
    EXPECT_FALSE(parseDeviceProfile(replaced(good, "{\"value\": 55560000000", "{\"value\": 1e-9")).ok());
}

TEST(CostTableTest, ReadsBetweenAndBeyondTheRows)
{
    const CostTable table({{1000, 100.0}, {4000, 400.0}, {16000, 6400.0}});
    EXPECT_EQ(table.costNs(0), 0);
    EXPECT_EQ(table.costNs(10), 100);
    EXPECT_EQ(table.costNs(1000), 100);
    EXPECT_EQ(table.costNs(2000), 200);
    EXPECT_EQ(table.costNs(8000), 1600);
    EXPECT_EQ(table.costNs(16000), 6400);
    EXPECT_EQ(table.costNs(32000), 12800);
}

}  // namespace
}  // namespace overlane
