#include "core/analysis/interval_set.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

TEST(IntervalSetTest, AnEmptySetHasNoLengthAndNoSpan)
{
    const IntervalSet set;
    EXPECT_EQ(set.measureNs(), 0);
    EXPECT_EQ(set.measureNs({-5, 5}), 0);
    EXPECT_EQ(set.span(), (Interval{0, 0}));
    EXPECT_THAT(set.gaps({3, 7}).intervals(), ElementsAre(Interval{3, 7}));
    EXPECT_TRUE(unite(std::vector<IntervalSet>()).empty());
}

TEST(IntervalSetTest, MergesOverlapsAndNeighborsAndIgnoresEmptyOnes)
{
    const IntervalSet set({{20, 30}, {0, 5}, {5, 10}, {7, 7}, {40, 35}, {25, 28}});
    EXPECT_THAT(set.intervals(), ElementsAre(Interval{0, 10}, Interval{20, 30}));
    EXPECT_EQ(set.measureNs(), 20);
}

TEST(IntervalSetTest, IsMadeOfAnyOrder)
{
    const IntervalSet set({{50, 60}, {10, 20}, {55, 70}, {0, 12}});
    EXPECT_THAT(set.intervals(), ElementsAre(Interval{0, 20}, Interval{50, 70}));
    EXPECT_EQ(set.measureNs({15, 55}), 10);
}

TEST(IntervalSetTest, MeasureClipsAtBothEnds)
{
    const IntervalSet set({{10, 20}, {30, 40}});
    EXPECT_EQ(set.measureNs({15, 35}), 10);
    EXPECT_EQ(set.measureNs({20, 30}), 0);
    EXPECT_EQ(set.measureNs({12, 13}), 1);
    EXPECT_EQ(set.measureNs({13, 12}), 0);
    EXPECT_EQ(set.measureNs({-100, 100}), 20);
}

TEST(IntervalSetTest, GapsAreWhatIsLeftOfTheRange)
{
    const IntervalSet set({{10, 20}, {30, 40}});
    EXPECT_THAT(set.gaps({0, 50}).intervals(), ElementsAre(Interval{0, 10}, Interval{20, 30}, Interval{40, 50}));
    EXPECT_THAT(set.gaps({15, 35}).intervals(), ElementsAre(Interval{20, 30}));
    EXPECT_THAT(set.gaps({12, 18}).intervals(), IsEmpty());
}

// Each nanosecond asked on its own.
constexpr std::int64_t kWidthNs = 64;
using Naive = std::array<bool, kWidthNs>;

Naive paint(const std::vector<Interval>& intervals)
{
    Naive cells{};
    for (const Interval interval : intervals)
        for (std::int64_t at = interval.startNs; at < interval.endNs; ++at)
            cells[static_cast<std::size_t>(at)] = true;
    return cells;
}

template <typename Operation>
IntervalSet naiveSet(const Naive& a, const Naive& b, Operation operation)
{
    std::vector<Interval> cells;
    for (std::int64_t at = 0; at < kWidthNs; ++at)
        if (operation(a[static_cast<std::size_t>(at)], b[static_cast<std::size_t>(at)]))
            cells.push_back({at, at + 1});
    return IntervalSet(cells);
}

TEST(IntervalSetTest, AgreesWithAskingEveryNanosecond)
{
    for (unsigned seed = 1; seed <= 300; ++seed) {
        std::mt19937 random(seed);
        const auto some = [&] {
            std::vector<Interval> intervals(random() % 9);
            for (Interval& interval : intervals) {
                interval.startNs = static_cast<std::int64_t>(random() % kWidthNs);
                interval.endNs = std::min<std::int64_t>(kWidthNs, interval.startNs + random() % 15);
            }
            return intervals;
        };
        const std::vector<Interval> left = some(), right = some();
        const Naive a = paint(left), b = paint(right);
        const IntervalSet x(left), y(right);
        ASSERT_EQ(unite(x, y), naiveSet(a, b, [](bool p, bool q) { return p || q; })) << "seed " << seed;
        ASSERT_EQ(intersect(x, y), naiveSet(a, b, [](bool p, bool q) { return p && q; })) << "seed " << seed;
        ASSERT_EQ(subtract(x, y), naiveSet(a, b, [](bool p, bool q) { return p && !q; })) << "seed " << seed;
        ASSERT_EQ(unite({x, y, x}), unite(x, y)) << "seed " << seed;
        const auto first = static_cast<std::int64_t>(random() % kWidthNs);
        const auto last = first + static_cast<std::int64_t>(random() % (kWidthNs - first));
        ASSERT_EQ(x.measureNs({first, last}), std::count(a.begin() + first, a.begin() + last, true)) << "seed " << seed;
        ASSERT_EQ(x.measureNs({first, last}) + x.gaps({first, last}).measureNs(), last - first) << "seed " << seed;
    }
}

}  // namespace
}  // namespace overlane
