#include "core/compare/alignment.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/analysis/verdict.h"

namespace overlane
{
namespace
{

std::size_t firstSettled(const std::vector<Step>& steps)
{
    const auto settled = std::find_if(steps.begin(), steps.end(), [](const Step& step) { return !step.warmUp; });
    return settled == steps.end() ? 0 : static_cast<std::size_t>(settled - steps.begin());
}

// The first kernel of any device.
std::optional<std::int64_t> firstKernelNs(const Analysis& analysis)
{
    std::optional<std::int64_t> first;
    for (const DeviceActivity& device : analysis.devices())
        if (!device.kernels.empty())
            first = std::min(first.value_or(device.kernels.span().startNs), device.kernels.span().startNs);
    return first;
}

// From step `first` on; the anchor is that step's start.
AlignedSide sideFrom(const StepSequence& sequence, std::size_t first)
{
    AlignedSide side;
    for (std::size_t i = first; i < sequence.steps.size(); ++i) {
        const Step& step = sequence.steps[i];
        side.steps.push_back({step.interval.startNs, step.interval.startNs + step.timeNs});
    }
    side.range = {side.steps.front().startNs, side.steps.back().endNs};
    side.anchorNs = side.range.startNs;
    side.firstStep = sequence.steps[first].number;
    return side;
}

Result<std::size_t> placeOf(const StepSequence& sequence, std::optional<std::int64_t> number, const char* side)
{
    if (!number)
        return firstSettled(sequence.steps);
    for (std::size_t i = 0; i < sequence.steps.size(); ++i)
        if (sequence.steps[i].number == *number)
            return i;
    if (sequence.steps.empty())
        return Error{fmt::format("{} has no steps to align at; align at the first kernel instead.", side)};
    return Error{fmt::format("{} has no step {}; its steps run from {} to {}.", side, *number,
                             sequence.steps.front().number, sequence.steps.back().number)};
}

Result<AlignedSide> sideByKernel(const Analysis& analysis, const StepSequence& steps, const char* name)
{
    const std::optional<std::int64_t> kernel = firstKernelNs(analysis);
    if (!kernel)
        return Error{fmt::format("{} holds no kernel to align at.", name)};
    AlignedSide side;
    if (steps.steps.empty())
        side.range = judgedRange(analysis, {}).range;
    else
        side = sideFrom(steps, firstSettled(steps.steps));
    side.anchorNs = *kernel;
    return side;
}

}  // namespace

Result<Alignment> align(const Analysis& analysisA, const StepSequence& stepsA, const Analysis& analysisB,
                        const StepSequence& stepsB, const AlignmentWish& wish)
{
    Alignment alignment;
    const bool bothHaveSteps = !stepsA.steps.empty() && !stepsB.steps.empty();
    alignment.by = wish.by.value_or(bothHaveSteps || wish.stepNumber ? AlignBy::Step : AlignBy::FirstKernel);
    if (alignment.by == AlignBy::FirstKernel) {
        Result<AlignedSide> a = sideByKernel(analysisA, stepsA, "A");
        if (!a.ok())
            return Error{a.error()};
        Result<AlignedSide> b = sideByKernel(analysisB, stepsB, "B");
        if (!b.ok())
            return Error{b.error()};
        alignment.a = std::move(a).value();
        alignment.b = std::move(b).value();
        if (!alignment.perStep()) {
            // Steps on one side only compare with nothing.
            for (auto [side, analysis] : {std::pair(&alignment.a, &analysisA), std::pair(&alignment.b, &analysisB)}) {
                side->steps.clear();
                side->range = judgedRange(*analysis, {}).range;
            }
        }
        return alignment;
    }
    const Result<std::size_t> a = placeOf(stepsA, wish.stepNumber, "A");
    if (!a.ok())
        return Error{a.error()};
    const Result<std::size_t> b = placeOf(stepsB, wish.stepNumber, "B");
    if (!b.ok())
        return Error{b.error()};
    if (!bothHaveSteps)
        return Error{fmt::format("{} has no steps to align at; align at the first kernel instead.",
                                 stepsA.steps.empty() ? "A" : "B")};
    alignment.a = sideFrom(stepsA, a.value());
    alignment.b = sideFrom(stepsB, b.value());
    return alignment;
}

}  // namespace overlane
