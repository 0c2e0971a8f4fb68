#include <array>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/job/straggler.h"

namespace overlane
{
namespace
{

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

std::string whyText(const LastRank& last)
{
    switch (last.why) {
        case NotNamed::HostsUnknown:
            return "The calls of the hosts were not recorded, so that what it does then is not known; record the "
                   "host, too.";
        case NotNamed::Chance:
            return fmt::format(
                "Its own step takes {} more than that of the next rank, but its steps vary too much, "
                "or are too few, to call it slow. Record more of them.",
                formatDuration(last.moreNs));
        default:
            return "Its own work takes about as long as that of the others, so that speeding it up wins little: hosts "
                   "that run ahead wait for the one that is behind.";
    }
}

Blocks lastBlocks(const StragglerAnswer& answer, const RankDigests& digests)
{
    const LastRank& last = *answer.last;
    std::string name = rankLabel(digests[last.rank].identity);
    name.front() = name.front() == 'r' ? 'R' : name.front() == 'u' ? 'U' : name.front();
    if (last.why == NotNamed::FewSteps)
        return {Sentence{fmt::format("{} came last to {} collective{}, and the others waited {} for it.", name,
                                     formatCount(last.collectives), last.collectives == 1 ? "" : "s",
                                     formatDuration(last.waitedNs))},
                Sentence{answer.whyNot}};
    return {Sentence{fmt::format("{} comes last in {} of {} steps, and the others wait {} of each for it.", name,
                                 formatCount(last.steps), formatCount(answer.steps), formatDuration(last.waitedNs))},
            Sentence{whyText(last)}};
}

}  // namespace

Blocks stragglerBlocks(const StragglerAnswer& answer, const RankDigests& digests)
{
    if (answer.last)
        return lastBlocks(answer, digests);
    if (!answer.whyNot.empty())
        return {Sentence{answer.whyNot, Tone::Muted}};
    if (answer.stragglers.empty())
        return {Sentence{fmt::format("No rank makes the others wait over {} steps.", formatCount(answer.steps))}};
    Blocks blocks;
    for (const Straggler& straggler : answer.stragglers) {
        blocks.push_back(
            Sentence{fmt::format("The others wait for {}: its own step takes {}, and it comes last in {} of {} steps.",
                                 rankLabel(digests[straggler.rank].identity), formatDuration(straggler.ownNs),
                                 formatCount(straggler.steps), formatCount(answer.steps)),
                     Tone::Worse, true});
        blocks.push_back(Sentence{reasonText(straggler)});
    }
    std::int64_t waitedNs = 0;
    for (const Straggler& straggler : answer.stragglers)
        waitedNs += straggler.waitedNs;
    const bool isOne = answer.stragglers.size() == 1;
    blocks.push_back(Sentence{
        fmt::format("The others wait {} of each step for {}. The job's step takes {} now, about {} with {} as quick "
                    "as the next rank.",
                    formatDuration(waitedNs), isOne ? "it" : "them", formatDuration(answer.stepNs),
                    formatDuration(answer.withoutNs), isOne ? "it" : "them")});
    return blocks;
}

}  // namespace overlane
