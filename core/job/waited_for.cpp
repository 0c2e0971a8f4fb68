#include "core/job/waited_for.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/statistics.h"

namespace overlane
{

namespace
{

// What a rank that came last to `timings` kept the others waiting.
std::int64_t medianWaitNs(const std::vector<const CollectiveTiming*>& timings, const RankDigests& digests,
                          const CollectiveMatch& match)
{
    constexpr std::int64_t kNotOne = -1;
    std::vector<std::int64_t> waitedNs(digests.size(), kNotOne);
    for (const CollectiveTiming* timing : timings)
        for (const MatchedMember& member : match.membersOf(match.collectives[timing->collective])) {
            if (member.rank == timing->last)
                continue;
            const DigestCollective& one = digests[member.rank].collectives[member.collective];
            const std::int64_t waitNs = std::max<std::int64_t>(one.durationNs - timing->transferNs, 0);
            std::int64_t& sumNs = waitedNs[member.rank];
            sumNs = saturatedSum(std::max<std::int64_t>(sumNs, 0), std::min(waitNs, one.exposedNs));
        }
    std::erase(waitedNs, kNotOne);
    return lowerMedian(std::move(waitedNs));
}

}  // namespace

std::uint32_t WaitedFor::most() const
{
    return static_cast<std::uint32_t>(std::max_element(waitedNs.begin(), waitedNs.end()) - waitedNs.begin());
}

WaitedFor waitedFor(const RankDigests& digests, const CollectiveMatch& match, const JobCommunication& communication,
                    const OwnSteps* compared)
{
    const std::size_t ranks = digests.size();
    WaitedFor made{std::vector<std::int64_t>(ranks, 0),
                   std::vector<std::int64_t>(ranks, 0),
                   std::vector<std::int64_t>(ranks, 0),
                   std::vector<std::int64_t>(ranks, 0),
                   0,
                   0};
    std::unordered_set<std::int64_t> covered;
    std::unordered_map<std::int64_t, std::unordered_set<std::uint32_t>> lastOf;
    std::vector<std::vector<const CollectiveTiming*>> byLast(ranks);
    for (const CollectiveTiming& timing : communication.collectives) {
        if (compared != nullptr && !compared->has(timing.step))
            continue;
        covered.insert(timing.step);
        for (const MatchedMember& member : match.membersOf(match.collectives[timing.collective])) {
            const DigestCollective& one = digests[member.rank].collectives[member.collective];
            const double ns = shareOf(one.exposedNs, one.durationNs) *
                              static_cast<double>(std::min(timing.transferNs, one.durationNs));
            made.transferNs[member.rank] = saturatedSum(made.transferNs[member.rank], saturatedRound(ns));
        }
        if (!timing.lastIsSure)
            continue;
        ++made.sure;
        ++made.collectives[timing.last];
        if (lastOf[timing.step].insert(timing.last).second)
            ++made.steps[timing.last];
        byLast[timing.last].push_back(&timing);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank)
        if (!byLast[rank].empty())
            made.waitedNs[rank] = medianWaitNs(byLast[rank], digests, match);
    made.covered = static_cast<std::int64_t>(covered.size());
    return made;
}

}  // namespace overlane
