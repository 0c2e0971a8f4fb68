#include "core/job/clock_fit.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "core/base/parallel.h"
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
        : m_digests(digests), m_match(match), m_firstOf(digests.size() + 1, 0)
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
        m_fit.isOneClock =
            std::all_of(m_digests.begin(), m_digests.end(), [](const RankDigest& of) { return of.identity.gpu; });
        if (m_fit.isOneClock) {
            for (RankClock& clock : m_fit.clocks)
                clock.fitted = true;
            setZero();
            return std::move(m_fit);
        }
        readEnds();
        join();
        setZero();
        measure();
        return std::move(m_fit);
    }

private:
    // A member that ends together with others.
    struct End {
        std::uint32_t call = 0;  // into the matched collectives
        std::uint32_t collective = 0;
    };

    template <typename What>
    void eachEnd(What what) const
    {
        for (std::size_t at = 0; at < m_match.collectives.size(); ++at)
            if (m_match.collectives[at].endsTogether)
                for (const MatchedMember& member : m_match.membersOf(m_match.collectives[at]))
                    what(member.rank, End{static_cast<std::uint32_t>(at), member.collective});
    }

    // By rank, in one list: millions of ends in lists of their own would leave holes in memory. The first end of a rank
    // is its base, so that what is fitted is small however far the clocks are apart.
    void readEnds()
    {
        eachEnd([&](std::uint32_t rank, End) { ++m_firstOf[rank + 1]; });
        for (std::size_t rank = 0; rank < m_digests.size(); ++rank)
            m_firstOf[rank + 1] += m_firstOf[rank];
        m_ends.resize(m_firstOf.back());
        std::vector<std::size_t> next(m_firstOf.begin(), m_firstOf.end() - 1);
        eachEnd([&](std::uint32_t rank, End end) { m_ends[next[rank]++] = end; });
        for (std::uint32_t rank = 0; rank < m_digests.size(); ++rank)
            if (!endsOf(rank).empty()) {
                m_fit.m_lines[rank].baseNs = 0;
                m_fit.m_lines[rank].baseNs = endNs(rank, endsOf(rank).front());
            }
    }
    std::span<const End> endsOf(std::uint32_t rank) const
    {
        return std::span(m_ends).subspan(m_firstOf[rank], m_firstOf[rank + 1] - m_firstOf[rank]);
    }
    // Since the rank's base.
    std::int64_t endNs(std::uint32_t rank, End end) const
    {
        const RankDigest& digest = m_digests[rank];
        const DigestCollective one = digest.collectives[end.collective];
        const std::int64_t ns = saturatedSum(digest.startEpochNs, saturatedSum(one.startNs, one.durationNs));
        return saturatedDifference(ns, m_fit.m_lines[rank].baseNs);
    }

    // Both ends of what two ranks share.
    template <typename What>
    void eachShared(std::uint32_t a, std::uint32_t b, What what) const
    {
        const std::span<const End> others = endsOf(b);
        auto other = others.begin();
        for (const End end : endsOf(a)) {
            while (other != others.end() && other->call < end.call)
                ++other;
            if (other != others.end() && other->call == end.call)
                what(end, *other);
        }
    }
    std::size_t countShared(std::uint32_t a, std::uint32_t b) const
    {
        std::size_t count = 0;
        eachShared(a, b, [&](End, End) { ++count; });
        return count;
    }

    // From the rank with the most ends outward, always over the pair that shares the most.
    void join()
    {
        const auto ranks = static_cast<std::uint32_t>(m_digests.size());
        for (std::uint32_t rank = 1; rank < ranks; ++rank)
            if (endsOf(rank).size() > endsOf(m_fit.reference).size())
                m_fit.reference = rank;
        RankClock& first = m_fit.clocks[m_fit.reference];
        first.fitted = true;
        first.collectives = static_cast<std::int64_t>(endsOf(m_fit.reference).size());
        std::vector<std::uint32_t> parent(ranks, m_fit.reference);
        std::vector<std::size_t> shared(ranks, 0);
        std::set<std::uint32_t> strangers;
        // Most ranks share the most with the reference: these fits need not wait for each other.
        m_toReference.resize(ranks);
        runInParallel(ranks, 0, [&](std::size_t at) {
            const auto rank = static_cast<std::uint32_t>(at);
            shared[rank] = countShared(rank, m_fit.reference);
            if (rank != m_fit.reference && shared[rank] >= kLeastShared)
                m_toReference[rank] = lineTo(rank, m_fit.reference);
            return true;
        });
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
                if (m_fit.clocks[rank].fitted || shared[rank] >= endsOf(rank).size())
                    continue;  // nothing is left to share
                if (const std::size_t count = countShared(rank, *next); count > shared[rank]) {
                    shared[rank] = count;
                    parent[rank] = *next;
                }
            }
        }
        m_fit.strangers.assign(strangers.begin(), strangers.end());
    }

    // A rank's clock against that of another.
    struct Fit {
        FittedLine line;
        double apartNs = 0;   // half of the ends lie as near to it
        double middleNs = 0;  // of those they share
        std::size_t shared = 0;
    };
    Fit lineTo(std::uint32_t rank, std::uint32_t parent) const
    {
        std::vector<FitPoint> points;
        eachShared(rank, parent, [&](End end, End other) {
            const std::int64_t ns = endNs(rank, end);
            points.push_back(
                {static_cast<double>(ns), static_cast<double>(saturatedDifference(endNs(parent, other), ns))});
        });
        Fit made{fitTheilSen(points), 0, (points.front().x + points.back().x) / 2, points.size()};
        std::vector<double> apart;
        apart.reserve(points.size());
        for (const FitPoint& point : points)
            apart.push_back(std::abs(point.y - made.line.slope * point.x - made.line.offset));
        made.apartNs = median(std::move(apart));
        return made;
    }

    bool fitTo(std::uint32_t rank, std::uint32_t parent)
    {
        const Fit fit = parent == m_fit.reference ? m_toReference[rank] : lineTo(rank, parent);
        const FittedLine& found = fit.line;
        if (std::abs(found.slope) > kMostSlope || fit.apartNs > kMostApartNs)
            return false;
        // To the parent, then from it to the reference.
        const ClockFit::Line above = m_fit.m_lines[parent];
        ClockFit::Line& line = m_fit.m_lines[rank];
        line.offsetNs = found.offset + above.offsetNs + above.slope * found.offset;
        line.slope = found.slope + above.slope + found.slope * above.slope;
        RankClock& made = m_fit.clocks[rank];
        made.fitted = true;
        made.collectives = static_cast<std::int64_t>(fit.shared);
        made.driftPpm = line.slope == 0 ? 0 : -line.slope * 1e6;
        // It reads base + middle when the reference reads its base + middle + offset + slope * middle.
        made.aheadNs = saturatedDifference(saturatedDifference(line.baseNs, m_fit.m_lines[m_fit.reference].baseNs),
                                           saturatedRound(line.offsetNs + line.slope * fit.middleNs));
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
        const std::vector<Middle> middles = findMiddles();
        // Packed, since the ends are still there.
        std::vector<std::optional<PackedRows>> distances(m_digests.size());
        runInParallel(m_digests.size(), 0, [&](std::size_t at) {
            const auto rank = static_cast<std::uint32_t>(at);
            std::vector<std::int64_t> own;
            own.reserve(m_fit.clocks[rank].fitted ? endsOf(rank).size() : 0);
            for (const End end : m_fit.clocks[rank].fitted ? endsOf(rank) : std::span<const End>())
                if (const Middle& middle = middles[end.call]; middle.ends == 2)
                    own.push_back(middle.ns);
                else if (middle.ends > 2)
                    own.push_back(std::abs(saturatedDifference(jobEndNs({rank, end.collective}), middle.ns)));
            distances[rank].emplace(own.size(), 1, [&](std::size_t one, std::int64_t* into) { *into = own[one]; });
            m_fit.clocks[rank].errorNs = quantile(std::move(own), kClockQuantile);
            return true;
        });
        std::vector<std::int64_t> all;
        all.reserve(m_ends.size());
        m_ends = {};
        for (const std::optional<PackedRows>& own : distances)
            for (std::size_t at = 0; at < own->rows(); ++at)
                all.push_back(own->at(at, 0));
        m_fit.ends = static_cast<std::int64_t>(all.size());
        m_fit.errorNs = quantile(std::move(all), kClockQuantile);
    }

    // The middle of the ends of fitted ranks; of two, which have none that tells which of them is off, their distance,
    // which is of both.
    struct Middle {
        std::size_t ends = 0;
        std::int64_t ns = 0;
    };
    std::vector<Middle> findMiddles() const
    {
        std::vector<Middle> middles(m_match.collectives.size());
        runInParallel(middles.size(), 0, [&](std::size_t at) {
            const MatchedCollective& one = m_match.collectives[at];
            std::vector<std::int64_t> times;
            times.reserve(one.memberCount);
            if (one.endsTogether)
                for (const MatchedMember& member : m_match.membersOf(one))
                    if (m_fit.clocks[member.rank].fitted)
                        times.push_back(jobEndNs(member));
            const std::size_t ends = times.size();
            middles[at] = {
                ends, ends == 2 ? std::abs(saturatedDifference(times[0], times[1])) : lowerMedian(std::move(times))};
            return true;
        });
        return middles;
    }
    std::int64_t jobEndNs(MatchedMember member) const
    {
        const DigestCollective one = m_digests[member.rank].collectives[member.collective];
        return m_fit.jobNs(member.rank, saturatedSum(one.startNs, one.durationNs));
    }

    const RankDigests& m_digests;
    const CollectiveMatch& m_match;
    ClockFit m_fit;
    std::vector<End> m_ends;             // by rank, then in order of the matched collectives
    std::vector<std::size_t> m_firstOf;  // of each rank into them, and behind all
    std::vector<Fit> m_toReference;      // by rank
};

ClockFit fitClocks(const RankDigests& digests, const CollectiveMatch& match)
{
    return ClockFitter(digests, match).fit();
}

}  // namespace overlane
