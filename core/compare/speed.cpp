#include "core/compare/speed.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/units.h"
#include "core/compare/comparison.h"
#include "core/trace/trace_origin.h"

namespace overlane
{
namespace
{

constexpr double kSameShare = 0.01;
constexpr double kTimesFrom = 1.2;  // from here on "x faster", below per cent

bool isSimulated(const Trace& trace)
{
    return rowOf(originOf(trace.metadata().format)).isSimulated;
}

// The seed that everything random in a simulated run follows from; none where threads differ in speed.
std::optional<std::uint64_t> seedOf(const Trace& trace)
{
    const TraceMetadata& metadata = trace.metadata();
    const auto scenario = nlohmann::json::parse(metadata.scenarioJson, nullptr, false);
    if (!isSimulated(trace) || metadata.properties.contains(kThreadSpread) || !scenario.is_object())
        return {};
    const auto seed = scenario.find("seed");
    return seed != scenario.end() && seed->is_number_unsigned() ? std::optional(seed->get<std::uint64_t>())
                                                                : std::nullopt;
}

}  // namespace

bool aboutTheSame(double a, double b)
{
    return std::abs(b - a) <= kSameShare * std::max(std::abs(a), std::abs(b));
}

ClaimBy claimBy(const Trace& a, const Trace& b)
{
    if (isSimulated(a) != isSimulated(b))
        return ClaimBy::Nothing;
    const std::optional<std::uint64_t> seed = seedOf(a);
    return seed && seed == seedOf(b) ? ClaimBy::Means : ClaimBy::Steps;
}

Speed simulatedSpeed(std::int64_t aNs, std::int64_t bNs)
{
    Speed speed{aNs, bNs, Pace::AboutTheSame, ClaimBy::Means};
    if (aNs <= 0 || bNs <= 0)
        speed.pace = Pace::NotSure;
    else if (!aboutTheSame(static_cast<double>(aNs), static_cast<double>(bNs)))
        speed.pace = bNs < aNs ? Pace::Faster : Pace::Slower;
    return speed;
}

Speed speedOf(const CompareSide& a, const CompareSide& b)
{
    const Result<Comparison> compared = compareSteps(a, b);
    return compared.ok() ? compared.value().speed : Speed{};
}

std::string speedText(const Speed& speed, std::string_view than)
{
    const auto beside = [&](std::string_view word) { return than.empty() ? "" : fmt::format(" {} {}", word, than); };
    if (speed.pace == Pace::AboutTheSame)
        return "about as fast" + beside("as");
    if (speed.pace == Pace::NotSure)
        return speed.by == ClaimBy::Nothing ? "" : "not clearly faster or slower" + beside("than");
    const std::string way = (speed.pace == Pace::Faster ? "faster" : "slower") + beside("than");
    const auto a = static_cast<double>(speed.aNs);
    const auto b = static_cast<double>(speed.bNs);
    const double times = std::max(a, b) / std::min(a, b);
    if (times >= kTimesFrom)
        return fmt::format("{:.{}f} x {}", times, times < 10 ? 1 : 0, way);
    return fmt::format("{} {}", formatShare(std::abs(b - a) / a), way);
}

}  // namespace overlane
