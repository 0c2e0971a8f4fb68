// Verdict: one sentence, one pair of numbers, one cause and one piece of advice for a range.
//
// Time without kernels is given to its causes (core/analysis/lost_time.h); the largest is the
// finding, unless kernels fill the range. Figures are bounds: what removing a cause could win is never
// more than the time it cost. Made from records only, by pure functions; any thread. Nanoseconds. Of
// several devices it speaks of the one whose named loss is the largest, else of the one with the most
// exposed copy and communication, says which that is, and how much the others hide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/active_range.h"
#include "core/analysis/analysis.h"
#include "core/analysis/code_share.h"
#include "core/analysis/copy_groups.h"
#include "core/analysis/lost_time.h"
#include "core/analysis/steps.h"

namespace overlane
{

enum class VerdictTone : std::uint8_t {
    Nothing,  // no GPU work, or next to none: nothing to judge
    Neutral,  // kernels fill the time, or nothing that can be named costs any
    Problem,  // a cause costs time and can be named
};

struct Verdict {
    VerdictTone tone = VerdictTone::Nothing;
    std::string sentence;  // the finding, complete with numbers; what else matters in further sentences
    std::string advice;    // what to change, in the words of the framework that ran; empty where nothing should be
    std::int32_t device = -1;

    std::int64_t copies = 0;        // host-to-device copies that start in the range
    std::int64_t hiddenCopies = 0;  // of them: at least half under kernels
    double hiddenShare = 0;         // of copy time, |H n C| / |H|
    std::int64_t exposedNs = 0;

    // Kernels fill the range, or nearly so with no loss beside them that is worth much. Part of the time that they
    // fill, without warm-up, start and end.
    bool computeBound = false;
    double filledShare = 0;
    // Kernels fill the range, but the trace holds next to no GPU work and no steps: no claim about the program.
    bool hardlyAnyWork = false;
    // The link to the device is too narrow for the copies, whatever each of them waits for.
    bool linkBound = false;
    // Batches are waited for although what makes them works all the time: it is the main loss, whatever else costs,
    // because all that is won elsewhere becomes a longer wait.
    bool loaderSetsPace = false;

    // Now, and without the main loss and all else equal. Of the average step where the range holds whole
    // steps (averageStepNs(), the one step time of a range) and few pauses between them (kMuchPause), else of the
    // range. Equal where nothing that can be named is lost.
    bool perStep = false;
    std::int64_t nowNs = 0;
    std::int64_t couldBeNs = 0;

    // Where the time without kernels goes in the whole range, most first; before all a loader that sets the pace.
    struct Loss {
        LostCause cause;
        std::int64_t lostNs = 0;
        // In which code the launching thread was then, most first; empty where it is not its loss, or no stacks say.
        std::vector<CodeShare> places;
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

    // What most of the exposed copies carry: those back where their time is the main loss, else those to the device.
    CopyRole carries = CopyRole::Unknown;
    // What an iteration takes at least, whatever is done about its offloaded data; part of the sentence, too.
    std::string offload;
    // The cause of the copies with the most exposed time; none where nothing is exposed.
    std::optional<CopyCause> cause;
    // Exposed copies per cause, most time first.
    using CauseShare = CopyGroup;
    std::vector<CauseShare> causes;
    // Of all copies that start in the range, each for itself: unlike in exposedNs, what lies behind the end of the
    // range counts, and what two copies do at once counts twice. The whole that the causes are parts of.
    std::int64_t copiesExposedNs = 0;
};

Verdict verdict(const Analysis& analysis, const std::vector<Step>& steps, Interval range);

// Below this part of the range, a loss is not worth anybody's time, nor a word.
constexpr double kNegligibleShare = 0.02;
// A range of so many steps has a beginning that differs; what has this share of its cost in the first
// quarter is warm-up.
constexpr std::int64_t kManySteps = 16;
constexpr double kEarlyShare = 0.75;
Interval firstQuarter(Interval range);

// The verdict of activeRange(), with a further sentence on what is left out where it is worth a word.
Verdict verdictOfTrace(const Analysis& analysis, const std::vector<Step>& steps);
// For one-off use; builds an Analysis and finds the steps.
Verdict verdict(const Trace& trace, Interval range);

}  // namespace overlane
