// Verdict: one sentence, one pair of numbers, one cause and one piece of advice for a range.
//
// Time without kernels is given to its causes (core/analysis/lost_time.h); the largest is the
// finding, unless kernels fill the range. Figures are bounds: what removing a cause could win is never
// more than the time it cost. Made from records only, by pure functions; any thread. Nanoseconds. Of
// several devices it speaks of the one with the most exposed copy among those that kernels do not fill,
// says which that is, and how much the others hide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/copy_cause.h"
#include "core/analysis/lost_time.h"
#include "core/analysis/steps.h"
#include "core/analysis/summary.h"

namespace overlane
{

enum class VerdictTone : std::uint8_t {
    Nothing,  // no GPU work: nothing to judge
    Neutral,  // kernels fill the time, or nothing that can be named costs any
    Problem,  // a cause costs time and can be named
};

struct Verdict {
    VerdictTone tone = VerdictTone::Nothing;
    std::string sentence;  // the finding, complete with numbers; what else matters in further sentences
    std::string advice;    // what to change, in PyTorch's words; empty where nothing should be
    std::int32_t device = -1;

    std::int64_t copies = 0;        // host-to-device copies that start in the range
    std::int64_t hiddenCopies = 0;  // of them: at least half under kernels
    double hiddenShare = 0;         // of copy time, |H n C| / |H|
    std::int64_t exposedNs = 0;

    // Kernels fill the range: nothing to win from copies or loading. Part of the time that they fill,
    // without warm-up, start and end.
    bool computeBound = false;
    double filledShare = 0;
    // The link to the device is too narrow for the copies, whatever each of them waits for.
    bool linkBound = false;

    // Now, and without the main loss and all else equal. Of the average step where the range holds whole
    // steps, the range divided by them, so that losses add up to it; else of the range. Equal where nothing that can be
    // named is lost.
    bool perStep = false;
    std::int64_t nowNs = 0;
    std::int64_t couldBeNs = 0;

    // Where the time without kernels goes, most first, in the whole range.
    struct Loss {
        LostCause cause;
        std::int64_t lostNs = 0;
    };
    std::vector<Loss> losses;
    // Idle time early in a long range that does not come back: first batches, first allocations; and
    // that before the first and after the last work of the device. Neither is in `losses`.
    std::int64_t warmUpNs = 0;
    std::int64_t endsNs = 0;
    // What the verdict is about.
    Interval range;
    // What the sentence is about; none where kernels fill the range.
    std::optional<LostCause> mainLoss;

    // The cause of the copies with the most exposed time; none where nothing is exposed.
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

// What a verdict of a whole trace is about: where the steps are known, from the first to the last and
// the GPU work that the last one left behind; else from the first to the last GPU work; else all of it.
// What a program does before and after, imports for one, is not what people ask about.
struct JudgedRange {
    Interval range;
    bool bySteps = false;
    std::int64_t beforeNs = 0;  // left out
    std::int64_t afterNs = 0;
};
JudgedRange judgedRange(const Analysis& analysis, const std::vector<Step>& steps);
// The verdict of that range, with a further sentence on what is left out where it is worth a word.
Verdict verdictOfTrace(const Analysis& analysis, const std::vector<Step>& steps);
// For one-off use; builds an Analysis and finds the steps.
Verdict verdict(const Trace& trace, Interval range);

}  // namespace overlane
