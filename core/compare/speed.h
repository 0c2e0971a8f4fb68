// Speed: how fast B is beside A, and the one place that calls a trace, a run or a step faster or slower.
//
// Pure functions, any thread; nanoseconds, per step unless a caller says otherwise. Three rules:
// - Traces of one kind, two recordings above all: only what claimOf() claims of their steps (sample.h).
// - Simulated runs with one seed differ only by what was set: their means count as they are, and a difference of less
//   than a hundredth is about as fast. Where the threads of a device profile differ in speed, a setting also changes
//   which of them are slow: on h200_vm (0.06), a larger prefetch factor took from 13 % less to 13 % more over 24 seeds.
//   Such runs are judged by their steps; so are those with two seeds, where 216 pairs of like runs claimed nothing.
// - A simulated run beside a measured one: nothing, since they differ by the error of the simulation, too.
// What-if (Noise in core/replay/prediction.h), trials (core/trial) and the advisor (core/sweep/advisor_error.h) have
// claims of their own: they know how much runs of one program differ, or how far the simulation is off.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace overlane
{

struct CompareSide;

enum class Pace : std::uint8_t { Faster, Slower, AboutTheSame, NotSure };
constexpr bool isClaimed(Pace pace)
{
    return pace == Pace::Faster || pace == Pace::Slower;
}
enum class ClaimBy : std::uint8_t { Steps, Means, Nothing };  // in the order of the rules above

struct Speed {
    std::int64_t aNs = 0;
    std::int64_t bNs = 0;
    Pace pace = Pace::NotSure;
    ClaimBy by = ClaimBy::Nothing;
};

// Apart by a hundredth of the larger one at most, which no person sees.
bool aboutTheSame(double a, double b);

ClaimBy claimBy(const Trace& a, const Trace& b);
// By the second rule, whatever the two are.
Speed simulatedSpeed(std::int64_t aNs, std::int64_t bNs);
// As compareSteps() says; not sure where it fails.
Speed speedOf(const CompareSide& a, const CompareSide& b);

// "2.5 x faster", "3.2 % slower", "about as fast", "not clearly faster or slower"; with `than` the A it is compared
// with: "2.5 x faster than A", "about as fast as A". Empty where nothing may be claimed either way.
std::string speedText(const Speed& speed, std::string_view than = {});

}  // namespace overlane
