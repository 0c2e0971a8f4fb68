#include "core/job/held_back.h"

#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "core/base/saturated.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

bool isComparedAndEven(const StragglerAnswer& answer)
{
    return answer.whyNot.empty() && (!answer.last || answer.last->why == NotNamed::NoLonger);
}

// What most of the communication is; empty where no collective is matched.
std::string communicationText(const JobCommunication& communication)
{
    double waiting = 0;
    double transfer = 0;
    for (const RankCommunication& rank : communication.ranks) {
        waiting += static_cast<double>(rank.waitingNs);
        transfer += static_cast<double>(rank.transferNs);
    }
    if (waiting + transfer <= 0)
        return "Overlap it with compute, or move fewer bytes.";
    return waiting > transfer
               ? "Most of it is waiting for the last rank to come. Let the hosts run ahead of their GPUs, "
                 "with fewer synchronizations, and even out their steps."
               : "Most of it is transfer. Overlap it with compute, or move fewer bytes.";
}

std::string_view nextText(RankPart part)
{
    static constexpr std::array<std::string_view, kRankPartCount> kNext{
        "Open a rank: its kernels by name show where to begin.",
        "",
        "Open a rank: its findings name these copies and how to hide them.",
        "Open a rank: its findings say what its loader lacks.",
        "Open a rank: its findings name the calls and the code that come late.",
        "Open a rank: its findings say what its GPU waits for.",
    };
    return kNext[static_cast<std::size_t>(part)];
}

}  // namespace

std::optional<HeldBack> heldBack(const Job& job, const JobFigures& figures)
{
    if (job.isOfGpus() || figures.ranks.size() < 2 || figures.median.stepNs <= 0)
        return std::nullopt;
    HeldBack held;
    held.stepNs = figures.median.stepNs;
    for (const RankPartRow& row : rankParts())
        if (const std::int64_t ns = figures.median.partNs[static_cast<std::size_t>(row.part)];
            row.part != RankPart::Compute && ns > held.partNs) {
            held.part = row.part;
            held.partNs = ns;
        }
    if (static_cast<double>(held.partNs) < kLeastHeldBack * static_cast<double>(held.stepNs)) {
        held.part = RankPart::Compute;
        held.partNs = figures.median.partNs[static_cast<std::size_t>(RankPart::Compute)];
    }
    return held;
}

Blocks heldBackBlocks(const HeldBack& held, const JobFigures& figures, const JobAnalysis& analysis)
{
    const bool isCompute = held.part == RankPart::Compute;
    const std::string lead = fmt::format(
        "No rank is {}{}: {} take{} {} of {}{}{} ({}).", isComparedAndEven(analysis.stragglers) ? "slow" : "named",
        isCompute ? ", and little else holds the job back" : "", rowOf(held.part).words,
        held.part == RankPart::Copies ? "" : "s", formatDuration(held.partNs), figures.perStep ? "each step of " : "",
        formatDuration(held.stepNs), figures.perStep ? "" : " of work",
        formatShare(double(held.partNs) / double(held.stepNs)));
    return {Sentence{lead, Tone::Plain, true},
            Sentence{held.part == RankPart::Communication ? communicationText(analysis.communication)
                                                          : std::string(nextText(held.part))}};
}

}  // namespace overlane
