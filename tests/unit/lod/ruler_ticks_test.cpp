#include "core/lod/ruler_ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/units.h"

namespace overlane
{

namespace
{

std::vector<std::string> majorLabels(const Ruler& ruler)
{
    std::vector<std::string> labels;
    for (const RulerTick& tick : ruler.ticks)
        if (tick.major)
            labels.push_back(tick.label);
    return labels;
}

}  // namespace

TEST(RulerTicks, StepsAreOneTwoOrFive)
{
    EXPECT_EQ(niceStepNs(0), 1);
    EXPECT_EQ(niceStepNs(1), 1);
    EXPECT_EQ(niceStepNs(3), 5);
    EXPECT_EQ(niceStepNs(6), 10);
    EXPECT_EQ(niceStepNs(20), 20);
    EXPECT_EQ(niceStepNs(1'000'001), 2'000'000);
    EXPECT_GE(niceStepNs(4'000'000'000'000'000'000), 4'000'000'000'000'000'000);
}

TEST(RulerTicks, LabelsTakeTheUnitAndDecimalsOfTheStep)
{
    EXPECT_THAT(majorLabels(rulerTicks({0, 10 * kNsPerMs}, 1000, 200)),
                testing::ElementsAre("0\u2009ms", "2\u2009ms", "4\u2009ms", "6\u2009ms", "8\u2009ms"));
    EXPECT_THAT(majorLabels(rulerTicks({10'100'000, 10'350'000}, 1000, 400)),
                testing::ElementsAre("10.1\u2009ms", "10.2\u2009ms", "10.3\u2009ms"));
    EXPECT_THAT(majorLabels(rulerTicks({0, 900}, 900, 300)), testing::ElementsAre("0\u2009ns", "500\u2009ns"));
    EXPECT_THAT(majorLabels(rulerTicks({-1500, 1600}, 300, 90)),
                testing::ElementsAre("\u22121\u2009\u00b5s", "0\u2009\u00b5s", "1\u2009\u00b5s"));
}

TEST(RulerTicks, DeepZoomsAreCountedFromABase)
{
    const Ruler ruler = rulerTicks({12'345'678'901, 12'345'679'401}, 1000, 200);
    EXPECT_EQ(ruler.stepNs, 100);
    EXPECT_EQ(ruler.baseNs, 12'345'675'000);
    EXPECT_EQ(ruler.baseLabel, "12.345675\u2009s");
    EXPECT_THAT(majorLabels(ruler), testing::ElementsAre("+4.0\u2009\u00b5s", "+4.1\u2009\u00b5s", "+4.2\u2009\u00b5s",
                                                         "+4.3\u2009\u00b5s", "+4.4\u2009\u00b5s"));
}

TEST(RulerTicks, LieInsideTheRangeAndApart)
{
    for (std::int64_t length = 7; length < 4'000'000'000'000'000; length = length * 3 + 1) {
        for (const std::int64_t start : {std::int64_t{0}, std::int64_t{-5}, length / 3, 100 * length}) {
            const Ruler ruler = rulerTicks({start, start + length}, 1700, 90);
            ASSERT_FALSE(ruler.ticks.empty()) << length;
            ASSERT_GE(static_cast<double>(ruler.stepNs) * 1700 / static_cast<double>(length), 90.0 - 1e-6);
            ASSERT_LE(ruler.ticks.size(), 110u);
            for (std::size_t i = 0; i < ruler.ticks.size(); ++i) {
                ASSERT_GE(ruler.ticks[i].timeNs, start);
                ASSERT_LT(ruler.ticks[i].timeNs, start + length);
                if (i > 0) {
                    ASSERT_GT(ruler.ticks[i].timeNs, ruler.ticks[i - 1].timeNs);
                }
                ASSERT_EQ(ruler.ticks[i].major, !ruler.ticks[i].label.empty());
            }
        }
    }
}

TEST(RulerTicks, AreNoneWhereThereIsNothingToMeasure)
{
    EXPECT_TRUE(rulerTicks({5, 5}, 100, 10).ticks.empty());
    EXPECT_TRUE(rulerTicks({5, 2}, 100, 10).ticks.empty());
    EXPECT_TRUE(rulerTicks({0, 100}, 0, 10).ticks.empty());
    EXPECT_TRUE(rulerTicks({0, 100}, 100, 0).ticks.empty());
}

}  // namespace overlane
