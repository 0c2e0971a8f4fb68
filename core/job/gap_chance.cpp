#include "core/job/gap_chance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <utility>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

constexpr int kDraws = 1000;
constexpr int kEnough = 20;  // draws with such a gap: it is no rare one
constexpr std::size_t kMostStretches = 32;
constexpr double kRarest = 1.0 / kDraws;

using Series = std::vector<std::vector<double>>;  // by rank

// What is left of each step behind what all ranks share of it and what the rank always has; far ones pulled in, since
// a single one says nothing of those beside it.
Series residualsOf(const std::vector<std::vector<std::int64_t>>& series)
{
    const std::size_t steps = series.front().size();
    Series left;
    for (const std::vector<std::int64_t>& of : series)
        left.emplace_back(of.begin(), of.end());
    for (std::size_t at = 0; at < steps; ++at) {
        std::vector<double> column;
        column.reserve(left.size());
        for (const std::vector<double>& of : left)
            column.push_back(of[at]);
        const double shared = median(std::move(column));
        for (std::vector<double>& of : left)
            of[at] -= shared;
    }
    for (std::vector<double>& of : left) {
        const double usual = median(of);
        std::vector<double> distances;
        distances.reserve(steps);
        for (double& one : of)
            distances.push_back(std::abs(one -= usual));
        constexpr double kFar = 3;
        const double limit = kFar * median(std::move(distances));
        double sum = 0;
        for (double& one : of)
            sum += one = std::clamp(one, -limit, limit);
        for (double& one : of)
            one -= sum / static_cast<double>(steps);
    }
    return left;
}

struct Products {
    double own = 0;
    double next = 0;

    void add(const std::vector<double>& of)
    {
        for (std::size_t at = 0; at < of.size(); ++at) {
            own += of[at] * of[at];
            next += at > 0 ? of[at] * of[at - 1] : 0;
        }
    }
    double correlation(std::size_t steps) const
    {
        constexpr double kMost = 0.98;
        if (own <= 0 || steps <= 4)
            return 0;
        const auto count = static_cast<double>(steps);
        return std::clamp((next / own * count + 1) / (count - 3), 0.0, kMost);
    }
};

double correlationOf(const std::vector<std::vector<std::int64_t>>& series, const std::vector<std::uint32_t>& suspects)
{
    const std::size_t steps = series.front().size();
    const Series left = residualsOf(series);
    Products all, theirs;
    for (const std::vector<double>& of : left)
        all.add(of);
    for (const std::uint32_t rank : suspects)
        theirs.add(left[rank]);
    return std::max(all.correlation(steps), theirs.correlation(steps));
}

double meanOf(const std::vector<double>& values)
{
    double sum = 0;
    for (const double one : values)
        sum += one;
    return sum / static_cast<double>(values.size());
}

// The suspect that is the least slow against the slowest of the others.
double chanceOfDifference(const std::vector<std::vector<std::int64_t>>& series,
                          const std::vector<std::uint32_t>& suspects, double observations)
{
    if (observations < 2 || suspects.empty() || suspects.size() >= series.size())
        return 1;
    std::vector<double> slow, next;
    for (std::uint32_t rank = 0; rank < series.size(); ++rank) {
        std::vector<double> of(series[rank].begin(), series[rank].end());
        const bool isSuspect = std::find(suspects.begin(), suspects.end(), rank) != suspects.end();
        if (isSuspect && (slow.empty() || meanOf(of) < meanOf(slow)))
            slow = std::move(of);
        else if (!isSuspect && (next.empty() || meanOf(of) > meanOf(next)))
            next = std::move(of);
    }
    for (std::size_t at = 0; at < slow.size(); ++at)
        slow[at] -= next[at];
    const double difference = meanOf(slow);
    double squares = 0;
    for (const double one : slow)
        squares += (one - difference) * (one - difference);
    if (difference <= 0)
        return 1;
    const double error = std::sqrt(squares / static_cast<double>(slow.size() - 1) / observations);
    const double chance = error > 0 ? studentChance(difference / error, observations - 1) : 0;
    return std::min(1.0, chance * static_cast<double>(series.size()));
}

double largestGap(std::vector<double>& sums)
{
    const std::size_t most = mostThatStandOut(sums.size());
    std::partial_sort(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(most + 1), sums.end(), std::greater<>());
    double gap = 0;
    for (std::size_t at = 0; at < most; ++at)
        gap = std::max(gap, sums[at] - sums[at + 1]);
    return gap;
}

}  // namespace

double dealtChance(const std::vector<std::vector<std::int64_t>>& series, const std::vector<std::uint32_t>& suspects)
{
    const std::size_t ranks = series.size();
    const std::size_t steps = ranks == 0 ? 0 : series.front().size();
    if (ranks < 2 || steps < 2)
        return 1;
    const double correlation = correlationOf(series, suspects);
    const double each = (1 + correlation) / (1 - correlation);
    const auto stretches = std::min(kMostStretches, steps / static_cast<std::size_t>(std::max(std::lround(each), 1L)));
    // Of two ranks and nine stretches, one is behind in all of them once in 256 times: dealing shows no rarer thing.
    const double rarest = std::pow(static_cast<double>(ranks), 1 - static_cast<double>(stretches));
    if (stretches < kLeastStretches || rarest > kRarest)
        return chanceOfDifference(series, suspects, static_cast<double>(steps) / each);
    std::vector<std::vector<double>> dealt(stretches, std::vector<double>(ranks, 0));
    std::vector<double> sums(ranks, 0);
    for (std::size_t rank = 0; rank < ranks; ++rank)
        for (std::size_t at = 0; at < steps; ++at) {
            const auto one = static_cast<double>(series[rank][at]);
            dealt[at * stretches / steps][rank] += one;
            sums[rank] += one;
        }
    const double seen = largestGap(sums) * (1 - 1e-9);
    std::mt19937 random(1);
    int asLarge = 0;
    int draws = 0;
    for (; draws < kDraws && asLarge < kEnough; ++draws) {
        std::fill(sums.begin(), sums.end(), 0);
        for (std::vector<double>& of : dealt) {
            for (std::size_t at = ranks - 1; at > 0; --at)
                std::swap(of[at], of[random() % (at + 1)]);
            for (std::size_t rank = 0; rank < ranks; ++rank)
                sums[rank] += of[rank];
        }
        asLarge += largestGap(sums) >= seen ? 1 : 0;
    }
    return static_cast<double>(asLarge + 1) / (draws + 1);
}

double outlierChance(const std::vector<std::int64_t>& medians, const std::vector<std::uint32_t>& suspects)
{
    std::vector<double> others;
    double leastOfSuspects = std::numeric_limits<double>::max();
    for (std::uint32_t rank = 0; rank < medians.size(); ++rank) {
        const auto ns = static_cast<double>(medians[rank]);
        if (std::find(suspects.begin(), suspects.end(), rank) == suspects.end())
            others.push_back(ns);
        else
            leastOfSuspects = std::min(leastOfSuspects, ns);
    }
    constexpr std::size_t kLeastOthers = 3;
    if (others.size() < kLeastOthers || suspects.empty())
        return 1;
    const double usual = meanOf(others);
    const double difference = leastOfSuspects - usual;
    if (difference <= 0)
        return 1;
    double squares = 0;
    for (const double one : others)
        squares += (one - usual) * (one - usual);
    const auto count = static_cast<double>(others.size());
    const double error = std::sqrt(squares / (count - 1) * (1 + 1 / count));
    const auto all = static_cast<double>(medians.size());
    const auto some = static_cast<double>(suspects.size());
    const double sets = std::exp(std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1));
    return error > 0 ? std::min(1.0, studentChance(difference / error, count - 1) * sets) : 0;
}

// With t = sqrt(freedom) tan(angle) the density is a power of the cosine.
double studentChance(double t, double freedom)
{
    constexpr double kRight = 1.57079632679489661923;
    constexpr int kParts = 400;  // of Simpson's rule
    const double first = std::atan(t / std::sqrt(freedom));
    const double part = (kRight - first) / kParts;
    double sum = 0;
    for (int at = 0; at <= kParts; ++at) {
        const double height = std::pow(std::max(std::cos(first + part * at), 0.0), freedom - 1);
        sum += height * (at == 0 || at == kParts ? 1 : at % 2 == 1 ? 4 : 2);
    }
    const double scale = std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) / std::sqrt(2 * kRight);
    return std::clamp(sum * part / 3 * scale, 0.0, 1.0);
}

}  // namespace overlane
