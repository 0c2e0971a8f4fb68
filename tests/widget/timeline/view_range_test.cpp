#include "app/timeline/view_range.h"

#include <gtest/gtest.h>

namespace overlane
{

TEST(ViewRange, StaysWithinItsLimits)
{
    ViewRange view;
    view.setLimits({0, 1'000'000});
    EXPECT_EQ(view.range(), (Interval{0, 1'000'000}));
    view.setRange({200'000, 400'000});
    EXPECT_EQ(view.range(), (Interval{200'000, 400'000}));
    view.panBy(-300'000);
    EXPECT_EQ(view.range(), (Interval{0, 200'000}));
    view.panBy(5'000'000);
    EXPECT_EQ(view.range(), (Interval{800'000, 1'000'000}));
    view.setRange({-5, 2'000'000});
    EXPECT_EQ(view.range(), (Interval{0, 1'000'000}));
    view.setRange({500, 500});
    EXPECT_EQ(view.range().lengthNs(), ViewRange::kMinimumNs);
}

TEST(ViewRange, ZoomsAroundItsAnchor)
{
    ViewRange view;
    view.setLimits({0, 1'000'000});
    view.zoomBy(2, 250'000);
    EXPECT_EQ(view.range(), (Interval{125'000, 625'000}));
    view.zoomBy(0.5, 250'000);
    EXPECT_EQ(view.range(), (Interval{0, 1'000'000}));
    view.zoomBy(1e12, 400'000);
    EXPECT_EQ(view.range().lengthNs(), ViewRange::kMinimumNs);
    EXPECT_TRUE(view.range().contains(400'000));
    for (const double factor : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        const Interval before = view.range();
        view.zoomBy(factor, 0);
        EXPECT_EQ(view.range(), before);
    }
}

TEST(ViewRange, GoesBackAndForward)
{
    ViewRange view;
    view.setLimits({0, 1'000'000});
    view.setRange({0, 500'000});
    view.setRange({100'000, 200'000});
    view.back();
    EXPECT_EQ(view.range(), (Interval{0, 500'000}));
    view.back();
    EXPECT_EQ(view.range(), (Interval{0, 1'000'000}));
    EXPECT_FALSE(view.canGoBack());
    view.forward();
    EXPECT_EQ(view.range(), (Interval{0, 500'000}));
    view.setRange({0, 300'000});
    EXPECT_FALSE(view.canGoForward());
}

TEST(ViewRange, FollowsNewLimitsWithoutJumping)
{
    ViewRange view;
    view.setLimits({0, 1'000'000});
    view.setLimits({0, 2'000'000});
    EXPECT_EQ(view.range(), (Interval{0, 2'000'000})) << "the whole stays the whole";
    view.setRange({100'000, 300'000});
    view.setLimits({0, 1'500'000});
    EXPECT_EQ(view.range(), (Interval{100'000, 300'000}));
    view.setLimits({0, 200'000});
    EXPECT_EQ(view.range(), (Interval{0, 200'000}));
    view.setLimits({5, 5});
    EXPECT_FALSE(view.range().empty());
}

}  // namespace overlane
