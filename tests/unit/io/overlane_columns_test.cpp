#include "core/io/overlane_columns.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace overlane
{
namespace
{

TEST(OverlaneColumns, IntegersOfAnySizeComeBack)
{
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::int64_t> values = {0, 1, -1, 127, 128, -129, kMost, kLeast, kMost, 0, kLeast, 5, 5, 5};
    const Result<std::vector<std::int64_t>> again = decodeIntegers(encodeIntegers(values), values.size());
    ASSERT_TRUE(again.ok()) << again.error();
    EXPECT_EQ(again.value(), values);
}

TEST(OverlaneColumns, SmallStepsTakeOneByte)
{
    const std::vector<std::int64_t> values = {1'000'000'000'000, 1'000'000'000'050, 1'000'000'000'010};
    EXPECT_EQ(encodeIntegers(values).size(), 6u + 2u);
}

TEST(OverlaneColumns, RealsKeepEveryBit)
{
    const std::vector<double> values = {0.0, -0.0, 1e308, std::nan(""), -std::numeric_limits<double>::infinity(), 0.1};
    const Result<std::vector<double>> again = decodeReals(encodeReals(values), values.size());
    ASSERT_TRUE(again.ok());
    for (std::size_t at = 0; at < values.size(); ++at)
        EXPECT_EQ(std::signbit(values[at]), std::signbit(again.value()[at]));
    EXPECT_EQ(again.value()[5], 0.1);
    EXPECT_TRUE(std::isnan(again.value()[3]));
}

TEST(OverlaneColumns, RefusesTooFewTooManyAndOverlongBytes)
{
    const PackedBytes three = encodeIntegers(std::vector<std::int64_t>{1, 2, 3});
    EXPECT_FALSE(decodeIntegers(three, 4).ok());
    EXPECT_FALSE(decodeIntegers(three, 2).ok());
    EXPECT_FALSE(decodeIntegers(PackedBytes{0x80}, 1).ok());
    EXPECT_FALSE(decodeIntegers(PackedBytes(11, 0x80), 1).ok());
    EXPECT_FALSE(decodeReals(three, 1).ok());
    EXPECT_TRUE(decodeIntegers(PackedBytes{}, 0).ok());
}

TEST(ZstdCodec, RefusesAnythingButTheAnnouncedSize)
{
    const PackedBytes raw(1000, 7);
    const PackedBytes packed = zstdPack(raw);
    ASSERT_TRUE(zstdUnpack(packed, 1000).ok());
    EXPECT_EQ(zstdUnpack(packed, 1000).value(), raw);
    EXPECT_FALSE(zstdUnpack(packed, 999).ok());
    EXPECT_FALSE(zstdUnpack(PackedBytes(packed.begin(), packed.end() - 1), 1000).ok());
    EXPECT_FALSE(zstdUnpack(PackedBytes{}, 0).ok());
}

}  // namespace
}  // namespace overlane
