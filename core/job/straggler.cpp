#include "core/job/straggler.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/base/contains.h"
#include "core/base/saturated.h"
#include "core/base/units.h"
#include "core/job/straggler_suspects.h"
#include "core/job/waited_for.h"

namespace overlane
{
namespace
{

// One in 100, for what is tried: means and medians, of the whole and of a part.
constexpr double kSure = 0.01 / 4;

bool hasPageableFinding(const RankDigest& digest)
{
    return std::any_of(digest.findings.begin(), digest.findings.end(),
                       [](const std::string& id) { return contains(id, "pageable") || id == "sync-copies"; });
}

bool isWorth(std::int64_t ns, std::int64_t stepNs)
{
    return stepNs > 0 && static_cast<double>(ns) >= kLeastGap * static_cast<double>(stepNs);
}

struct Tried {
    std::vector<Straggler> ranks;
    bool isWorthIt = false;  // the gap, and what the others wait
    double chance = 1;
};

Tried tryThese(const Suspects& suspects, const StragglerAnswer& answer, const WaitedFor& waited,
               const RankDigests& digests)
{
    Tried made;
    std::int64_t waitedNs = 0;
    for (const std::uint32_t rank : suspects.ranks()) {
        Straggler found;
        found.rank = rank;
        found.ownNs = answer.ownNs[rank];
        found.steps = waited.steps[rank];
        found.waitedNs = waited.perStepNs(waited.waitedNs[rank]);
        found.pageable = hasPageableFinding(digests[rank]);
        waitedNs = saturatedSum(waitedNs, found.waitedNs);
        made.ranks.push_back(suspects.reasonOf(found));
    }
    made.isWorthIt = isWorth(suspects.gapNs(), answer.stepNs) && isWorth(waitedNs, answer.stepNs);
    if (!made.isWorthIt)
        return made;
    made.chance = suspects.chance();
    const StragglerReason reason = made.ranks.front().reason;
    const bool isOneReason = std::all_of(made.ranks.begin(), made.ranks.end(), [&](const Straggler& one) {
        return one.reason == reason && isWorth(one.moreNs, answer.stepNs);
    });
    if (made.chance >= kSure && isOneReason && reason != StragglerReason::Unknown)
        made.chance = std::min(made.chance, suspects.chance(reason));
    return made;
}

bool isNamed(const StragglerAnswer& answer, std::uint32_t rank)
{
    return std::any_of(answer.stragglers.begin(), answer.stragglers.end(),
                       [&](const Straggler& one) { return one.rank == rank; });
}

// What is seen where too little is there to compare.
void addLast(StragglerAnswer& answer, const RankDigests& digests, const CollectiveMatch& match,
             const JobCommunication& communication)
{
    const WaitedFor waited = waitedFor(digests, match, communication, nullptr);
    if (waited.sure == 0)
        return;
    LastRank last;
    last.rank = waited.most();
    last.collectives = waited.collectives[last.rank];
    last.waitedNs = waited.waitedNs[last.rank];
    last.why = NotNamed::FewSteps;
    if (last.waitedNs > 0)
        answer.last = last;
}

}  // namespace

std::string_view stragglerReasonId(StragglerReason reason)
{
    static constexpr std::array<std::string_view, kStragglerReasonCount> kIds{"loader",  "copy_calls", "link",
                                                                              "compute", "host",       "unknown"};
    return kIds[static_cast<std::size_t>(reason)];
}

std::string_view notNamedId(NotNamed why)
{
    static constexpr std::array<std::string_view, 4> kIds{"few_steps", "hosts_unknown", "no_longer", "chance"};
    return kIds[static_cast<std::size_t>(why)];
}

StragglerAnswer findStragglers(const RankDigests& digests, const CollectiveMatch& match,
                               const JobCommunication& communication)
{
    StragglerAnswer answer;
    if (digests.size() < 2) {
        answer.whyNot = "One rank alone has no other to compare it with.";
        return answer;
    }
    if (const std::optional<UnlikeSteps> unlike = unlikeSteps(digests)) {
        answer.whyNot = fmt::format(
            "The ranks' steps are not the same ones: {} to {}. Mark them, with `overlane record "
            "--pytorch` or NVTX ranges, to compare the ranks.",
            formatDuration(unlike->shortestNs), formatDuration(unlike->longestNs));
        addLast(answer, digests, match, communication);
        return answer;
    }
    const OwnSteps steps(digests);
    answer.steps = static_cast<std::int64_t>(steps.numbers().size());
    if (steps.numbers().size() < kLeastSteps) {
        answer.whyNot = "With fewer than five steps in all traces, a slow rank looks like one that started late.";
        addLast(answer, digests, match, communication);
        return answer;
    }
    answer.stepNs = steps.jobStepNs();
    for (std::size_t rank = 0; rank < digests.size(); ++rank)
        answer.ownNs.push_back(steps.mean(rank).ownNs());
    const WaitedFor waited = waitedFor(digests, match, communication, &steps);
    if (waited.sure == 0) {
        answer.whyNot = "No collective shows which rank the others wait for.";
        return answer;
    }
    const std::uint32_t lastRank = waited.most();
    bool isChance = false;
    for (const Measure measure : {Measure::Mean, Measure::Median}) {
        const Suspects suspects(steps, measure);
        Tried tried = tryThese(suspects, answer, waited, digests);
        answer.chance = std::min(answer.chance, tried.chance);
        if (tried.chance < kSure) {
            answer.stragglers = std::move(tried.ranks);
            const std::int64_t winsNs = suspects.ownNs(answer.stragglers.front().rank) - suspects.nextNs();
            answer.withoutNs = std::max(answer.stepNs - winsNs, suspects.nextNs());
            // No GPU takes less than its work and what it moves.
            for (std::uint32_t rank = 0; rank < digests.size(); ++rank)
                if (!isNamed(answer, rank))
                    answer.withoutNs =
                        std::max(answer.withoutNs, steps.mean(rank).gpuNs + waited.perStepNs(waited.transferNs[rank]));
            answer.withoutNs = std::min(answer.withoutNs, answer.stepNs);
            return answer;
        }
        isChance = isChance || (tried.isWorthIt && tried.ranks.front().rank == lastRank);
    }
    LastRank last;
    last.rank = lastRank;
    last.steps = waited.steps[lastRank];
    last.collectives = waited.collectives[lastRank];
    last.waitedNs = waited.perStepNs(waited.waitedNs[lastRank]);
    last.moreNs = answer.ownNs[lastRank];
    std::int64_t longestOfOthersNs = 0;
    for (std::size_t rank = 0; rank < digests.size(); ++rank)
        if (rank != lastRank)
            longestOfOthersNs = std::max(longestOfOthersNs, answer.ownNs[rank]);
    last.moreNs -= longestOfOthersNs;
    last.why = !steps.knowsHosts() ? NotNamed::HostsUnknown : isChance ? NotNamed::Chance : NotNamed::NoLonger;
    if (isWorth(last.waitedNs, answer.stepNs))
        answer.last = last;
    return answer;
}

}  // namespace overlane
