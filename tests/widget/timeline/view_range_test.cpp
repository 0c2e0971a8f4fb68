#include "app/timeline/view_range.h"

#include <gtest/gtest.h>

#include "app/timeline/held_keys.h"

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

TEST(RangeMotion, KeepsTheAnchorOfAZoomInPlace)
{
    // The anchor 250'000 lies at a quarter of both.
    const RangeMotion motion({0, 1'000'000}, {225'000, 325'000}, 100);
    EXPECT_EQ(motion.at(0), (Interval{0, 1'000'000}));
    EXPECT_EQ(motion.at(100), (Interval{225'000, 325'000}));
    EXPECT_EQ(motion.at(5'000), (Interval{225'000, 325'000}));
    EXPECT_EQ(motion.at(-5), (Interval{0, 1'000'000}));
    std::int64_t before = 1'000'001;
    for (int ms = 0; ms < 100; ms += 10) {
        const Interval range = motion.at(ms);
        EXPECT_NEAR(static_cast<double>(250'000 - range.startNs) / static_cast<double>(range.lengthNs()), 0.25, 1e-4);
        EXPECT_LT(range.lengthNs(), before);
        before = range.lengthNs();
    }
}

TEST(RangeMotion, SlowsDownOnItsWay)
{
    const RangeMotion motion({0, 1'000}, {8'000, 9'000}, 100);
    EXPECT_EQ(motion.at(50), (Interval{7'000, 8'000})) << "seven eighths of the way after half the time";
}

class MovingRange : public testing::Test
{
protected:
    MovingRange()
    {
        m_view.setLimits({0, 1'000'000});
        m_view.setMotionMs(100);
    }
    ViewRange m_view;
};

TEST_F(MovingRange, SmoothStepsAddUpAndComeToRestAtTheirTarget)
{
    m_view.zoomBy(2, 500'000, ViewRange::Pace::Smooth);
    EXPECT_EQ(m_view.range(), (Interval{0, 1'000'000})) << "on its way, not there";
    EXPECT_EQ(m_view.target(), (Interval{250'000, 750'000}));
    m_view.advance(30);
    EXPECT_GT(m_view.range().startNs, 0);
    EXPECT_LT(m_view.range().startNs, 250'000);
    m_view.zoomBy(2, 500'000, ViewRange::Pace::Smooth);
    EXPECT_EQ(m_view.target().lengthNs(), 250'000);
    m_view.advance(100);
    EXPECT_EQ(m_view.range().lengthNs(), 250'000);
    EXPECT_NEAR(static_cast<double>(m_view.range().startNs), 375'000, 1);
    EXPECT_EQ(m_view.range(), m_view.target());
    m_view.back();
    m_view.advance(100);
    EXPECT_EQ(m_view.range(), (Interval{0, 1'000'000})) << "one gesture, one step of the history";
}

TEST_F(MovingRange, AnythingInterruptsAMotion)
{
    m_view.glideTo({100'000, 200'000});
    m_view.advance(20);
    m_view.setRange({500'000, 600'000});
    m_view.advance(50);
    EXPECT_EQ(m_view.range(), (Interval{500'000, 600'000}));

    m_view.glideTo({100'000, 200'000});
    m_view.advance(20);
    const Interval shown = m_view.range();
    m_view.panBy(1'000);
    EXPECT_EQ(m_view.range(), (Interval{shown.startNs + 1'000, shown.endNs + 1'000})) << "a drag moves what is seen";

    m_view.glideTo({100'000, 200'000});
    m_view.setMotionMs(0);
    EXPECT_EQ(m_view.range(), (Interval{100'000, 200'000}));
    m_view.fitAll();
    EXPECT_EQ(m_view.range(), (Interval{0, 1'000'000}));
}

TEST_F(MovingRange, NewLimitsEndAMotionWhereItWasGoing)
{
    m_view.glideTo({100'000, 200'000});
    m_view.advance(20);
    m_view.setLimits({0, 900'000});
    EXPECT_EQ(m_view.range(), (Interval{100'000, 200'000}));
    m_view.glideTo({0, 900'000});
    m_view.setLimits({0, 800'000});
    EXPECT_EQ(m_view.range(), (Interval{0, 800'000}));
}

TEST_F(MovingRange, AHeldKeyGoesOnUntilItIsReleased)
{
    HeldKeys held(&m_view, [] { return std::int64_t{500'000}; });
    m_view.setRange({0, 100'000});
    EXPECT_TRUE(held.press(TimelineAction::PanRight, false));
    EXPECT_EQ(m_view.target(), (Interval{20'000, 120'000})) << "one step at once";
    EXPECT_TRUE(held.press(TimelineAction::PanRight, true));
    EXPECT_EQ(m_view.target(), (Interval{20'000, 120'000})) << "the keyboard's repetition adds nothing";
    m_view.advance(100);
    const std::int64_t before = m_view.range().startNs;
    for (int frame = 0; frame < 11; ++frame)
        held.advance(10);
    EXPECT_NEAR(static_cast<double>(m_view.range().startNs - before), 20'000, 20) << "110 ms make one step";
    held.press(TimelineAction::ZoomIn, false);
    held.advance(10);
    EXPECT_LT(m_view.range().lengthNs(), 100'000) << "two keys together";
    held.release(TimelineAction::PanRight);
    EXPECT_TRUE(held.moving());
    held.release(TimelineAction::ZoomIn);
    EXPECT_FALSE(held.moving());
    const Interval rest = m_view.target();
    held.advance(10);
    EXPECT_EQ(m_view.target(), rest);
    EXPECT_FALSE(held.press(TimelineAction::FitAll, false)) << "not a key that moves";
}

TEST_F(MovingRange, AFrameThatTookLongIsNoLeap)
{
    HeldKeys held(&m_view, [] { return std::int64_t{0}; });
    m_view.setRange({0, 100'000});
    held.press(TimelineAction::PanRight, false);
    m_view.advance(100);
    held.advance(60'000);
    EXPECT_LT(m_view.range().startNs, 40'000);
}

}  // namespace overlane
