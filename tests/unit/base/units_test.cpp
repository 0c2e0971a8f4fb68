#include "core/base/units.h"

#include <gtest/gtest.h>
#include <limits>

namespace overlane
{
namespace
{

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(UnitsTest, DurationTakesTheUnitThatFits)
{
    EXPECT_EQ(formatDuration(0), "0\u2009ns");
    EXPECT_EQ(formatDuration(1), "1\u2009ns");
    EXPECT_EQ(formatDuration(999), "999\u2009ns");
    EXPECT_EQ(formatDuration(1'000), "1.00\u2009\u00b5s");
    EXPECT_EQ(formatDuration(12'345), "12.3\u2009\u00b5s");
    EXPECT_EQ(formatDuration(123'456), "123\u2009\u00b5s");
    EXPECT_EQ(formatDuration(1'500'000'000), "1.50\u2009s");
    EXPECT_EQ(formatDuration(3'600'000'000'000), "3600\u2009s");
}

TEST(UnitsTest, DurationNeverWritesAThousandOfAUnit)
{
    EXPECT_EQ(formatDuration(999'499), "999\u2009\u00b5s");
    EXPECT_EQ(formatDuration(999'500), "1.00\u2009ms");
    EXPECT_EQ(formatDuration(9'995), "10.0\u2009\u00b5s");
    EXPECT_EQ(formatDuration(99'950'000), "100\u2009ms");
}

TEST(UnitsTest, DurationKeepsTheSign)
{
    EXPECT_EQ(formatDuration(-12'345), "-12.3\u2009\u00b5s");
    EXPECT_EQ(formatDuration(-1), "-1\u2009ns");
    EXPECT_EQ(formatDuration(kMin), "-9223372037\u2009s");
    EXPECT_EQ(formatDuration(kMax), "9223372037\u2009s");
}

TEST(UnitsTest, BytesAreBinary)
{
    EXPECT_EQ(formatBytes(0), "0\u2009B");
    EXPECT_EQ(formatBytes(512), "512\u2009B");
    EXPECT_EQ(formatBytes(1024), "1.00\u2009KiB");
    EXPECT_EQ(formatBytes(48ll << 20), "48.0\u2009MiB");
    EXPECT_EQ(formatBytes((1ll << 30) - 1), "1.00\u2009GiB");
    EXPECT_EQ(formatBytes(1ll << 40), "1.00\u2009TiB");
}

TEST(UnitsTest, RateIsDecimalAndUnknownWithoutTime)
{
    EXPECT_EQ(formatRate(55'500'000'000, kNsPerS), "55.5\u2009GB/s");
    EXPECT_EQ(formatRate(1, kNsPerS), "1\u2009B/s");
    EXPECT_EQ(formatRate(100, 0), "-");
    EXPECT_EQ(formatRate(100, -5), "-");
    EXPECT_EQ(formatRate(0, 10), "0\u2009B/s");
}

TEST(UnitsTest, CountGroupsByThree)
{
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(1000), "1\u2009000");
    EXPECT_EQ(formatCount(-100), "-100");
    EXPECT_EQ(formatCount(-1'234'567), "-1\u2009234\u2009567");
    EXPECT_EQ(formatCount(kMin), "-9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808");
}

TEST(UnitsTest, ShareIsAPercentage)
{
    EXPECT_EQ(formatShare(0), "0\u2009%");
    EXPECT_EQ(formatShare(0.123), "12.3\u2009%");
    EXPECT_EQ(formatShare(0.0123), "1.23\u2009%");
    EXPECT_EQ(formatShare(1), "100\u2009%");
}

}  // namespace
}  // namespace overlane
