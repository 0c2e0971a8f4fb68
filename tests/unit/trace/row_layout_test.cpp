#include "core/trace/row_layout.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace overlane
{
namespace
{

TEST(RowLayoutTest, ASequenceStaysOnOneRow)
{
    RowLayout layout;
    EXPECT_EQ(layout.place(0, 10), 0u);
    EXPECT_EQ(layout.place(10, 20), 0u);
    EXPECT_EQ(layout.place(25, 30), 0u);
    EXPECT_EQ(layout.rowCount(), 1u);
}

TEST(RowLayoutTest, NestedIntervalsGoBelow)
{
    RowLayout layout;
    EXPECT_EQ(layout.place(0, 100), 0u);
    EXPECT_EQ(layout.place(0, 50), 1u);
    EXPECT_EQ(layout.place(10, 20), 2u);
    EXPECT_EQ(layout.place(20, 30), 2u);
    EXPECT_EQ(layout.place(50, 60), 1u);
    EXPECT_EQ(layout.rowCount(), 3u);
}

TEST(RowLayoutTest, EmptyIntervalsAtOneTimeShareARow)
{
    RowLayout layout;
    EXPECT_EQ(layout.place(5, 5), 0u);
    EXPECT_EQ(layout.place(5, 5), 0u);
}

// The topmost row whose last interval ended, by trying all of them.
std::uint32_t naivePlace(std::vector<std::int64_t>& endsNs, std::int64_t startNs, std::int64_t endNs)
{
    for (std::size_t row = 0; row < endsNs.size(); ++row) {
        if (endsNs[row] <= startNs) {
            endsNs[row] = endNs;
            return static_cast<std::uint32_t>(row);
        }
    }
    endsNs.push_back(endNs);
    return static_cast<std::uint32_t>(endsNs.size() - 1);
}

TEST(RowLayoutTest, AgreesWithTryingEveryRow)
{
    for (unsigned seed = 1; seed <= 50; ++seed) {
        std::mt19937 random(seed);
        RowLayout layout;
        std::vector<std::int64_t> endsNs;
        std::int64_t startNs = 0;
        for (int i = 0; i < 300; ++i) {
            startNs += static_cast<std::int64_t>(random() % 5);
            const std::int64_t endNs = startNs + static_cast<std::int64_t>(random() % 30);
            ASSERT_EQ(layout.place(startNs, endNs), naivePlace(endsNs, startNs, endNs)) << "seed " << seed;
        }
        EXPECT_EQ(layout.rowCount(), endsNs.size());
    }
}

}  // namespace
}  // namespace overlane
