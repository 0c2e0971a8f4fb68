#include "core/io/memory_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "core/base/units.h"

namespace overlane
{
namespace
{

using testing::AllOf;
using testing::HasSubstr;

TEST(MemoryGuardTest, UsesThreeQuartersOfWhatIsFree)
{
    const MemoryGuard guard(8 * kGiB);
    EXPECT_EQ(guard.mostEvents(), static_cast<std::size_t>(6 * kGiB / MemoryGuard::kBytesPerEvent));
    EXPECT_TRUE(guard.fits(guard.mostEvents()));
    EXPECT_FALSE(guard.fits(guard.mostEvents() + 1));
}

TEST(MemoryGuardTest, AlwaysTriesAMillionAndNeverMoreThanIdsReach)
{
    EXPECT_EQ(MemoryGuard(0).mostEvents(), 1'000'000U);
    EXPECT_EQ(MemoryGuard(std::numeric_limits<std::int64_t>::max()).mostEvents(), 0xFFFF'FFF0U);
    EXPECT_GE(MemoryGuard().mostEvents(), 1'000'000U);
}

TEST(MemoryGuardTest, SaysWhatToDo)
{
    EXPECT_THAT(MemoryGuard(0).tooMany("big.json").message,
                AllOf(HasSubstr("big.json"), HasSubstr("000"), HasSubstr("container"), HasSubstr("shorter")));
}

}  // namespace
}  // namespace overlane
