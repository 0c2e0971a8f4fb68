#include "core/sweep/sweep_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> values(std::string_view text)
{
    const auto axis = parseSweepAxis(text);
    EXPECT_TRUE(axis.ok()) << text << ": " << axis.error();
    return axis.ok() ? axis.value().values : std::vector<double>();
}

std::string error(std::string_view text)
{
    const auto axis = parseSweepAxis(text);
    EXPECT_FALSE(axis.ok()) << text;
    return axis.ok() ? std::string() : axis.error();
}

TEST(SweepAxisTest, EqualStepsHoldBothEnds)
{
    EXPECT_THAT(values("compute_us=1000..9000:5"), ElementsAre(1000, 3000, 5000, 7000, 9000));
    EXPECT_THAT(values("workers=8..0:3"), ElementsAre(8, 4, 0));
    EXPECT_FALSE(parseSweepAxis("compute_us=1000..9000:5").value().logarithmic);
}

TEST(SweepAxisTest, EqualRatiosHoldBothEnds)
{
    EXPECT_THAT(values("batch_bytes=1M..256MiB*5"), ElementsAre(kMiB, 4 * kMiB, 16 * kMiB, 64 * kMiB, 256 * kMiB));
    EXPECT_TRUE(parseSweepAxis("batch_bytes=1M..256M*20").value().logarithmic);
    EXPECT_EQ(values("batch_bytes=1M..256M*20").size(), 20U);
    EXPECT_EQ(values("batch_bytes=1M..256M*20").back(), 256 * kMiB);
}

TEST(SweepAxisTest, WholeNumbersComeOnce)
{
    EXPECT_THAT(values("workers=0..4"), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(values("tensors=1..8*8"), ElementsAre(1, 2, 3, 4, 6, 8));
}

TEST(SweepAxisTest, ListsAndChoices)
{
    EXPECT_THAT(values("pin=thread,none"), ElementsAre(1, 0));
    EXPECT_THAT(values("pin=all"), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(values("non_blocking=all"), ElementsAre(0, 1));
    EXPECT_THAT(values("workers=3,1,7"), ElementsAre(3, 1, 7));
}

TEST(SweepAxisTest, TextComesBack)
{
    for (const char* text : {"batch_bytes=1M..256M*7", "pin=thread,none", "compute_us=0.1..7:9", "workers=0..4"}) {
        const SweepAxis axis = parseSweepAxis(text).value();
        EXPECT_EQ(values(axisText(axis)), axis.values) << axisText(axis);
    }
}

TEST(SweepAxisTest, MistakesAreNamed)
{
    test::expectText(error("batchbytes=1M,2M"));
    test::expectText(error("workers"));
    test::expectText(error("workers="));
    test::expectText(error("workers=0..8*4"));
    EXPECT_THAT(error("workers=0..500:4"), HasSubstr("between"));
    test::expectText(error("workers=1..5:1"));
    test::expectText(error("workers=1..5:x"));
    test::expectText(error("workers=4..4:2"));
    test::expectText(error("batch_bytes=1M..2M"));
    test::expectText(error("batches=1..90000"));
    test::expectText(error("pin=none..ring:2"));
    test::expectText(error("pin=none,nowhere"));
    EXPECT_THAT(error("workers=2,2"), HasSubstr("twice"));
    test::expectText(error("workers=all"));
}

}  // namespace
}  // namespace overlane
