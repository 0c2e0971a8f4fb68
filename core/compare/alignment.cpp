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
    side.firstStep = sequence.steps[first].name;
    return side;
}

Result<std::size_t> placeOf(const StepSequence& sequence, std::optional<std::size_t> wished, const char* side)
{
    if (sequence.steps.empty())
        return Error{fmt::format("{} has no steps to align at; align at the first kernel instead.", side)};
    if (wished && *wished >= sequence.steps.size())
        return Error{fmt::format("{} has {} steps, numbered from 0; there is no step {}.", side, sequence.steps.size(),
                                 *wished)};
    return wished.value_or(firstSettled(sequence.steps));
}

Result<AlignedSide> sideByKernel(const Analysis& analysis, const StepSequence& steps, const char* name)
{
    const std::optional<std::int64_t> kernel = firstKernelNs(analysis);
    if (!kernel)
        return Error{fmt::format("{} holds no kernel to align at.", name)};
    AlignedSide side;
    if (steps.steps.empty())
        side.range = activeRange(analysis, {}).range;
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
    alignment.by = wish.by.value_or(bothHaveSteps || wish.step ? AlignBy::Step : AlignBy::FirstKernel);
    if (alignment.by == AlignBy::FirstKernel) {
        Result<AlignedSide> a = sideByKernel(analysisA, stepsA, "A");
        if (!a.ok())
            return a.failure();
        Result<AlignedSide> b = sideByKernel(analysisB, stepsB, "B");
        if (!b.ok())
            return b.failure();
        alignment.a = std::move(a).value();
        alignment.b = std::move(b).value();
        if (!alignment.perStep()) {
            // Steps on one side only compare with nothing.
            for (auto [side, analysis] : {std::pair(&alignment.a, &analysisA), std::pair(&alignment.b, &analysisB)}) {
                side->steps.clear();
                side->range = activeRange(*analysis, {}).range;
            }
        }
        return alignment;
    }
    const Result<std::size_t> a = placeOf(stepsA, wish.step, "A");
    if (!a.ok())
        return a.failure();
    const Result<std::size_t> b = placeOf(stepsB, wish.step, "B");
    if (!b.ok())
        return b.failure();
    alignment.a = sideFrom(stepsA, a.value());
    alignment.b = sideFrom(stepsB, b.value());
    return alignment;
}

}  // namespace overlane
