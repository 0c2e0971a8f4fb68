#include "core/findings/gpu_link.h"

#include <array>
#include <utility>

namespace overlane
{
namespace
{

constexpr double kGeneration3 = 13e9;
constexpr double kGeneration4 = 26e9;
constexpr double kGeneration5 = 55e9;

// Longer names before those that they hold. Cards of the GeForce series come with 8 or 16 lanes, and
// the Grace Hopper and Grace Blackwell modules have another link, so neither is known by name.
constexpr std::array<std::pair<std::string_view, double>, 18> kLinks{{
    {"GH200", 0},
    {"GB200", 0},
    {"B200", kGeneration5},
    {"B100", kGeneration5},
    {"H200", kGeneration5},
    {"H100", kGeneration5},
    {"H800", kGeneration5},
    {"H20", kGeneration5},
    {"A100", kGeneration4},
    {"A800", kGeneration4},
    {"L40", kGeneration4},
    {"L4", kGeneration4},
    {"A40", kGeneration4},
    {"A30", kGeneration4},
    {"A10", kGeneration4},
    {"V100", kGeneration3},
    {"Tesla T4", kGeneration3},
    {"P100", kGeneration3},
}};

}  // namespace

double linkBytesPerSecondOf(std::string_view gpuName)
{
    for (const auto& [part, rate] : kLinks)
        if (gpuName.find(part) != std::string_view::npos)
            return rate;
    return 0;
}

}  // namespace overlane
