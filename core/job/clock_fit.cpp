#include "core/job/clock_fit.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/job/theil_sen.h"

namespace overlane
{
namespace
{

// Fewer shared collectives are no fit.
constexpr std::size_t kLeastShared = 3;
// Ends that differ by more than this a second are not of one collective.
constexpr double kMostSlope = 1e-3;
// Nor are those of which half lie farther apart than this: a link takes microseconds, and clocks do not jump about.
constexpr double kMostApartNs = 1e6;

}  // namespace

std::int64_t ClockFit::jobNs(std::uint32_t rank, std::int64_t ns) const
{
    const Line& line = m_lines[rank];
    const std::int64_t since = saturatedDifference(saturatedSum(m_epochsNs[rank], ns), line.baseNs);
    // Whole nanoseconds are kept exactly; what is added is small.
    const std::int64_t addedNs = saturatedRound(line.offsetNs + line.slope * static_cast<double>(since));
    return saturatedDifference(saturatedSum(since, addedNs), m_zeroNs);
}

bool ClockFit::tellsApart(std::uint32_t a, std::uint32_t b, std::int64_t differenceNs) const
{
    return clocks[a].fitted && clocks[b].fitted &&
           std::abs(differenceNs) > std::max(clocks[a].errorNs, clocks[b].errorNs);
}

class ClockFitter
{
public:
    ClockFitter(const RankDigests& digests, const CollectiveMatch& match)
        : m_digests(digests), m_match(match), m_ends(digests.size())
    {
        m_fit.clocks.resize(digests.size());
        for (const RankDigest& digest : digests) {
            m_fit.m_epochsNs.push_back(digest.startEpochNs);
            m_fit.m_lines.push_back({digest.startEpochNs, 0, 0});
        }
    }

    ClockFit fit()
    {
        if (m_digests.empty())
            return std::move(m_fit);
        readEnds();
        join();
        setZero();
        measure();
        return std::move(m_fit);
    }

private:
    using Ends = std::vector<std::pair<std::size_t, std::int64_t>>;  // collective, and the end since the rank's base

    // The first end is the base, so that what is fitted is small however far the clocks are apart.
    void readEnds()
    {
        for (std::size_t at = 0; at < m_match.collectives.size(); ++at) {
            const MatchedCollective& one = m_match.collectives[at];
            if (!one.endsTogether)
                continue;
            for (const MatchedMember& member : one.members) {
                const DigestCollective& of = m_digests[member.rank].collectives[member.collective];
                const std::int64_t endNs =
                    saturatedSum(m_digests[member.rank].startEpochNs, saturatedSum(of.startNs, of.durationNs));
                Ends& ends = m_ends[member.rank];
                ClockFit::Line& line = m_fit.m_lines[member.rank];
                if (ends.empty())
                    line.baseNs = endNs;
                ends.emplace_back(at, saturatedDifference(endNs, line.baseNs));
            }
        }
    }

    // The ends that two ranks share, each since its rank's base.
    std::vector<std::pair<std::int64_t, std::int64_t>> sharedBy(std::uint32_t a, std::uint32_t b) const
    {
        std::vector<std::pair<std::int64_t, std::int64_t>> shared;
        auto other = m_ends[b].begin();
        for (const auto& [collective, endNs] : m_ends[a]) {
            while (other != m_ends[b].end() && other->first < collective)
                ++other;
            if (other != m_ends[b].end() && other->first == collective)
                shared.emplace_back(endNs, other->second);
        }
        return shared;
    }

    // From the rank with the most ends outward, always over the pair that shares the most.
    void join()
    {
        const auto ranks = static_cast<std::uint32_t>(m_digests.size());
        m_fit.reference = static_cast<std::uint32_t>(
            std::max_element(m_ends.begin(), m_ends.end(),
                             [](const Ends& a, const Ends& b) { return a.size() < b.size(); }) -
            m_ends.begin());
        RankClock& first = m_fit.clocks[m_fit.reference];
        first.fitted = true;
        first.collectives = static_cast<std::int64_t>(m_ends[m_fit.reference].size());
        std::vector<std::uint32_t> parent(ranks, m_fit.reference);
        std::vector<std::size_t> shared(ranks, 0);
        std::set<std::uint32_t> strangers;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            shared[rank] = sharedBy(rank, m_fit.reference).size();
        for (;;) {
            std::optional<std::uint32_t> next;
            for (std::uint32_t rank = 0; rank < ranks; ++rank)
                if (!m_fit.clocks[rank].fitted && shared[rank] >= kLeastShared &&
                    (!next || shared[rank] > shared[*next]))
                    next = rank;
            if (!next)
                break;
            if (!fitTo(*next, parent[*next])) {
                strangers.insert(*next);
                shared[*next] = 0;
                continue;
            }
            strangers.erase(*next);
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                if (m_fit.clocks[rank].fitted || shared[rank] >= m_ends[rank].size())
                    continue;  // nothing is left to share
                if (const std::size_t count = sharedBy(rank, *next).size(); count > shared[rank]) {
                    shared[rank] = count;
                    parent[rank] = *next;
                }
            }
        }
        m_fit.strangers.assign(strangers.begin(), strangers.end());
    }

    bool fitTo(std::uint32_t rank, std::uint32_t parent)
    {
        std::vector<FitPoint> points;
        for (const auto& [endNs, otherNs] : sharedBy(rank, parent))
            points.push_back({static_cast<double>(endNs), static_cast<double>(saturatedDifference(otherNs, endNs))});
        const FittedLine found = fitTheilSen(points);
        std::vector<double> apart;
        apart.reserve(points.size());
        for (const FitPoint& point : points)
            apart.push_back(std::abs(point.y - found.slope * point.x - found.offset));
        if (std::abs(found.slope) > kMostSlope || median(std::move(apart)) > kMostApartNs)
            return false;
        // To the parent, then from it to the reference.
        const ClockFit::Line above = m_fit.m_lines[parent];
        ClockFit::Line& line = m_fit.m_lines[rank];
        line.offsetNs = found.offset + above.offsetNs + above.slope * found.offset;
        line.slope = found.slope + above.slope + found.slope * above.slope;
        RankClock& made = m_fit.clocks[rank];
        made.fitted = true;
        made.collectives = static_cast<std::int64_t>(points.size());
        made.driftPpm = line.slope == 0 ? 0 : -line.slope * 1e6;
        const double middle = (points.front().x + points.back().x) / 2;
        // It reads base + middle when the reference reads its base + middle + offset + slope * middle.
        made.aheadNs = saturatedDifference(saturatedDifference(line.baseNs, m_fit.m_lines[m_fit.reference].baseNs),
                                           saturatedRound(line.offsetNs + line.slope * middle));
        return true;
    }

    // A rank without a fit keeps its epoch, as a rank of its host reads it where one is fitted; where it has none, it
    // begins with the others.
    void setZero()
    {
        std::optional<std::int64_t> zeroNs;
        std::map<std::string, std::uint32_t> hosts;
        for (std::uint32_t rank = 0; rank < m_digests.size(); ++rank)
            if (m_fit.clocks[rank].fitted) {
                const std::int64_t startNs = m_fit.jobNs(rank, m_digests[rank].span.startNs);
                zeroNs = std::min(zeroNs.value_or(startNs), startNs);
                hosts.try_emplace(m_digests[rank].identity.host, rank);
            }
        m_fit.m_zeroNs = zeroNs.value_or(0);
        for (std::uint32_t rank = 0; rank < m_digests.size(); ++rank) {
            if (m_fit.clocks[rank].fitted)
                continue;
            const auto host = hosts.find(m_digests[rank].identity.host);
            if (m_digests[rank].startEpochNs == 0)
                m_fit.m_lines[rank] = {-m_fit.m_zeroNs, 0, 0};
            else
                m_fit.m_lines[rank] = m_fit.m_lines[host == hosts.end() ? m_fit.reference : host->second];
        }
    }

    void measure()
    {
        std::vector<std::vector<std::int64_t>> ofRank(m_digests.size());
        std::vector<std::int64_t> all;
        for (const MatchedCollective& one : m_match.collectives) {
            if (!one.endsTogether)
                continue;
            std::vector<std::pair<std::uint32_t, std::int64_t>> ends;
            std::vector<std::int64_t> times;
            for (const MatchedMember& member : one.members) {
                if (!m_fit.clocks[member.rank].fitted)
                    continue;
                const DigestCollective& of = m_digests[member.rank].collectives[member.collective];
                ends.emplace_back(member.rank, m_fit.jobNs(member.rank, saturatedSum(of.startNs, of.durationNs)));
                times.push_back(ends.back().second);
            }
            if (ends.size() < 2)
                continue;
            // Two have no middle that tells which of them is off: the whole distance is of both.
            const std::int64_t middleNs = lowerMedian(times);
            for (std::size_t at = 0; at < ends.size(); ++at) {
                const std::int64_t fromNs = ends.size() == 2 ? ends[1 - at].second : middleNs;
                const std::int64_t distanceNs = std::abs(saturatedDifference(ends[at].second, fromNs));
                ofRank[ends[at].first].push_back(distanceNs);
                all.push_back(distanceNs);
            }
        }
        m_fit.ends = static_cast<std::int64_t>(all.size());
        m_fit.errorNs = quantile(std::move(all), kClockQuantile);
        for (std::size_t rank = 0; rank < ofRank.size(); ++rank)
            m_fit.clocks[rank].errorNs = quantile(std::move(ofRank[rank]), kClockQuantile);
    }

    const RankDigests& m_digests;
    const CollectiveMatch& m_match;
    ClockFit m_fit;
    std::vector<Ends> m_ends;  // by rank
};

ClockFit fitClocks(const RankDigests& digests, const CollectiveMatch& match)
{
    return ClockFitter(digests, match).fit();
}

}  // namespace overlane
