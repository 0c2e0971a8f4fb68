#include "core/compare/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace overlane
{
namespace
{

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(SampleTest, QuartilesInterpolate)
{
    const Distribution five = distribution({5, 1, 4, 2, 3});
    EXPECT_DOUBLE_EQ(five.median, 3);
    EXPECT_DOUBLE_EQ(five.lowerQuartile, 2);
    EXPECT_DOUBLE_EQ(five.upperQuartile, 4);
    EXPECT_DOUBLE_EQ(five.least, 1);
    EXPECT_DOUBLE_EQ(five.most, 5);
    EXPECT_DOUBLE_EQ(distribution({1, 2, 3, 4}).median, 2.5);
    EXPECT_DOUBLE_EQ(distribution({1, 2, 3, 4}).lowerQuartile, 1.75);
    EXPECT_EQ(distribution({}).count, 0U);
    EXPECT_DOUBLE_EQ(distribution({7}).upperQuartile, 7);
}

// The p values are sums of counts of orders, divided by all orders: 2/252, 8/252, and so on.
TEST(SampleTest, SmallSamplesAreTestedExactly)
{
    const std::vector<double> low{1, 2, 3, 4, 5};
    const RankTest apart = rankTest(low, std::vector<double>{6, 7, 8, 9, 10});
    EXPECT_NEAR(apart.p, 2.0 / 252, 1e-12);
    EXPECT_DOUBLE_EQ(apart.effect, 1);
    const RankTest below = rankTest(std::vector<double>{6, 7, 8, 9, 10}, low);
    EXPECT_NEAR(below.p, 2.0 / 252, 1e-12);
    EXPECT_DOUBLE_EQ(below.effect, 0);
    // U = 2: {1,2,3,4,7} against {5,6,8,9,10}.
    EXPECT_NEAR(rankTest(std::vector<double>{1, 2, 3, 4, 7}, std::vector<double>{5, 6, 8, 9, 10}).p, 8.0 / 252, 1e-12);
    // U = 1 of 3 and 4 values: 2 * 2 / 35.
    EXPECT_NEAR(rankTest(std::vector<double>{1, 2, 4}, std::vector<double>{3, 5, 6, 7}).p, 4.0 / 35, 1e-12);
}

// Four pairs of ties: U = 25.5 of 30, variance 30 / 12 * (12 - 24 / 110), z = (10.5 - 0.5) / 5.428.
TEST(SampleTest, TiesUseTheCorrectedNormalApproximation)
{
    const RankTest tied = rankTest(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{3, 4, 5, 6, 7, 7});
    EXPECT_NEAR(tied.effect, 25.5 / 30, 1e-12);
    EXPECT_NEAR(tied.p, 0.065392, 1e-6);
}

TEST(SampleTest, NothingToTestIsNoDifference)
{
    EXPECT_DOUBLE_EQ(rankTest({}, std::vector<double>{1, 2}).p, 1);
    const std::vector<double> same(8, 3.0);
    EXPECT_DOUBLE_EQ(rankTest(same, same).p, 1);
    EXPECT_DOUBLE_EQ(rankTest(same, same).effect, 0.5);
}

TEST(SampleTest, FewStepsAllowNoClaim)
{
    const std::vector<double> low{1, 2, 3, 4};
    const std::vector<double> high{101, 102, 103, 104, 105, 106};
    const RankTest test = rankTest(low, high);
    EXPECT_LT(test.p, 0.05);
    EXPECT_EQ(claimOf(low.size(), high.size(), test, test.p), Claim::TooFew);
}

TEST(SampleTest, AManyStepsTinyShiftIsCoveredByTheSpread)
{
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0, 1);
    std::vector<double> a;
    std::vector<double> b;
    for (int i = 0; i < 4000; ++i) {
        a.push_back(100 + noise(random));
        b.push_back(100.15 + noise(random));
    }
    const RankTest test = rankTest(a, b);
    EXPECT_LT(test.p, 0.001);
    EXPECT_EQ(claimOf(a.size(), b.size(), test, test.p), Claim::WithinSpread);
}

// The same distribution twice: claims are rare.
TEST(SampleTest, NoiseIsSeldomClaimed)
{
    std::mt19937 random(11);
    std::lognormal_distribution<double> noise(0, 0.3);
    int claims = 0;
    for (int trial = 0; trial < 400; ++trial) {
        std::vector<double> a;
        std::vector<double> b;
        for (int i = 0; i < 12; ++i) {
            a.push_back(noise(random));
            b.push_back(noise(random));
        }
        const RankTest test = rankTest(a, b);
        const Claim claim = claimOf(a.size(), b.size(), test, test.p);
        claims += claim == Claim::Lower || claim == Claim::Higher ? 1 : 0;
    }
    EXPECT_LT(claims, 400 * 8 / 100);
}

// Benjamini and Hochberg by hand: 4 * 0.01, 4 * 0.02 / 2, 4 * 0.03 / 3, then the last.
TEST(SampleTest, ManyTestsAreCorrectedTogether)
{
    const std::vector<double> p{0.03, 0.01, 0.9, 0.02};
    EXPECT_THAT(adjustedForMany(p), ElementsAre(DoubleNear(0.04, 1e-12), DoubleNear(0.04, 1e-12),
                                                DoubleNear(0.9, 1e-12), DoubleNear(0.04, 1e-12)));
    EXPECT_TRUE(adjustedForMany({}).empty());
}

}  // namespace
}  // namespace overlane
