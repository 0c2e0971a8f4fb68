#include "core/job/waited_for.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/saturated.h"
#include "core/base/statistics.h"

namespace overlane
{

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
    for (const CollectiveTiming& timing : communication.collectives) {
        if (compared != nullptr && !compared->has(timing.step))
            continue;
        covered.insert(timing.step);
        for (const MatchedMember& member : match.collectives[timing.collective].members) {
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
        std::vector<std::int64_t> waits;
        for (const MatchedMember& member : match.collectives[timing.collective].members)
            if (member.rank != timing.last) {
                const DigestCollective& one = digests[member.rank].collectives[member.collective];
                const std::int64_t waitNs = std::max<std::int64_t>(one.durationNs - timing.transferNs, 0);
                waits.push_back(std::min(waitNs, one.exposedNs));
            }
        std::int64_t& sumNs = made.waitedNs[timing.last];
        sumNs = saturatedSum(sumNs, lowerMedian(std::move(waits)));
    }
    made.covered = static_cast<std::int64_t>(covered.size());
    return made;
}

}  // namespace overlane
