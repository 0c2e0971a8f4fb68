// Strong ids, intervals and progress: the small values everything else is made of.
#include <gtest/gtest.h>
#include <thread>
#include <type_traits>
#include <unordered_set>

#include "core/base/interval.h"
#include "core/base/progress.h"
#include "core/base/strong_id.h"

namespace overlane
{
namespace
{

static_assert(!std::is_convertible_v<TrackId, StringId>);
static_assert(!std::is_convertible_v<int, TrackId>);
static_assert(sizeof(EventIndex) == 4);

TEST(StrongIdTest, DefaultIsNoneAndZeroIsNot)
{
    EXPECT_FALSE(TrackId().valid());
    EXPECT_TRUE(TrackId(0).valid());
    EXPECT_NE(TrackId(), TrackId(0));
}

TEST(StrongIdTest, OrdersAndHashesByValueWithNoneLast)
{
    EXPECT_LT(TrackId(1), TrackId(2));
    EXPECT_LT(TrackId(1000), TrackId());
    const std::unordered_set<TrackId> ids{TrackId(1), TrackId(1), TrackId(2)};
    EXPECT_EQ(ids.size(), 2u);
}

TEST(IntervalTest, IsHalfOpen)
{
    constexpr Interval interval{10, 20};
    EXPECT_TRUE(interval.contains(10));
    EXPECT_TRUE(interval.contains(19));
    EXPECT_FALSE(interval.contains(20));
    EXPECT_FALSE(interval.contains(9));
    EXPECT_EQ(interval.lengthNs(), 10);
}

TEST(IntervalTest, NeighborsDoNotOverlap)
{
    EXPECT_FALSE((Interval{0, 10}.overlaps({10, 20})));
    EXPECT_TRUE((Interval{0, 11}.overlaps({10, 20})));
    EXPECT_TRUE((Interval{0, 10}.intersected({10, 20}).empty()));
}

TEST(IntervalTest, IntersectionIsTheCommonPart)
{
    EXPECT_EQ((Interval{0, 15}.intersected({10, 20})), (Interval{10, 15}));
    EXPECT_EQ((Interval{0, 100}.intersected({10, 20})), (Interval{10, 20}));
    EXPECT_TRUE((Interval{0, 5}.intersected({10, 20}).empty()));
}

TEST(IntervalTest, EmptyOnesContainNothing)
{
    EXPECT_TRUE((Interval{5, 5}.empty()));
    EXPECT_TRUE((Interval{6, 5}.empty()));
    EXPECT_FALSE((Interval{5, 5}.contains(5)));
}

TEST(ProgressTest, CarriesFractionAndCancelAcrossThreads)
{
    Progress progress;
    EXPECT_EQ(progress.fraction(), 0);
    EXPECT_FALSE(progress.cancelled());
    std::thread worker([&] {
        progress.report(0.5);
        while (!progress.cancelled())
            std::this_thread::yield();
        progress.report(0.75);
    });
    progress.cancel();
    worker.join();
    EXPECT_TRUE(progress.cancelled());
    EXPECT_EQ(progress.fraction(), 0.75);
}

}  // namespace
}  // namespace overlane
