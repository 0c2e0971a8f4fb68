#include "core/job/straggler.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/contains.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/job/gap_chance.h"

namespace overlane
{
namespace
{

// One in 100, for what is tried: means and medians, of the whole and of a part.
constexpr double kSure = 0.01 / 4;
constexpr double kLeastExplained = 0.4;  // part of the gap that a reason has to explain

// What the others waited for each rank.
struct WaitedFor {
    std::vector<std::int64_t> steps;
    std::vector<std::int64_t> collectives;
    std::vector<std::int64_t> waitedNs;    // in all
    std::vector<std::int64_t> transferNs;  // of each rank itself: moving data that no kernel hides, in all
    std::int64_t sure = 0;                 // collectives of which the clocks can tell who came last
    std::int64_t covered = 0;              // steps with collectives: those of a long recording end before its steps
    std::int64_t perStepNs(std::int64_t ns) const { return ns / std::max<std::int64_t>(covered, 1); }
};

// `compared`: of these steps only.
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

std::uint32_t mostWaitedFor(const WaitedFor& waited)
{
    return static_cast<std::uint32_t>(std::max_element(waited.waitedNs.begin(), waited.waitedNs.end()) -
                                      waited.waitedNs.begin());
}

bool hasPageableFinding(const RankDigest& digest)
{
    return std::any_of(digest.findings.begin(), digest.findings.end(),
                       [](const std::string& id) { return contains(id, "pageable") || id == "sync-copies"; });
}

bool isWorth(std::int64_t ns, std::int64_t stepNs)
{
    return stepNs > 0 && static_cast<double>(ns) >= kLeastGap * static_cast<double>(stepNs);
}

enum class Measure : std::uint8_t { Mean, Median };

// The ranks by their own steps, and those of them that stand out.
class Suspects
{
public:
    Suspects(const OwnSteps& steps, Measure measure) : m_steps(steps), m_measure(measure)
    {
        for (std::uint32_t rank = 0; rank < steps.ranks(); ++rank)
            m_order.push_back(rank);
        std::stable_sort(m_order.begin(), m_order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return ownNs(a) > ownNs(b); });
        for (std::size_t at = 1; at <= mostThatStandOut(steps.ranks()); ++at)
            if (const std::int64_t gapNs = ownNs(m_order[at - 1]) - ownNs(m_order[at]); gapNs > m_gapNs) {
                m_gapNs = gapNs;
                m_count = at;
            }
    }

    std::int64_t gapNs() const { return m_gapNs; }
    std::vector<std::uint32_t> ranks() const
    {
        return {m_order.begin(), m_order.begin() + static_cast<std::ptrdiff_t>(m_count)};
    }
    std::int64_t ownNs(std::uint32_t rank) const { return of(rank).ownNs(); }
    std::int64_t nextNs() const { return ownNs(m_order[m_count]); }

    Straggler reasonOf(Straggler found) const
    {
        const OwnStep& own = of(found.rank);
        // Where the GPU alone fills the step, more time of the host costs nothing, and the other way round.
        const bool fillsGpu = own.gpuNs >= own.ownNs() - m_gapNs / 2;
        const bool fillsHost = own.hostNs >= own.ownNs() - m_gapNs / 2;
        for (std::size_t part = 0; part < own.partNs.size(); ++part) {
            const auto reason = static_cast<StragglerReason>(part);
            const bool isOfGpu = reason == StragglerReason::Compute || reason == StragglerReason::Link;
            // A call that copies and its copy are the same time, of host and GPU.
            if (fillsGpu != fillsHost && isOfGpu != fillsGpu && reason != StragglerReason::CopyCalls)
                continue;
            if (reason == StragglerReason::Link && found.reason == StragglerReason::CopyCalls)
                continue;
            const std::int64_t moreNs = own.partNs[part] - othersPartNs(part);
            if (static_cast<double>(moreNs) < kLeastExplained * static_cast<double>(m_gapNs) || moreNs <= found.moreNs)
                continue;
            found.reason = reason;
            found.moreNs = moreNs;
            found.partNs = own.partNs[part];
        }
        return found;
    }

    // Of the whole steps.
    double chance() const
    {
        return chanceOf([&](std::uint32_t rank) { return m_steps.seriesOf(rank); },
                        [](const OwnStep& step) { return step.ownNs(); });
    }
    // Of the part that is the reason.
    double chance(StragglerReason reason) const
    {
        const auto part = static_cast<std::size_t>(reason);
        return chanceOf([&](std::uint32_t rank) { return m_steps.seriesOf(rank, static_cast<OwnPart>(reason)); },
                        [&](const OwnStep& step) { return step.partNs[part]; });
    }

private:
    const OwnStep& of(std::uint32_t rank) const
    {
        return m_measure == Measure::Mean ? m_steps.mean(rank) : m_steps.median(rank);
    }

    template <typename Series, typename Figure>
    double chanceOf(Series seriesOf, Figure figure) const
    {
        std::vector<std::int64_t> medians;
        std::vector<std::vector<std::int64_t>> series;
        for (std::uint32_t rank = 0; rank < m_steps.ranks(); ++rank)
            if (m_measure == Measure::Median)
                medians.push_back(figure(m_steps.median(rank)));
            else
                series.push_back(seriesOf(rank));
        return m_measure == Measure::Median ? outlierChance(medians, ranks()) : dealtChance(series, ranks());
    }

    std::int64_t othersPartNs(std::size_t part) const
    {
        std::vector<std::int64_t> theirs;
        for (std::size_t at = m_count; at < m_order.size(); ++at)
            theirs.push_back(of(m_order[at]).partNs[part]);
        return lowerMedian(std::move(theirs));
    }

    const OwnSteps& m_steps;
    const Measure m_measure;
    std::vector<std::uint32_t> m_order;  // longest own step first
    std::size_t m_count = 1;
    std::int64_t m_gapNs = 0;
};

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
    last.rank = mostWaitedFor(waited);
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
    const OwnSteps steps(digests);
    answer.steps = static_cast<std::int64_t>(steps.numbers().size());
    if (steps.numbers().size() < kLeastSteps) {
        answer.whyNot = "Fewer than five steps are in the traces of all ranks: too few to name a slow one.";
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
    const std::uint32_t lastRank = mostWaitedFor(waited);
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
