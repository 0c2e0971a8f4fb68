// Sample: the distribution of one measured quantity, and what the difference of two such samples is
// worth.
//
// Pure functions, any thread. Quantiles are those of core/base/statistics.h. The test is the rank test of Mann and
// Whitney
// ("On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other", 1947),
// two-sided: exact where both samples are small and no values tie, else the normal approximation with
// corrections for ties and continuity (Lehmann, "Nonparametrics", 1975). The effect is Vargha and
// Delaney's A ("A Critique and Improvement of the CL Common Language Effect Size Statistics", 2000).
// Steps of one run follow each other and are not quite independent, so p is a guide and not a proof;
// that is why a difference must be both unlikely and large beside the spread to be claimed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace overlane
{

struct Distribution {
    std::size_t count = 0;
    double median = 0;
    double lowerQuartile = 0;
    double upperQuartile = 0;
    double least = 0;
    double most = 0;

    double spread() const { return upperQuartile - lowerQuartile; }
};
// All zero for an empty sample.
Distribution distribution(std::vector<double> values);

struct RankTest {
    double p = 1;         // of at least such a difference if both came from one distribution
    double effect = 0.5;  // chance that a value of the second sample is above one of the first; ties half
};
// {1, 0.5} where a sample is empty or all values are equal.
RankTest rankTest(std::span<const double> first, std::span<const double> second);

// What may be said of a difference.
enum class Claim : std::uint8_t {
    TooFew,        // fewer than kFewestForClaim values on a side: no claim either way
    WithinSpread,  // the spread covers it
    TooUneven,     // a few long steps carry the cost, so that neither mean nor median stands for all
    Lower,         // the second sample is lower
    Higher,        // the second sample is higher
};
constexpr std::size_t kFewestForClaim = 5;
constexpr double kClaimP = 0.05;
// |effect - 0.5| from here on is "medium" by Vargha and Delaney.
constexpr double kClaimEffect = 0.14;

// `p` is given beside the test because a table of many tests corrects it first.
Claim claimOf(std::size_t firstCount, std::size_t secondCount, const RankTest& test, double p);
constexpr bool isClaimed(Claim claim)
{
    return claim == Claim::Lower || claim == Claim::Higher;
}
// "too_few", "within_spread", "too_uneven", "lower", "higher"; stable, used in JSON.
std::string_view claimName(Claim claim);

// The p values of a family of tests so that at most 5 % of what is claimed below 0.05 is false
// (Benjamini and Hochberg, "Controlling the False Discovery Rate", 1995). In the order given.
std::vector<double> adjustedForMany(std::span<const double> p);

}  // namespace overlane
