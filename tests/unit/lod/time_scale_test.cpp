#include "core/lod/time_scale.h"

#include <gtest/gtest.h>

namespace overlane
{

TEST(TimeScale, MapsBothWays)
{
    const TimeScale scale({1000, 3000}, 200);
    EXPECT_DOUBLE_EQ(scale.toPx(1000), 0);
    EXPECT_DOUBLE_EQ(scale.toPx(2000), 100);
    EXPECT_DOUBLE_EQ(scale.toPx(3000), 200);
    EXPECT_DOUBLE_EQ(scale.toPx(500), -50);
    EXPECT_EQ(scale.toNs(100), 2000);
    EXPECT_EQ(scale.toNs(-10), 900);
    EXPECT_EQ(scale.lengthNs(10.0), 100);
    EXPECT_DOUBLE_EQ(scale.lengthPx(100), 10);
}

TEST(TimeScale, IsFlatWhereThereIsNothingToShow)
{
    for (const TimeScale& scale : {TimeScale({5, 5}, 100), TimeScale({5, 9}, 0), TimeScale({5, 9}, -1)}) {
        EXPECT_TRUE(scale.degenerate());
        EXPECT_EQ(scale.toPx(1'000'000), 0);
        EXPECT_EQ(scale.toNs(77), 5);
        EXPECT_EQ(scale.lengthNs(77.0), 0);
    }
}

TEST(TimeScale, ColumnsTileTheRangeEvenWhereTheyAreManyOrTimesAreHuge)
{
    for (const Interval range :
         {Interval{3, 10}, Interval{-1'000'003, 999'999}, Interval{0, 4'000'000'000'000'000'000}})
        for (const int columns : {1, 3, 1920}) {
            const TimeScale scale(range, columns);
            EXPECT_EQ(scale.columnStartNs(0, columns), range.startNs);
            EXPECT_EQ(scale.columnStartNs(columns, columns), range.endNs);
            for (int i = 0; i < columns; ++i)
                ASSERT_LE(scale.columnStartNs(i, columns), scale.columnStartNs(i + 1, columns));
        }
}

}  // namespace overlane
