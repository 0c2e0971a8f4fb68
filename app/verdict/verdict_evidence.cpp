#include "app/verdict/verdict_evidence.h"

#include <optional>

#include "core/analysis/idle_attribution.h"

namespace overlane
{

namespace
{

// The longest stretch lost to a cause.
std::optional<IdlePiece> longestPiece(const LostTime& lost, LostCause cause, Interval range)
{
    std::optional<IdlePiece> longest;
    for (const Interval& stretch : lost[static_cast<std::size_t>(cause)].intervals()) {
        const Interval shown = stretch.intersected(range);
        if (shown.lengthNs() > (longest ? longest->interval.lengthNs() : 0))
            longest = IdlePiece{shown, cause};
    }
    return longest;
}

}  // namespace

EventIndex worstExposedCopy(const Analysis& analysis, Interval range)
{
    EventIndex worst;
    std::int64_t most = 0;
    for (const DeviceActivity& device : analysis.devices())
        for (const auto* copies : {&device.h2dCopies, &device.d2hCopies}) {
            const auto [first, last] = analysis.startingIn(*copies, range);
            for (std::size_t i = first; i < last; ++i) {
                const CopyRecord& copy = (*copies)[i];
                if (copy.exposedNs() > most) {
                    most = copy.exposedNs();
                    worst = copy.event;
                }
            }
        }
    return worst;
}

Evidence evidenceOf(const Trace& trace, const Analysis& analysis, const Verdict& verdict, Interval range)
{
    if (!verdict.range.empty())
        range = range.intersected(verdict.range);
    if (!verdict.mainLoss || *verdict.mainLoss == LostCause::Copies) {
        const EventIndex copy = worstExposedCopy(analysis, range);
        return {copy, copy.valid() ? trace.interval(copy) : Interval{}};
    }
    const LostTime* lost = analysis.lost(verdict.device);
    if (!lost)
        return {};
    std::optional<IdlePiece> piece = longestPiece(*lost, *verdict.mainLoss, range);
    if (!piece && *verdict.mainLoss == LostCause::Host)  // which counts the time between records too
        piece = longestPiece(*lost, LostCause::HostBetween, range);
    if (!piece)
        return {};
    const IdleEvidence proof = idleEvidence(trace, analysis, verdict.device, *piece);
    return {proof.event, piece->interval};
}

}  // namespace overlane
