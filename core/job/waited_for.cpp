#include "core/job/waited_for.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"

namespace overlane
{

std::uint32_t WaitedFor::most() const
{
    return static_cast<std::uint32_t>(std::max_element(waitedNs.begin(), waitedNs.end()) - waitedNs.begin());
}

namespace
{

bool isCompared(const CollectiveTiming& timing, const OwnSteps* compared)
{
    return compared == nullptr || compared->has(timing.step);
}

// What each rank moves that no kernel hides.
void addTransfers(const CollectiveTiming& timing, const RankDigests& digests, const CollectiveMatch& match,
                  std::vector<std::int64_t>& transferNs)
{
    for (const MatchedMember& member : match.membersOf(match.collectives[timing.collective])) {
        const DigestCollective one = digests[member.rank].collectives[member.collective];
        const double ns =
            shareOf(one.exposedNs, one.durationNs) * static_cast<double>(std::min(timing.transferNs, one.durationNs));
        transferNs[member.rank] = saturatedSum(transferNs[member.rank], saturatedRound(ns));
    }
}

// What a rank that came last to `timings` kept the median of the others waiting, as far as nothing hides it.
std::int64_t waitOfOthersNs(const std::vector<const CollectiveTiming*>& timings, const RankDigests& digests,
                            const CollectiveMatch& match)
{
    constexpr std::int64_t kNotOne = -1;
    std::vector<std::int64_t> waitedNs(digests.size(), kNotOne);
    for (const CollectiveTiming* timing : timings)
        for (const MatchedMember& member : match.membersOf(match.collectives[timing->collective])) {
            if (member.rank == timing->last)
                continue;
            const DigestCollective one = digests[member.rank].collectives[member.collective];
            const std::int64_t waitNs = std::max<std::int64_t>(one.durationNs - timing->transferNs, 0);
            std::int64_t& sumNs = waitedNs[member.rank];
            sumNs = saturatedSum(std::max<std::int64_t>(sumNs, 0), std::min(waitNs, one.exposedNs));
        }
    std::erase(waitedNs, kNotOne);
    return lowerMedian(std::move(waitedNs));
}

}  // namespace

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
    // As many pieces on every machine: what they add up to is the same.
    constexpr std::size_t kPieces = 16;
    const std::size_t count = communication.collectives.size();
    std::vector<std::vector<std::int64_t>> transfers(kPieces);
    runInParallel(kPieces, 0, [&](std::size_t piece) {
        transfers[piece].resize(ranks, 0);
        for (std::size_t at = piece * count / kPieces; at < (piece + 1) * count / kPieces; ++at) {
            const CollectiveTiming& timing = communication.collectives[at];
            if (isCompared(timing, compared))
                addTransfers(timing, digests, match, transfers[piece]);
        }
        return true;
    });
    for (const std::vector<std::int64_t>& of : transfers)
        for (std::size_t rank = 0; rank < ranks; ++rank)
            made.transferNs[rank] = saturatedSum(made.transferNs[rank], of[rank]);
    std::unordered_set<std::int64_t> covered;
    std::unordered_map<std::int64_t, std::unordered_set<std::uint32_t>> lastOf;
    std::vector<std::vector<const CollectiveTiming*>> byLast(ranks);
    for (const CollectiveTiming& timing : communication.collectives) {
        if (!isCompared(timing, compared))
            continue;
        covered.insert(timing.step);
        if (!timing.lastIsSure)
            continue;
        ++made.sure;
        ++made.collectives[timing.last];
        if (lastOf[timing.step].insert(timing.last).second)
            ++made.steps[timing.last];
        byLast[timing.last].push_back(&timing);
    }
    runInParallel(ranks, 0, [&](std::size_t rank) {
        if (!byLast[rank].empty())
            made.waitedNs[rank] = waitOfOthersNs(byLast[rank], digests, match);
        return true;
    });
    made.covered = static_cast<std::int64_t>(covered.size());
    return made;
}

}  // namespace overlane
