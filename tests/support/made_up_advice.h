// An advice from figures that are given.
#pragma once

#include "core/sweep/advisor.h"

namespace overlane::test
{

inline Advice madeUpAdvice()
{
    const auto candidate = [](PinStrategy pin, std::int64_t workers, double batchNs, std::int64_t pinned) {
        AdvisorCandidate made;
        made.scenario.pin = pin;
        made.scenario.nonBlocking = pin != PinStrategy::None;
        made.scenario.copyStream = pin != PinStrategy::None ? CopyStream::Side : CopyStream::Compute;
        made.scenario.workers = workers;
        made.batchNs = batchNs;
        made.pinnedPeakBytes = pinned;
        made.overlapShare = pin != PinStrategy::None ? 0.97 : 0.02;
        made.kernelNs = 6e6;
        made.copyNs = 1e6;
        made.loadNs = 2e6;
        made.fits = true;
        return made;
    };
    Advice advice;
    advice.kind = AdviceKind::Change;
    advice.limits.ramBytes = 16ll << 30;
    advice.now = candidate(PinStrategy::None, 4, 11.4e6, 0);
    advice.front = {candidate(PinStrategy::None, 6, 11.2e6, 0), candidate(PinStrategy::Thread, 4, 6.1e6, 192 << 20),
                    candidate(PinStrategy::Thread, 8, 6.05e6, 448 << 20)};
    advice.advised = advice.front[1];
    advice.knee = 1;
    advice.pageable = advice.front[0];
    advice.tried = 720;
    return advice;
}

}  // namespace overlane::test
