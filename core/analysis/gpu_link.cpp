#include "core/analysis/gpu_link.h"

#include <array>
#include <cctype>
#include <utility>

namespace overlane
{
namespace
{

constexpr double kGeneration3 = 13e9;
constexpr double kGeneration4 = 26e9;
constexpr double kGeneration5 = 55e9;

// Cards of the GeForce and RTX series come with 8 or 16 lanes, and the Grace Hopper and Grace Blackwell modules
// have another link, so neither is known by name.
constexpr std::array<std::pair<std::string_view, double>, 18> kLinks{{
    {"B200", kGeneration5},
    {"B100", kGeneration5},
    {"H200", kGeneration5},
    {"H100", kGeneration5},
    {"H800", kGeneration5},
    {"H20", kGeneration5},
    {"A100", kGeneration4},
    {"A800", kGeneration4},
    {"L40S", kGeneration4},
    {"L40", kGeneration4},
    {"L4", kGeneration4},
    {"A40", kGeneration4},
    {"A30", kGeneration4},
    {"A10G", kGeneration4},
    {"A10", kGeneration4},
    {"V100", kGeneration3},
    {"Tesla T4", kGeneration3},
    {"P100", kGeneration3},
}};

bool isLetterOrDigit(char character)
{
    return std::isalnum(static_cast<unsigned char>(character)) != 0;
}

}  // namespace

bool isModel(std::string_view gpuName, std::string_view model)
{
    for (std::size_t at = gpuName.find(model); at != std::string_view::npos; at = gpuName.find(model, at + 1)) {
        const std::size_t end = at + model.size();
        if ((at == 0 || !isLetterOrDigit(gpuName[at - 1])) && (end == gpuName.size() || !isLetterOrDigit(gpuName[end])))
            return true;
    }
    return false;
}

double linkBytesPerSecondOf(std::string_view gpuName)
{
    for (const auto& [name, rate] : kLinks)
        if (isModel(gpuName, name))
            return rate;
    return 0;
}

}  // namespace overlane
