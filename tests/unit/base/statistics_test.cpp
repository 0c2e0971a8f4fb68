#include "core/base/statistics.h"

#include <gtest/gtest.h>
#include <limits>

namespace overlane
{
namespace
{

using Numbers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

TEST(StatisticsTest, TheMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo)
{
    EXPECT_EQ(median(Numbers{40, 10, 20, 30}), 25);
    EXPECT_EQ(median(Numbers{30, 10, 20}), 20);
    EXPECT_EQ(median(Numbers{1, 2}), 2);  // 1.5, to the nearest
    EXPECT_DOUBLE_EQ(median(Reals{1, 2}), 1.5);
    EXPECT_EQ(median(Numbers{7}), 7);
    EXPECT_EQ(median(Numbers{}), 0);
}

// numpy.quantile([15, 20, 35, 40, 50, 60], [0, 0.1, 0.25, 0.75, 0.9, 1])
TEST(StatisticsTest, QuantilesInterpolateAsNumPyDoes)
{
    const Reals values{35, 60, 15, 50, 20, 40};
    EXPECT_DOUBLE_EQ(quantile(values, 0), 15);
    EXPECT_DOUBLE_EQ(quantile(values, 0.1), 17.5);
    EXPECT_DOUBLE_EQ(quantile(values, 0.25), 23.75);
    EXPECT_DOUBLE_EQ(quantile(values, 0.75), 47.5);
    EXPECT_DOUBLE_EQ(quantile(values, 0.9), 55);
    EXPECT_DOUBLE_EQ(quantile(values, 1), 60);
}

TEST(StatisticsTest, TheLowerOnesAreValuesThatThereAre)
{
    const Numbers values{3, 9, 3, 9};
    EXPECT_EQ(lowerMedian(values), 3);
    EXPECT_EQ(median(values), 6);
    EXPECT_EQ(lowerQuantile(values, 1), 9);
    EXPECT_EQ(lowerQuantile(Numbers{5, 1, 4, 2, 3}, 0.95), 4);
    EXPECT_EQ(lowerMedian(Numbers{}), 0);
}

TEST(StatisticsTest, TimesThatAFileMadeUpDoNotOverflow)
{
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(median(Numbers{kMost, kMost}), kMost);
    EXPECT_EQ(median(Numbers{kLeast, kLeast}), kLeast);
    EXPECT_LE(std::abs(median(Numbers{kLeast, kMost})), 1);
}

}  // namespace
}  // namespace overlane
