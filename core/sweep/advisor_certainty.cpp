// How sure an advice is, in words.
#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/sweep/advisor_error.h"
#include "core/sweep/advisor_text.h"

namespace overlane
{
namespace
{

std::string durationText(double ns)
{
    return formatDuration(std::llround(ns));
}

// "8.94 ms to 12.2 ms" as "8.94 to 12.2" where all have the unit of `ns`.
std::string boundsText(double ns, const TimeRange& range)
{
    const auto parts = [](double value) {
        const std::string text = durationText(value);
        const std::size_t end = text.find_first_not_of("0123456789.-");
        return std::pair(text.substr(0, end), text.substr(std::min(end, text.size())));
    };
    const auto low = parts(range.lowNs), high = parts(range.highNs);
    const std::string unit = parts(ns).second;
    if (low.second == unit && high.second == unit)
        return low.first + " to " + high.first;
    return durationText(range.lowNs) + " to " + durationText(range.highNs);
}

std::string capitalized(std::string_view words)
{
    std::string text(words);
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

// "0.93 to 1.21"
std::string factorsText(const ErrorRange& range)
{
    return fmt::format("{:.2f} to {:.2f}", range.least, range.most);
}

// "With a pin thread 8 of 10 measured runs took 0.93 to 1.21 times the simulated time in Overlane's own loader, 1.17
// to 1.86 in PyTorch's."
std::string errorSentence(const SimulationError& error)
{
    return fmt::format(
        "{} {:.0f} of 10 measured runs took {} times the simulated time in Overlane's own loader, {} in PyTorch's{}.",
        capitalized(error.words), kRunsWithin * 10, factorsText(error.own), factorsText(error.pytorch),
        error.pytorch.settings == 1 ? " (one setting)" : "");
}

std::string errorsText(const Advice& advice)
{
    const SimulationError& now = simulationError(advice.now.scenario);
    const SimulationError& advised = simulationError(advice.advised.scenario);
    std::string text = errorSentence(advised);
    if (now.memory != advised.memory && advice.now.fits)
        text += fmt::format(" {} it was {} and {}.", capitalized(now.words), factorsText(now.own),
                            factorsText(now.pytorch));
    return text;
}

std::string changeCertainty(const Advice& advice)
{
    if (!advice.now.fits)
        return "Sure to fit as far as memory was simulated, less sure to be as fast";
    return fmt::format("{} to be faster: {} at worst against {} at best as it is",
                       isSure(advice) ? "Sure" : "Likely, but not sure", durationText(timeRange(advice.advised).highNs),
                       durationText(timeRange(advice.now).lowNs));
}

std::string keptCertainty(const Advice& advice)
{
    return isSure(advice) ? "As sure as the simulation, in which nothing is faster"
                          : "Not sure: what is simulated as faster is so by less than the error";
}

}  // namespace

std::string rangeText(const AdvisorCandidate& candidate)
{
    return fmt::format("{} ({})", durationText(candidate.batchNs), boundsText(candidate.batchNs, timeRange(candidate)));
}

std::string certaintySentence(const Advice& advice)
{
    if (advice.kind == AdviceKind::NothingFits)
        return {};
    const bool kept = advice.kind == AdviceKind::StayAsIs || advice.kind == AdviceKind::ComputeBound;
    return fmt::format("{}. {}", kept ? keptCertainty(advice) : changeCertainty(advice), errorsText(advice));
}

}  // namespace overlane
