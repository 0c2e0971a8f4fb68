#include "core/job/clock_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// Fewer shared collectives are no fit.
constexpr std::size_t kLeastShared = 3;
// Ends that differ by more than this a second are not of one collective.
constexpr double kMostSlope = 1e-3;

struct Point {
    double x = 0;
    double y = 0;
};

struct Slope {
    double slope = 0;
    double offset = 0;
};

double medianOffset(const std::vector<Point>& points, double slope)
{
    std::vector<double> offsets;
    offsets.reserve(points.size());
    for (const Point& point : points)
        offsets.push_back(point.y - slope * point.x);
    return median(std::move(offsets));
}

// y = slope * x + offset. Points of a long list are taken evenly: the slope needs no more.
Slope fitSlope(const std::vector<Point>& points)
{
    constexpr std::size_t kMostPoints = 300;
    constexpr std::size_t kLeastForSlope = 10;
    if (points.size() < kLeastForSlope)
        return {0, medianOffset(points, 0)};
    std::vector<Point> taken;
    const std::size_t count = std::min(points.size(), kMostPoints);
    for (std::size_t at = 0; at < count; ++at)
        taken.push_back(points[at * points.size() / count]);
    std::vector<double> slopes;
    slopes.reserve(count * count / 2);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b)
            if (taken[a].x != taken[b].x)
                slopes.push_back((taken[b].y - taken[a].y) / (taken[b].x - taken[a].x));
    if (slopes.empty())
        return {0, medianOffset(points, 0)};
    const double slope = median(std::move(slopes));
    const double offset = medianOffset(points, slope);
    // The standard error of a slope through evenly spread points; the deviation from the median absolute one.
    std::vector<double> distances;
    for (const Point& point : points)
        distances.push_back(std::abs(point.y - slope * point.x - offset));
    const double deviation = 1.4826 * median(std::move(distances));
    const auto [first, last] =
        std::minmax_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    const double error = deviation * std::sqrt(12.0 / static_cast<double>(points.size())) / (last->x - first->x);
    constexpr double kSure = 4;
    if (std::abs(slope) <= kSure * error)
        return {0, medianOffset(points, 0)};
    return {slope, offset};
}

std::int64_t rounded(double value)
{
    constexpr double kMost = 4e18;
    return static_cast<std::int64_t>(std::llround(std::clamp(value, -kMost, kMost)));
}

}  // namespace

std::int64_t ClockFit::jobNs(std::uint32_t rank, std::int64_t ns) const
{
    const Line& line = m_lines[clockOfRank[rank]];
    const std::int64_t since = saturatedSum(saturatedSum(m_epochsNs[rank], ns), -line.baseNs);
    // Whole nanoseconds are kept exactly; what is added is small.
    return saturatedSum(saturatedSum(since, rounded(line.offsetNs + line.slope * static_cast<double>(since))),
                        -m_zeroNs);
}

bool ClockFit::tellsApart(std::uint32_t a, std::uint32_t b, std::int64_t differenceNs) const
{
    return isFitted(a) && isFitted(b) && std::abs(differenceNs) > std::max(clockOf(a).errorNs, clockOf(b).errorNs);
}

class ClockFitter
{
public:
    ClockFitter(const std::vector<RankDigest>& digests, const CollectiveMatch& match)
        : m_digests(digests), m_match(match)
    {
    }

    ClockFit fit()
    {
        findClocks();
        if (m_fit.clocks.empty())
            return std::move(m_fit);
        readEnds();
        join();
        setZero();
        measure();
        return std::move(m_fit);
    }

private:
    std::int64_t absoluteNs(const MatchedMember& member) const
    {
        const DigestCollective& one = m_digests[member.rank].collectives[member.collective];
        return saturatedSum(m_digests[member.rank].startEpochNs, one.startNs + one.durationNs);
    }

    void findClocks()
    {
        std::map<std::string, std::uint32_t> hosts;
        for (std::uint32_t rank = 0; rank < m_digests.size(); ++rank) {
            const RankDigest& digest = m_digests[rank];
            m_fit.m_epochsNs.push_back(digest.startEpochNs);
            auto clock = static_cast<std::uint32_t>(m_fit.clocks.size());
            const bool sharesClock = !digest.identity.host.empty() && digest.startEpochNs != 0;
            if (sharesClock)
                clock = hosts.try_emplace(digest.identity.host, clock).first->second;
            if (clock == m_fit.clocks.size()) {
                m_fit.clocks.emplace_back();
                m_fit.clocks.back().host = digest.identity.host;
                m_fit.m_lines.push_back({digest.startEpochNs, 0, 0});
            }
            m_fit.clocks[clock].ranks.push_back(rank);
            m_fit.clockOfRank.push_back(clock);
        }
    }

    // For each collective that ends together the end on each clock: the median of its ranks'.
    void readEnds()
    {
        m_ends.resize(m_fit.clocks.size());
        m_hasBase.assign(m_fit.clocks.size(), false);
        for (std::size_t at = 0; at < m_match.collectives.size(); ++at) {
            const MatchedCollective& one = m_match.collectives[at];
            if (!endsTogether(one.kind))
                continue;
            std::map<std::uint32_t, std::vector<std::int64_t>> ends;
            for (const MatchedMember& member : one.members)
                ends[m_fit.clockOfRank[member.rank]].push_back(absoluteNs(member));
            for (auto& [clock, ofRanks] : ends) {
                const std::int64_t endNs = lowerMedian(std::move(ofRanks));
                if (!m_hasBase[clock])
                    m_fit.m_lines[clock].baseNs = endNs;
                m_hasBase[clock] = true;
                m_ends[clock].emplace_back(at, saturatedSum(endNs, -m_fit.m_lines[clock].baseNs));
            }
        }
    }

    std::vector<Point> sharedBy(std::uint32_t clock, std::uint32_t parent) const
    {
        std::vector<Point> points;
        auto other = m_ends[parent].begin();
        for (const auto& [collective, endNs] : m_ends[clock]) {
            while (other != m_ends[parent].end() && other->first < collective)
                ++other;
            if (other != m_ends[parent].end() && other->first == collective)
                points.push_back({static_cast<double>(endNs), static_cast<double>(other->second - endNs)});
        }
        return points;
    }

    std::size_t countShared(std::uint32_t clock, std::uint32_t parent) const
    {
        std::size_t count = 0;
        auto other = m_ends[parent].begin();
        for (const auto& [collective, endNs] : m_ends[clock]) {
            while (other != m_ends[parent].end() && other->first < collective)
                ++other;
            count += other != m_ends[parent].end() && other->first == collective ? 1 : 0;
        }
        return count;
    }

    // From the clock with the most ends outward, always over the pair that shares the most.
    void join()
    {
        const auto first = static_cast<std::uint32_t>(
            std::max_element(m_ends.begin(), m_ends.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); }) -
            m_ends.begin());
        moveFirst(first);
        std::vector<std::uint32_t> parent(m_fit.clocks.size(), 0);
        std::vector<std::size_t> shared(m_fit.clocks.size(), 0);
        m_fit.clocks[0].fitted = true;
        m_fit.clocks[0].collectives = static_cast<std::int64_t>(m_ends[0].size());
        for (std::uint32_t clock = 1; clock < shared.size(); ++clock)
            shared[clock] = countShared(clock, 0);
        for (;;) {
            std::uint32_t next = 0;
            for (std::uint32_t clock = 1; clock < shared.size(); ++clock)
                if (!m_fit.clocks[clock].fitted && shared[clock] >= kLeastShared &&
                    (next == 0 || shared[clock] > shared[next]))
                    next = clock;
            if (next == 0)
                return;
            if (!fitTo(next, parent[next])) {
                shared[next] = 0;
                continue;
            }
            for (std::uint32_t clock = 1; clock < shared.size(); ++clock) {
                if (m_fit.clocks[clock].fitted)
                    continue;
                // With all in one group the first clock has everything already.
                if (shared[clock] >= m_ends[clock].size())
                    continue;
                if (const std::size_t count = countShared(clock, next); count > shared[clock]) {
                    shared[clock] = count;
                    parent[clock] = next;
                }
            }
        }
    }

    bool fitTo(std::uint32_t clock, std::uint32_t parent)
    {
        const std::vector<Point> points = sharedBy(clock, parent);
        const Slope found = fitSlope(points);
        if (std::abs(found.slope) > kMostSlope)
            return false;
        // Of the clock to its parent, then of the parent to the first: both nearly 1.
        const ClockFit::Line above = m_fit.m_lines[parent];
        ClockFit::Line& line = m_fit.m_lines[clock];
        line.offsetNs = found.offset + above.offsetNs + above.slope * found.offset;
        line.slope = found.slope + above.slope + found.slope * above.slope;
        HostClock& made = m_fit.clocks[clock];
        made.fitted = true;
        made.collectives = static_cast<std::int64_t>(points.size());
        made.driftPpm = -line.slope * 1e6;
        const double middle = (points.front().x + points.back().x) / 2;
        // It reads base + middle when the first reads firstBase + middle + offset + slope * middle.
        made.aheadNs = saturatedSum(saturatedSum(line.baseNs, -m_fit.m_lines[0].baseNs),
                                    -rounded(line.offsetNs + line.slope * middle));
        return true;
    }

    void moveFirst(std::uint32_t clock)
    {
        if (clock == 0)
            return;
        std::swap(m_fit.clocks[0], m_fit.clocks[clock]);
        std::swap(m_fit.m_lines[0], m_fit.m_lines[clock]);
        std::swap(m_ends[0], m_ends[clock]);
        const bool had = m_hasBase[0];
        m_hasBase[0] = m_hasBase[clock];
        m_hasBase[clock] = had;
        for (std::uint32_t& of : m_fit.clockOfRank)
            of = of == 0 ? clock : of == clock ? 0 : of;
    }

    // Ranks without a fit keep their epoch; where that is unknown they begin with the others.
    void setZero()
    {
        std::optional<std::int64_t> zeroNs;
        for (std::uint32_t rank = 0; rank < m_digests.size(); ++rank)
            if (m_fit.isFitted(rank)) {
                const std::int64_t startNs = m_fit.jobNs(rank, m_digests[rank].span.startNs);
                zeroNs = std::min(zeroNs.value_or(startNs), startNs);
            }
        m_fit.m_zeroNs = zeroNs.value_or(0);
        for (std::size_t clock = 0; clock < m_fit.clocks.size(); ++clock) {
            if (m_fit.clocks[clock].fitted)
                continue;
            const std::int64_t epochNs = m_digests[m_fit.clocks[clock].ranks.front()].startEpochNs;
            m_fit.m_lines[clock] = {m_fit.m_lines[0].baseNs, 0, 0};
            if (epochNs == 0)
                m_fit.m_lines[clock].baseNs = -m_fit.m_zeroNs;
        }
    }

    void measure()
    {
        std::vector<std::vector<std::int64_t>> ofClock(m_fit.clocks.size());
        std::vector<std::int64_t> all;
        for (const MatchedCollective& one : m_match.collectives) {
            if (!endsTogether(one.kind))
                continue;
            std::vector<std::pair<std::uint32_t, std::int64_t>> ends;
            std::vector<std::int64_t> times;
            for (const MatchedMember& member : one.members) {
                if (!m_fit.isFitted(member.rank))
                    continue;
                const DigestCollective& of = m_digests[member.rank].collectives[member.collective];
                ends.emplace_back(m_fit.clockOfRank[member.rank], m_fit.jobNs(member.rank, of.startNs + of.durationNs));
                times.push_back(ends.back().second);
            }
            if (ends.size() < 2)
                continue;
            // Two have no middle that tells which of them is off: the whole distance is of both.
            const std::int64_t middleNs = ends.size() == 2 ? 0 : lowerMedian(times);
            for (std::size_t at = 0; at < ends.size(); ++at) {
                const std::int64_t distanceNs =
                    std::abs(ends[at].second - (ends.size() == 2 ? ends[1 - at].second : middleNs));
                ofClock[ends[at].first].push_back(distanceNs);
                all.push_back(distanceNs);
            }
        }
        m_fit.ends = static_cast<std::int64_t>(all.size());
        m_fit.errorNs = quantile(std::move(all), kClockQuantile);
        for (std::size_t clock = 0; clock < ofClock.size(); ++clock)
            m_fit.clocks[clock].errorNs = quantile(std::move(ofClock[clock]), kClockQuantile);
    }

    const std::vector<RankDigest>& m_digests;
    const CollectiveMatch& m_match;
    ClockFit m_fit;
    std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> m_ends;  // by clock: collective, since its base
    std::vector<bool> m_hasBase;
};

ClockFit fitClocks(const std::vector<RankDigest>& digests, const CollectiveMatch& match)
{
    return ClockFitter(digests, match).fit();
}

Blocks clockBlocks(const ClockFit& fit, const std::vector<RankDigest>& digests)
{
    Blocks blocks;
    const auto fitted =
        std::count_if(fit.clocks.begin(), fit.clocks.end(), [](const HostClock& clock) { return clock.fitted; });
    if (fit.ends == 0) {
        blocks.push_back(
            Sentence{"The clocks of the ranks were not compared: no collective that ends together was "
                     "matched.",
                     Tone::Warning});
        return blocks;
    }
    blocks.push_back(Sentence{
        fit.clocks.size() == 1
            ? fmt::format("All ranks share one clock. {} of the ends of collectives lie within {}; nothing is said of "
                          "less.",
                          formatShare(kClockQuantile), formatDuration(fit.errorNs))
            : fmt::format("{} clocks are fitted to the ends of collectives. {} of the ends lie within {} after that; "
                          "nothing is said of less.",
                          fitted, formatShare(kClockQuantile), formatDuration(fit.errorNs))});
    if (fit.clocks.size() == 1)
        return blocks;
    Table table;
    table.title = "Clocks";
    table.columns = {{"clock", "clock", Column::Kind::Words},
                     {"ranks", "ranks"},
                     {"ahead_ns", "ahead"},
                     {"drift_ppm", "drift"},
                     {"error_ns", "within"},
                     {"collectives", "collectives"}};
    for (const HostClock& clock : fit.clocks) {
        Table::Row row;
        const std::string name = clock.host.empty() ? rankLabel(digests[clock.ranks.front()].identity) : clock.host;
        row.cells = {Cell{name}, countCell(static_cast<std::int64_t>(clock.ranks.size()))};
        if (clock.fitted) {
            row.cells.push_back(durationCell(clock.aheadNs));
            row.cells.push_back(Cell{fmt::format("{:.2f} ppm", clock.driftPpm), clock.driftPpm});
            row.cells.push_back(durationCell(clock.errorNs));
        } else {
            row.cells.insert(row.cells.end(), 3, missingCell());
            row.remark = "It shares too few collectives with the others.";
        }
        row.cells.push_back(countCell(clock.collectives));
        table.rows.push_back(std::move(row));
    }
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace overlane
