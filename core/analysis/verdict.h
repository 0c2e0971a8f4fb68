// Verdict: one sentence, one pair of numbers, one cause and one piece of advice for a range.
//
// Made from records only, by pure functions; any thread. Nanoseconds. For several devices it
// speaks of the one with the most exposed copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/copy_cause.h"
#include "core/analysis/steps.h"
#include "core/analysis/summary.h"

namespace overlane
{

enum class VerdictTone : std::uint8_t {
    Nothing,  // no GPU work or no copies: nothing to judge
    Neutral,  // nothing to win by hiding copies
    Problem,  // exposed copies cost time
};

struct Verdict {
    VerdictTone tone = VerdictTone::Nothing;
    std::string sentence;  // the finding, complete with numbers
    std::string advice;    // what to change, in PyTorch's words; empty where nothing should be
    std::int32_t device = -1;

    std::int64_t copies = 0;        // host-to-device copies that start in the range
    std::int64_t hiddenCopies = 0;  // of them: at least half under kernels
    double hiddenShare = 0;         // of copy time, |H n C| / |H|
    std::int64_t exposedNs = 0;

    // Now, and with every copy hidden and all else equal: max(ideal, now - exposed). Per step
    // where the range holds whole steps, else of the range.
    bool perStep = false;
    std::int64_t nowNs = 0;
    std::int64_t couldBeNs = 0;

    // The cause with the most exposed time; none where nothing is exposed.
    std::optional<CopyCause> cause;
    // Exposed time per cause, most first.
    struct CauseShare {
        CopyCause cause;
        std::int64_t copies = 0;
        std::int64_t exposedNs = 0;
    };
    std::vector<CauseShare> causes;
};

Verdict verdict(const Analysis& analysis, const std::vector<Step>& steps, Interval range);
// For one-off use; builds an Analysis and finds the steps.
Verdict verdict(const Trace& trace, Interval range);

}  // namespace overlane
