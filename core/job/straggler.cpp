#include "core/job/straggler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "core/base/contains.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

constexpr std::size_t kLeastSteps = 3;
constexpr double kSure = 0.01;
constexpr double kSureWithReason = 0.1;  // where the rank's own records say why
constexpr double kLeastExplained = 0.4;  // part of the gap that a reason has to explain

// What an own step is made of, by StragglerReason but for Unknown.
using StepParts = std::array<std::int64_t, kStragglerReasonCount - 1>;

std::int64_t& partOf(StepParts& parts, StragglerReason reason)
{
    return parts[static_cast<std::size_t>(reason)];
}

struct OwnStep {
    std::int64_t gpuNs = 0;
    std::int64_t hostNs = 0;
    std::int64_t leftNs = 0;  // without the exposed waiting
    StepParts parts{};
    // Of average steps only: in a single one a host may wait for what its GPU waited for in an earlier one.
    std::int64_t ownNs() const { return std::max({gpuNs, hostNs, leftNs}); }
};
using OwnTerm = std::int64_t OwnStep::*;

// The term that an average step is as long as.
OwnTerm longestOf(const OwnStep& mean)
{
    for (const OwnTerm term : {&OwnStep::gpuNs, &OwnStep::hostNs})
        if (mean.*term == mean.ownNs())
            return term;
    return &OwnStep::leftNs;
}

std::int64_t lostTo(const DigestStep& step, std::initializer_list<LostCause> causes)
{
    std::int64_t sum = 0;
    for (const LostCause cause : causes)
        sum = saturatedSum(sum, step.lostNs[static_cast<std::size_t>(cause)]);
    return sum;
}

// What a rank's collectives have of a step, exposed.
struct ExposedCommunication {
    std::int64_t transferNs = 0;
    std::int64_t waitingNs = 0;
};
using ExposedByStep = std::unordered_map<std::int64_t, ExposedCommunication>;  // by number

std::vector<ExposedByStep> exposedOf(const std::vector<RankDigest>& digests, const CollectiveMatch& match,
                                     const JobCommunication& communication)
{
    std::vector<ExposedByStep> exposed(digests.size());
    for (const CollectiveTiming& timing : communication.collectives)
        for (const MatchedMember& member : match.collectives[timing.collective].members) {
            const DigestCollective& one = digests[member.rank].collectives[member.collective];
            const std::int64_t transferNs = std::min(timing.transferNs, one.durationNs);
            const double share = shareOf(one.exposedNs, one.durationNs);
            ExposedCommunication& of = exposed[member.rank][timing.step];
            of.transferNs = saturatedSum(of.transferNs, saturatedRound(share * static_cast<double>(transferNs)));
            of.waitingNs =
                saturatedSum(of.waitingNs, saturatedRound(share * static_cast<double>(one.durationNs - transferNs)));
        }
    return exposed;
}

OwnStep ownStepOf(const DigestStep& step, const ExposedCommunication& exposed)
{
    OwnStep own;
    const std::int64_t copiesNs =
        lostTo(step, {LostCause::Copies, LostCause::ReadBack, LostCause::Migration, LostCause::OtherWork});
    own.gpuNs = saturatedSum(saturatedSum(step.computeNs, copiesNs), exposed.transferNs);
    std::int64_t hostNs = step.hostNs;
    std::int64_t loaderNs = step.hostLoaderNs;
    std::int64_t copyCallNs = step.hostCopyNs;
    if (hostNs == 0) {
        // No calls: the device's own time without kernels stands for the host.
        hostNs = step.interval.lengthNs() - lostTo(step, {LostCause::Communication}) + exposed.transferNs;
        loaderNs = lostTo(step, {LostCause::Batches, LostCause::MakingBatches, LostCause::Pinning});
        copyCallNs = lostTo(step, {LostCause::Staging});
    }
    own.hostNs = hostNs;
    own.leftNs = step.interval.lengthNs() - exposed.waitingNs;
    partOf(own.parts, StragglerReason::Loader) = loaderNs;
    partOf(own.parts, StragglerReason::CopyCalls) = copyCallNs;
    partOf(own.parts, StragglerReason::Link) = copiesNs;
    partOf(own.parts, StragglerReason::Compute) = step.computeNs;
    partOf(own.parts, StragglerReason::Host) = hostNs - loaderNs - copyCallNs;
    return own;
}

// The steps that every rank has and none calls warm-up: by number where they are numbered alike, else in order.
class ComparedSteps
{
public:
    explicit ComparedSteps(const std::vector<RankDigest>& digests)
    {
        std::map<std::int64_t, std::size_t> counts;
        std::unordered_set<std::int64_t> warmUps;
        for (const RankDigest& digest : digests) {
            std::unordered_set<std::int64_t> met;  // a number may come twice
            for (const DigestStep& step : digest.steps) {
                counts[step.number] += met.insert(step.number).second ? 1 : 0;
                if (step.warmUp)
                    warmUps.insert(step.number);
            }
        }
        for (const auto& [number, count] : counts)
            if (count == digests.size() && !warmUps.contains(number))
                m_numbers.push_back(number);
    }
    std::size_t size() const { return m_numbers.size(); }
    const std::vector<std::int64_t>& numbers() const { return m_numbers; }

    // In the order of the numbers.
    std::vector<OwnStep> of(const RankDigest& digest, const ExposedByStep& exposed) const
    {
        std::unordered_map<std::int64_t, const DigestStep*> steps;
        for (const DigestStep& step : digest.steps)
            steps.emplace(step.number, &step);
        std::vector<OwnStep> own;
        for (const std::int64_t number : m_numbers) {
            const auto found = exposed.find(number);
            own.push_back(
                ownStepOf(*steps.at(number), found == exposed.end() ? ExposedCommunication() : found->second));
        }
        return own;
    }
    std::int64_t lengthNs(const RankDigest& digest) const
    {
        std::int64_t sum = 0;
        for (const DigestStep& step : digest.steps)
            if (std::binary_search(m_numbers.begin(), m_numbers.end(), step.number))
                sum = saturatedSum(sum, step.interval.lengthNs());
        return sum / std::max<std::int64_t>(static_cast<std::int64_t>(m_numbers.size()), 1);
    }

private:
    std::vector<std::int64_t> m_numbers;
};

OwnStep meanOf(const std::vector<OwnStep>& steps)
{
    OwnStep sum;
    const auto add = [](std::int64_t& into, std::int64_t ns) { into = saturatedSum(into, ns); };
    for (const OwnStep& step : steps) {
        add(sum.leftNs, step.leftNs);
        add(sum.gpuNs, step.gpuNs);
        add(sum.hostNs, step.hostNs);
        for (std::size_t part = 0; part < sum.parts.size(); ++part)
            add(sum.parts[part], step.parts[part]);
    }
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(steps.size(), 1));
    sum.leftNs /= count;
    sum.gpuNs /= count;
    sum.hostNs /= count;
    for (std::int64_t& part : sum.parts)
        part /= count;
    return sum;
}

// How often the mean of the differences would be as large with a sign of each drawn at random.
double chanceOf(const std::vector<OwnStep>& slow, OwnTerm slowTerm, const std::vector<OwnStep>& next, OwnTerm nextTerm)
{
    constexpr int kDraws = 2000;
    std::vector<double> differences;
    double sum = 0;
    for (std::size_t at = 0; at < slow.size(); ++at) {
        differences.push_back(static_cast<double>(slow[at].*slowTerm - next[at].*nextTerm));
        sum += differences.back();
    }
    std::mt19937 random(1);
    int asLarge = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
        double drawn = 0;
        for (const double difference : differences)
            drawn += (random() & 1) != 0 ? difference : -difference;
        asLarge += drawn >= sum ? 1 : 0;
    }
    return static_cast<double>(asLarge + 1) / (kDraws + 1);
}

// In how many of the compared steps each rank came last, and by how much in all.
struct Arrivals {
    std::vector<std::int64_t> steps;
    std::vector<std::int64_t> lateNs;
};

Arrivals arrivalsOf(const JobCommunication& communication, const ComparedSteps& compared, std::size_t ranks)
{
    std::map<std::int64_t, std::unordered_set<std::uint32_t>> lastOf;
    Arrivals arrivals{std::vector<std::int64_t>(ranks, 0), std::vector<std::int64_t>(ranks, 0)};
    const std::vector<std::int64_t>& numbers = compared.numbers();
    for (const CollectiveTiming& timing : communication.collectives) {
        if (!timing.lastIsSure || !std::binary_search(numbers.begin(), numbers.end(), timing.step))
            continue;
        std::int64_t& lateNs = arrivals.lateNs[timing.last];
        lateNs = saturatedSum(lateNs, timing.lateNs);
        if (lastOf[timing.step].insert(timing.last).second)
            ++arrivals.steps[timing.last];
    }
    return arrivals;
}

bool hasPageableFinding(const RankDigest& digest)
{
    return std::any_of(digest.findings.begin(), digest.findings.end(),
                       [](const std::string& id) { return contains(id, "pageable") || id == "sync-copies"; });
}

void findReason(Straggler& straggler, const std::vector<OwnStep>& means, const std::vector<std::uint32_t>& others,
                std::int64_t gapNs)
{
    const OwnStep& own = means[straggler.rank];
    // Where the GPU alone fills the step, more time of the host costs nothing, and the other way round.
    const bool fillsGpu = own.gpuNs >= own.ownNs() - gapNs / 2;
    const bool fillsHost = own.hostNs >= own.ownNs() - gapNs / 2;
    for (std::size_t part = 0; part < own.parts.size(); ++part) {
        const auto reason = static_cast<StragglerReason>(part);
        const bool isOfGpu = reason == StragglerReason::Compute || reason == StragglerReason::Link;
        // A call that copies and its copy are the same time, of host and GPU.
        if (fillsGpu != fillsHost && isOfGpu != fillsGpu && reason != StragglerReason::CopyCalls)
            continue;
        if (reason == StragglerReason::Link && straggler.reason == StragglerReason::CopyCalls)
            continue;
        std::vector<std::int64_t> theirs;
        theirs.reserve(others.size());
        for (const std::uint32_t other : others)
            theirs.push_back(means[other].parts[part]);
        const std::int64_t moreNs = own.parts[part] - lowerMedian(std::move(theirs));
        if (static_cast<double>(moreNs) < kLeastExplained * static_cast<double>(gapNs) || moreNs <= straggler.moreNs)
            continue;
        straggler.reason = reason;
        straggler.moreNs = moreNs;
        straggler.partNs = own.parts[part];
    }
}

std::string reasonText(const Straggler& straggler)
{
    struct Words {
        std::string_view what;
        std::string_view next;
    };
    static constexpr std::array<Words, kStragglerReasonCount> kWords{{
        {"It waits for its batches", "Look at its loader: its data, its processors, its workers."},
        {"Its host is blocked by calls that copy", "Pin its batches and copy them with non_blocking=True."},
        {"Its copies take longer", "Compare its link and its batches with those of the others."},
        {"Its kernels take longer", "Compare its GPU's clock and temperature, and its share of the work."},
        {"Its host takes longer", "Compare what its launching threads and its processors do."},
        {"", "Its own records do not say why: record it with stacks."},
    }};
    const Words& words = kWords[static_cast<std::size_t>(straggler.reason)];
    if (straggler.reason == StragglerReason::Unknown)
        return std::string(words.next);
    const bool isPageable = straggler.reason == StragglerReason::CopyCalls && straggler.pageable;
    return fmt::format("{}{}: {} of each step, {} more than the median of the others. {}", words.what,
                       isPageable ? ", from pageable memory" : "", formatDuration(straggler.partNs),
                       formatDuration(straggler.moreNs), words.next);
}

}  // namespace

std::string_view stragglerReasonId(StragglerReason reason)
{
    static constexpr std::array<std::string_view, kStragglerReasonCount> kIds{"loader",  "copy_calls", "link",
                                                                              "compute", "host",       "unknown"};
    return kIds[static_cast<std::size_t>(reason)];
}

StragglerAnswer findStragglers(const std::vector<RankDigest>& digests, const CollectiveMatch& match,
                               const JobCommunication& communication)
{
    StragglerAnswer answer;
    if (digests.size() < 2) {
        answer.whyNot = "One rank alone has no other to compare it with.";
        return answer;
    }
    const ComparedSteps compared(digests);
    answer.steps = static_cast<std::int64_t>(compared.size());
    if (compared.size() < kLeastSteps) {
        answer.whyNot = "Fewer than three steps are in the traces of all ranks: too few to name a straggler.";
        return answer;
    }
    const std::vector<ExposedByStep> exposed = exposedOf(digests, match, communication);
    std::vector<std::vector<OwnStep>> steps;
    std::vector<OwnStep> means;
    std::vector<std::int64_t> lengths;
    std::vector<std::uint32_t> order;
    for (std::uint32_t rank = 0; rank < digests.size(); ++rank) {
        steps.push_back(compared.of(digests[rank], exposed[rank]));
        means.push_back(meanOf(steps.back()));
        answer.ownNs.push_back(means.back().ownNs());
        lengths.push_back(compared.lengthNs(digests[rank]));
        order.push_back(rank);
    }
    answer.stepNs = lowerMedian(std::move(lengths));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return answer.ownNs[a] > answer.ownNs[b]; });
    const Arrivals arrivals = arrivalsOf(communication, compared, digests.size());
    const std::int64_t mostLateNs = *std::max_element(arrivals.lateNs.begin(), arrivals.lateNs.end());
    // The first few, up to a quarter: more of them are the job.
    const std::size_t most = std::max<std::size_t>(digests.size() / 4, 1);
    for (std::size_t slow = 1; slow <= most; ++slow) {
        const std::int64_t gapNs = answer.ownNs[order[slow - 1]] - answer.ownNs[order[slow]];
        if (static_cast<double>(gapNs) < kLeastGap * static_cast<double>(answer.stepNs))
            continue;
        const double chance = chanceOf(steps[order[slow - 1]], longestOf(means[order[slow - 1]]), steps[order[slow]],
                                       longestOf(means[order[slow]]));
        const std::vector<std::uint32_t> others(order.begin() + static_cast<std::ptrdiff_t>(slow), order.end());
        std::vector<Straggler> named;
        bool isLast = false;
        bool saysWhy = true;
        for (std::size_t at = 0; at < slow; ++at) {
            Straggler found;
            found.rank = order[at];
            found.ownNs = answer.ownNs[found.rank];
            found.steps = arrivals.steps[found.rank];
            found.pageable = hasPageableFinding(digests[found.rank]);
            findReason(found, means, others, gapNs);
            isLast = isLast || (mostLateNs > 0 && arrivals.lateNs[found.rank] == mostLateNs);
            saysWhy = saysWhy && found.reason != StragglerReason::Unknown;
            named.push_back(found);
        }
        const bool isOfHost = std::all_of(named.begin(), named.end(), [](const Straggler& one) {
            return one.reason == StragglerReason::Host || one.reason == StragglerReason::Unknown;
        });
        if (!isLast || chance >= (saysWhy ? kSureWithReason : kSure) ||
            (isOfHost && static_cast<double>(gapNs) < kLeastGapOfHosts * static_cast<double>(answer.stepNs)))
            continue;
        answer.stragglers = std::move(named);
        answer.chance = chance;
        const std::int64_t nextNs = answer.ownNs[order[slow]];
        answer.withoutNs =
            std::min(answer.stepNs, std::max(answer.stepNs - (answer.ownNs[order.front()] - nextNs), nextNs));
        break;
    }
    return answer;
}

Blocks stragglerBlocks(const StragglerAnswer& answer, const std::vector<RankDigest>& digests)
{
    if (!answer.whyNot.empty())
        return {Sentence{answer.whyNot, Tone::Muted}};
    if (answer.stragglers.empty())
        return {Sentence{fmt::format("No rank makes the others wait over {} steps.", formatCount(answer.steps)),
                         Tone::Plain, true}};
    Blocks blocks;
    for (const Straggler& straggler : answer.stragglers) {
        blocks.push_back(
            Sentence{fmt::format("The others wait for {}: its own step takes {}, and it comes last in {} of "
                                 "{} steps.",
                                 rankLabel(digests[straggler.rank].identity), formatDuration(straggler.ownNs),
                                 formatCount(straggler.steps), formatCount(answer.steps)),
                     Tone::Worse, true});
        blocks.push_back(Sentence{reasonText(straggler)});
    }
    blocks.push_back(Sentence{fmt::format("The job's step takes {} now, about {} with {} as quick as the next rank.",
                                          formatDuration(answer.stepNs), formatDuration(answer.withoutNs),
                                          answer.stragglers.size() == 1 ? "it" : "them")});
    return blocks;
}

}  // namespace overlane
