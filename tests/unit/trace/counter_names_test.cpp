#include "core/trace/counter_names.h"

#include <gtest/gtest.h>

#include "core/system/nvml_gauges.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// Both are of one device's memory, and stand one below the other.
TEST(CounterNamesTest, MemoryOfADeviceIsNamedByWhoseItIsInOldFilesToo)
{
    EXPECT_EQ(clearCounterName("Device memory"), kDeviceMemoryCounter);
    EXPECT_EQ(clearCounterName("Device memory of process 7"), "Device memory allocated by process 7");
    EXPECT_EQ(clearCounterName("Device memory used"), kWholeDeviceMemoryCounter);
    EXPECT_EQ(kDeviceMemoryGauge, kWholeDeviceMemoryCounter);
    for (const std::string_view name : {kDeviceMemoryCounter, kWholeDeviceMemoryCounter, kPinnedMemoryCounter})
        EXPECT_EQ(clearCounterName(name), name);
}

}  // namespace
}  // namespace overlane
