#include "core/analysis/gpu_link.h"

#include <algorithm>
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

// "A10" is in "NVIDIA A10" and in "NVIDIA A10-24Q", not in "NVIDIA RTX A1000".
bool holdsWord(std::string_view text, std::string_view word)
{
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isLetterOrDigit(text[at - 1])) && (end == text.size() || !isLetterOrDigit(text[end])))
            return true;
    }
    return false;
}

}  // namespace

bool readsPageableMemory(std::string_view gpuName)
{
    constexpr std::array<std::string_view, 5> kCoherent{"GH200", "GB200", "GB300", "GB10", "Grace"};
    return std::any_of(kCoherent.begin(), kCoherent.end(),
                       [&](std::string_view name) { return holdsWord(gpuName, name); });
}

double linkBytesPerSecondOf(std::string_view gpuName)
{
    for (const auto& [name, rate] : kLinks)
        if (holdsWord(gpuName, name))
            return rate;
    return 0;
}

}  // namespace overlane
