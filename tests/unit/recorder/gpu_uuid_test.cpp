#include "core/recorder/gpu_uuid.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace overlane
{
namespace
{

TEST(GpuUuid, ReadsTheDriversText)
{
    std::uint8_t uuid[16] = {};
    ASSERT_TRUE(parseGpuUuid("GPU-715f7b3a-5f16-d91c-563a-e9480197a7b4", uuid));
    EXPECT_EQ(uuid[0], 0x71);
    EXPECT_EQ(uuid[1], 0x5f);
    EXPECT_EQ(uuid[15], 0xb4);
}

TEST(GpuUuid, LeavesEverythingAloneForOtherText)
{
    for (const char* text : {"", "GPU", "GPU-", "GPU-715f", "GPU-715f7b3a-5f16-d91c-563a-e9480197a7b4ff",
                             "GPU-x15f7b3a-5f16-d91c-563a-e9480197a7b4", "715f7b3a5f16d91c563ae9480197a7b4"}) {
        std::uint8_t uuid[16] = {9};
        EXPECT_FALSE(parseGpuUuid(text, uuid)) << text;
        EXPECT_EQ(uuid[0], 9);
    }
}

}  // namespace
}  // namespace overlane
