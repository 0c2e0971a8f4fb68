#include "core/compare/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

// Up to here the exact distribution is counted; above, the normal one is closer than the data deserve.
constexpr std::size_t kMostForExact = 25;

struct Ranked {
    double value = 0;
    bool second = false;
};

// Two-sided p of U <= u where all orders of m and n values are equally likely. ways[i] counts the
// orders of the values seen so far with U = i (Mann and Whitney's recursion, one value at a time).
double exactP(std::size_t m, std::size_t n, double u)
{
    std::vector<std::vector<double>> ways(n + 1, std::vector<double>(m * n + 1, 0));
    for (std::size_t j = 0; j <= n; ++j)
        ways[j][0] = 1;  // no value of the first sample yet
    for (std::size_t i = 1; i <= m; ++i) {
        std::vector<std::vector<double>> next(n + 1, std::vector<double>(m * n + 1, 0));
        next[0][0] = 1;
        for (std::size_t j = 1; j <= n; ++j)
            for (std::size_t sum = 0; sum <= i * j; ++sum)
                // The largest value belongs to the first sample and beats all j, or to the second.
                next[j][sum] = (sum >= j ? ways[j][sum - j] : 0) + next[j - 1][sum];
        ways = std::move(next);
    }
    const std::vector<double>& counts = ways[n];
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    const auto limit = static_cast<std::size_t>(u);
    const double tail = std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(limit) + 1, 0.0);
    return std::min(1.0, 2 * tail / all);
}

}  // namespace

Distribution distribution(std::vector<double> values)
{
    if (values.empty())
        return {};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {values.size(), median(values), quantile(values, 0.25), quantile(values, 0.75), *least, *most};
}

RankTest rankTest(std::span<const double> first, std::span<const double> second)
{
    if (first.empty() || second.empty())
        return {};
    std::vector<Ranked> all;
    all.reserve(first.size() + second.size());
    for (const double value : first)
        all.push_back({value, false});
    for (const double value : second)
        all.push_back({value, true});
    std::sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) { return a.value < b.value; });

    const auto m = static_cast<double>(first.size());
    const auto n = static_cast<double>(second.size());
    double secondRanks = 0;
    double tieTerm = 0;
    for (std::size_t begin = 0; begin < all.size();) {
        std::size_t end = begin;
        std::size_t seconds = 0;
        while (end < all.size() && all[end].value == all[begin].value)
            seconds += all[end++].second ? 1 : 0;
        const auto ties = static_cast<double>(end - begin);
        secondRanks += static_cast<double>(seconds) * (static_cast<double>(begin + end + 1) / 2);
        tieTerm += ties * ties * ties - ties;
        begin = end;
    }
    const double u = secondRanks - n * (n + 1) / 2;  // pairs in which the second is above the first
    RankTest test;
    test.effect = u / (m * n);
    const double total = m + n;
    const double variance = m * n / 12 * ((total + 1) - tieTerm / (total * (total - 1)));
    if (variance <= 0)
        return test;  // all values equal
    if (tieTerm == 0 && first.size() <= kMostForExact && second.size() <= kMostForExact) {
        test.p = exactP(first.size(), second.size(), std::min(u, m * n - u));
        return test;
    }
    const double away = std::max(0.0, std::abs(u - m * n / 2) - 0.5);
    test.p = std::min(1.0, std::erfc(away / std::sqrt(2 * variance)));
    return test;
}

Claim claimOf(std::size_t firstCount, std::size_t secondCount, const RankTest& test, double p)
{
    if (std::min(firstCount, secondCount) < kFewestForClaim)
        return Claim::TooFew;
    if (p >= kClaimP || std::abs(test.effect - 0.5) < kClaimEffect)
        return Claim::WithinSpread;
    return test.effect < 0.5 ? Claim::Lower : Claim::Higher;
}

std::string_view claimName(Claim claim)
{
    switch (claim) {
        case Claim::TooFew:
            return "too_few";
        case Claim::WithinSpread:
            return "within_spread";
        case Claim::TooUneven:
            return "too_uneven";
        case Claim::Lower:
            return "lower";
        case Claim::Higher:
            break;
    }
    return "higher";
}

std::vector<double> adjustedForMany(std::span<const double> p)
{
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    std::vector<double> adjusted(p.size(), 1);
    double least = 1;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto rank = static_cast<double>(order.size() - i);  // 1 = smallest p
        least = std::min(least, p[order[i]] * static_cast<double>(p.size()) / rank);
        adjusted[order[i]] = least;
    }
    return adjusted;
}

}  // namespace overlane
