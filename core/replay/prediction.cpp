#include "core/replay/prediction.h"

#include <array>

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

}  // namespace overlane
