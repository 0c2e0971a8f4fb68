#include "app/timeline/lane_raster.h"

#include <gtest/gtest.h>

namespace overlane
{

namespace
{

constexpr int kHeightPx = 18;
constexpr QRgb kInk = 0xff0072b2;
constexpr QRgb kGround = 0xffa0c8e0;

// A bar of a width, from the top of its middle column down: '#' ink, '.' ground.
std::string column(MemoryPattern pattern, bool mixed, int widthPx)
{
    LaneRaster raster;
    raster.begin({widthPx, kHeightPx}, Qt::white);
    LaneRaster::Bar bar;
    bar.rightPx = widthPx;
    bar.bottomPx = kHeightPx;
    bar.ink = kInk;
    bar.ground = kGround;
    bar.pattern = pattern;
    bar.mixed = mixed;
    raster.draw(bar);
    std::string result;
    for (int y = 0; y < kHeightPx; ++y)
        result += raster.image().pixel(widthPx / 2, y) == kInk ? '#' : '.';
    return result;
}

}  // namespace

TEST(LaneRaster, TellsTheMemoryOfACopyAtAnyWidth)
{
    for (const int width : {1, 2, 3, 5, 7, 8, 9, 40}) {
        const std::string pinned = column(MemoryPattern::Solid, false, width);
        const std::string pageable = column(MemoryPattern::Hatch, false, width);
        const std::string managed = column(MemoryPattern::Dots, false, width);
        const std::string unknown = column(MemoryPattern::Outline, false, width);
        const std::string mixed = column(MemoryPattern::Hatch, true, width);
        const auto ink = [](const std::string& text) { return std::count(text.begin(), text.end(), '#'); };
        EXPECT_EQ(ink(pinned), kHeightPx) << width;
        for (const std::string& other : {pageable, managed, unknown, mixed})
            EXPECT_GE(kHeightPx - ink(other), 4) << width << ": too much like pinned";
        EXPECT_GT(ink(pageable), 5) << width;
        EXPECT_GT(ink(mixed), ink(pageable)) << width;
        EXPECT_EQ(mixed.substr(0, kHeightPx / 2), std::string(kHeightPx / 2, '#')) << width;
        EXPECT_NE(pageable, unknown) << width;
        EXPECT_NE(pageable, managed) << width;
    }
}

TEST(LaneRaster, StaysWithinItsImage)
{
    LaneRaster raster;
    raster.begin({10, 10}, Qt::white);
    for (const MemoryPattern pattern :
         {MemoryPattern::Solid, MemoryPattern::Hatch, MemoryPattern::Dots, MemoryPattern::Outline}) {
        LaneRaster::Bar bar;
        bar.pattern = pattern;
        for (const QRect rect : {QRect(-50, -50, 200, 200), QRect(20, 2, 5, 5), QRect(-20, 2, 5, 5), QRect(2, 40, 5, 5),
                                 QRect(8, 8, 1, 40)}) {
            bar.leftPx = rect.left();
            bar.rightPx = rect.right() + 1;
            bar.topPx = rect.top();
            bar.bottomPx = rect.bottom() + 1;
            raster.draw(bar);
        }
    }
    EXPECT_EQ(raster.image().size(), QSize(10, 10));
}

}  // namespace overlane
