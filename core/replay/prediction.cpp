#include "core/replay/prediction.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace overlane
{

std::string_view bottleneckName(Bottleneck what)
{
    static constexpr std::array<std::string_view, kBottleneckCount> kNames{
        "compute", "copies to the device",   "copies from the device", "host thread", "workers", "pin thread",
        "loader",  "waiting for each other",
    };
    return kNames[static_cast<std::size_t>(what)];
}

std::string_view bottleneckSentence(Bottleneck what)
{
    static constexpr std::array<std::string_view, kBottleneckCount> kSentences{
        "Kernels fill the step: only less or faster compute makes it shorter.",
        "Copies to the device fill the step: only fewer bytes or a faster link make it shorter.",
        "Copies from the device fill the step: only fewer bytes or a faster link make it shorter.",
        "The thread that launches work fills the step with its own work.",
        "The loader's workers fill the step: more of them, or less work for a batch, make it shorter.",
        "The pin thread fills the step: it handles one batch at a time.",
        "The loader sets the pace: the training thread waits for its batches.",
        "Nothing fills the step: host, copies and kernels wait for each other.",
    };
    return kSentences[static_cast<std::size_t>(what)];
}

std::string_view directionName(Direction direction)
{
    static constexpr std::array<std::string_view, 3> kNames{"faster", "slower", "no clear change"};
    return kNames[static_cast<std::size_t>(direction)];
}

Direction Noise::direction(std::int64_t beforeNs, std::int64_t afterNs) const
{
    if (std::abs(afterNs - beforeNs) <= ns)
        return Direction::Unclear;
    return afterNs < beforeNs ? Direction::Faster : Direction::Slower;
}

std::string Noise::words(std::int64_t stepNs) const
{
    const double percent = stepNs > 0 ? 100 * static_cast<double>(ns) / static_cast<double>(stepNs) : 0;
    switch (largest) {
        case Origin::Processes:
            return fmt::format("two runs differ by {:.0f} %", percent);
        case Origin::Steps:
            return fmt::format("its steps vary by {:.0f} %", percent);
        case Origin::Replay:
            return fmt::format("the replay is sure to {:.0f} % only", percent);
        case Origin::Assumed:
            return fmt::format("what it assumes is sure to {:.0f} % only", percent);
        case Origin::Least:
            break;
    }
    return {};
}

std::string changeWords(std::int64_t beforeNs, std::int64_t afterNs, const Noise& noise)
{
    const double percent = beforeNs > 0 ? 100 * (static_cast<double>(afterNs) / static_cast<double>(beforeNs) - 1) : 0;
    const Direction direction = noise.direction(beforeNs, afterNs);
    if (direction != Direction::Unclear)
        return fmt::format("{:.0f} % {}", std::abs(percent), direction == Direction::Faster ? "less" : "more");
    if (std::abs(percent) < 0.5)
        return "no change";
    const std::string words = noise.words(beforeNs);
    return fmt::format("no clear change ({:+.0f} %{}{})", percent, words.empty() ? "" : ", ", words);
}

}  // namespace overlane
