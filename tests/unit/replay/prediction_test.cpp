#include "core/replay/prediction.h"

#include <gtest/gtest.h>

#include "core/replay/prediction_blocks.h"
#include "tests/support/expect_text.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

TEST(Noise, NoDirectionIsClaimedWithinIt)
{
    const Noise noise{8 * kMs, Noise::Origin::Processes};
    EXPECT_EQ(noise.direction(50 * kMs, 48 * kMs), Direction::Unclear);
    EXPECT_EQ(noise.direction(50 * kMs, 42 * kMs), Direction::Unclear) << "as much as the noise is not beyond it";
    EXPECT_EQ(noise.direction(50 * kMs, 41 * kMs), Direction::Faster);
    EXPECT_EQ(noise.direction(50 * kMs, 59 * kMs), Direction::Slower);
}

TEST(Noise, ChangesWithinItSayHowLargeItIs)
{
    Noise noise{8 * kMs, Noise::Origin::Processes};
    test::expectText(changeWords(50 * kMs, 48 * kMs, noise));
    test::expectText(changeWords(50 * kMs, 53 * kMs, noise));
    EXPECT_EQ(changeWords(50 * kMs, 50 * kMs, noise), "no change");
    test::expectText(changeWords(50 * kMs, 25 * kMs, noise));
    test::expectText(changeWords(50 * kMs, 75 * kMs, noise));
    EXPECT_EQ(gainText(50 * kMs, 25 * kMs, noise), "25.0\u2009ms, 50 % less");
    EXPECT_EQ(gainText(50 * kMs, 48 * kMs, noise), changeWords(50 * kMs, 48 * kMs, noise));
    noise.largest = Noise::Origin::Steps;
    test::expectText(changeWords(50 * kMs, 48 * kMs, noise));
    noise.largest = Noise::Origin::Replay;
    test::expectText(changeWords(50 * kMs, 48 * kMs, noise));
    test::expectText(changeWords(100 * kMs, 99 * kMs, {kMs, Noise::Origin::Least}));
}

}  // namespace
}  // namespace overlane
