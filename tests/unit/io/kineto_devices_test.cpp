#include "core/io/kineto_devices.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

namespace overlane
{
namespace
{

TEST(KinetoDevices, TheRankIsNamedWhereThereAreSeveral)
{
    EXPECT_EQ(parseRank(R"({"backend": "nccl", "rank": 3, "world_size": 8})"), "rank 3 of 8");
    EXPECT_EQ(parseRank(R"({"rank": 0})"), "rank 0");
    EXPECT_EQ(parseRank(R"({"rank": 0, "world_size": 1})"), "");
    EXPECT_EQ(parseRank(R"({"rank": -4, "world_size": 8})"), "");
    EXPECT_EQ(parseRank("nonsense"), "");
}

TEST(KinetoDevices, TheRankIsKeptAsProperties)
{
    std::map<std::string, std::string> properties;
    addParsedRank(properties, R"({"rank": 3, "world_size": 8})");
    EXPECT_EQ(properties, (std::map<std::string, std::string>{{"rank", "3"}, {"world size", "8"}}));
    properties.clear();
    addParsedRank(properties, R"({"rank": 99999999999, "world_size": 8})");
    addParsedRank(properties, "[]");
    EXPECT_TRUE(properties.empty());
}

TEST(KinetoDevices, DevicesWithoutAUsableIdAreLeftOut)
{
    const auto devices = parseDeviceProperties(
        R"([{"id": 2, "name": "NVIDIA H200", "totalGlobalMem": 80}, {"name": "no id"}, {"id": 99999999}, {"id": 0}])");
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_EQ(devices[0].id, 2);
    EXPECT_EQ(devices[0].name, "NVIDIA H200");
    EXPECT_EQ(devices[0].memoryBytes, 80);
    EXPECT_EQ(devices[1].name, "");
    EXPECT_TRUE(parseDeviceProperties("{}").empty());
}

}  // namespace
}  // namespace overlane
