#include "core/compare/comparison_sentence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/analysis/cause_table.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

constexpr double kWorthNaming = 0.15;  // of the change of the step time
constexpr std::int64_t kSame = 1'000;  // a difference below a microsecond is none

std::string duration(double ns)
{
    return formatDuration(std::llround(ns));
}

// The device whose kernels and losses explain the change best: the first that changed most.
const DeviceComparison* tellingDevice(const Comparison& comparison)
{
    const DeviceComparison* telling = nullptr;
    for (const DeviceComparison& device : comparison.devices) {
        const auto change = [](const DeviceComparison& d) {
            std::int64_t largest = std::abs(d.kernelsBNs - d.kernelsANs);
            for (const CauseChange& cause : d.causes)
                largest = std::max(largest, std::abs(cause.deltaNs()));
            return largest;
        };
        if (!telling || change(device) > change(*telling))
            telling = &device;
    }
    return telling;
}

// "7.90 ms less exposed copy, 0.40 ms more kernel time": what explains most of it, in its direction.
std::string explanation(const Comparison& comparison)
{
    const DeviceComparison* device = tellingDevice(comparison);
    const std::int64_t changeNs = comparison.wallBNs - comparison.wallANs;
    if (!device || std::abs(changeNs) < kSame)
        return {};
    struct Part {
        std::int64_t deltaNs;
        std::string_view words;
    };
    std::vector<Part> parts{{device->kernelsBNs - device->kernelsANs, "kernel time"}};
    for (const CauseChange& cause : device->causes) {
        const std::string_view words = rowOf(cause.cause).changed;
        const auto same = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.words == words; });
        if (same != parts.end())
            same->deltaNs += cause.deltaNs();
        else
            parts.push_back({cause.deltaNs(), words});
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& x, const Part& y) { return std::abs(x.deltaNs) > std::abs(y.deltaNs); });
    std::string text;
    int named = 0;
    for (const Part& part : parts) {
        const bool sameWay = (part.deltaNs < 0) == (changeNs < 0);
        const double share = std::abs(static_cast<double>(part.deltaNs) / static_cast<double>(changeNs));
        if (share < kWorthNaming || (!sameWay && named == 0) || named == 2)
            continue;
        text += fmt::format("{}{} {} {}", named == 0 ? "" : ", ", formatDuration(std::abs(part.deltaNs)),
                            part.deltaNs < 0 ? "less" : "more", part.words);
        ++named;
    }
    return text;
}

std::string counts(const Comparison& comparison)
{
    const std::size_t a = comparison.stepTime.a.count;
    const std::size_t b = comparison.stepTime.b.count;
    if (a == b)
        return fmt::format("{} {} each", formatCount(static_cast<std::int64_t>(a)), a == 1 ? "step" : "steps");
    return fmt::format("{} and {} steps", formatCount(static_cast<std::int64_t>(a)),
                       formatCount(static_cast<std::int64_t>(b)));
}

}  // namespace

std::string comparisonSentence(const Comparison& comparison)
{
    const QuantityChange& time = comparison.stepTime;
    const std::string why = explanation(comparison);
    const std::string reason = why.empty() ? "" : ": " + why;
    if (!comparison.perStep)
        return fmt::format(
            "The compared range of B takes {} and that of A {}{}. No steps were found on both sides, and "
            "one range each is too little to claim a difference.",
            formatDuration(comparison.wallBNs), formatDuration(comparison.wallANs), reason);
    const Speed& speed = comparison.speed;
    if (speed.by == ClaimBy::Nothing)
        return fmt::format(
            "B's step takes {} and A's {} ({}){}. One of the two is simulated, so that no difference is claimed.",
            duration(time.b.median), duration(time.a.median), counts(comparison), reason);
    const std::string proof = speed.by == ClaimBy::Means ? "simulated with one seed" : pText(time.p);
    if (speed.pace == Pace::AboutTheSame)
        return fmt::format("B's step is {}: {} and {} ({}, {}).", speedText(speed, "A's"), formatDuration(speed.bNs),
                           formatDuration(speed.aNs), counts(comparison), proof);
    if (speed.pace != Pace::NotSure)
        return fmt::format("B's step takes {} instead of {} ({}, {}, {}){}.", formatDuration(speed.bNs),
                           formatDuration(speed.aNs), speedText(speed), counts(comparison), proof, reason);
    if (comparison.uneven && time.claim != Claim::TooFew)
        return fmt::format(
            "On average B's step takes {} and A's {}{}. Steps are too uneven to claim more (medians {} and "
            "{}, {}).",
            formatDuration(comparison.wallBNs), formatDuration(comparison.wallANs), reason, duration(time.b.median),
            duration(time.a.median), counts(comparison));
    if (time.claim == Claim::TooFew)
        return fmt::format("B's step takes {} and A's {}, but {} are too few to claim a difference{}.",
                           duration(time.b.median), duration(time.a.median), counts(comparison), reason);
    return fmt::format("No difference that stands out from the spread: B's step takes {} and A's {} ({}, {}).",
                       duration(time.b.median), duration(time.a.median), counts(comparison), pText(time.p));
}

std::string pText(double p)
{
    if (p < 0.001)
        return "p < 0.001";
    return p < 0.095 ? fmt::format("p = {:.3f}", p) : fmt::format("p = {:.2f}", p);
}

std::string claimText(Claim claim)
{
    switch (claim) {
        case Claim::TooFew:
            return "too few steps";
        case Claim::WithinSpread:
            return "within the spread";
        case Claim::TooUneven:
            return "steps too uneven to claim it";
        case Claim::Lower:
            return "clearly lower";
        case Claim::Higher:
            break;
    }
    return "clearly higher";
}

std::string deltaText(std::int64_t deltaNs)
{
    return (deltaNs > 0 ? "+" : "") + formatDuration(deltaNs);
}

std::string memoryText(const WorkChange& copies)
{
    if (copies.memoryA == copies.memoryB)
        return std::string(memoryKindName(copies.memoryA));
    return fmt::format("{} to {}", memoryKindName(copies.memoryA), memoryKindName(copies.memoryB));
}

std::string sizeText(const WorkChange& copies)
{
    const WorkChange::Side& a = copies.a.count > 0 ? copies.a : copies.b;
    const WorkChange::Side& b = copies.b.count > 0 ? copies.b : copies.a;
    const std::int64_t most = std::max(a.mostBytes, b.mostBytes);
    const std::int64_t least = std::min(a.leastBytes, b.leastBytes);
    if (most == 0)
        return {};
    const std::string upper = formatBytes(most);
    const std::string lower = formatBytes(least);
    return lower == upper ? upper : lower + " to " + upper;
}

}  // namespace overlane
