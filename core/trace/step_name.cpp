#include "core/trace/step_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace overlane
{
namespace
{

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    std::replace(lower.begin(), lower.end(), '_', ' ');
    return lower;
}

template <std::size_t count>
bool isOneOf(std::string_view text, const std::array<std::string_view, count>& words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

NumberedName splitNumber(std::string_view name)
{
    std::size_t digits = name.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])))
        --digits;
    NumberedName split{name.substr(0, digits), {}};
    std::int64_t number = 0;
    const char* end = name.data() + name.size();
    if (const auto parsed = std::from_chars(name.data() + digits, end, number);
        parsed.ec == std::errc() && parsed.ptr == end)
        split.number = number;
    while (!split.base.empty() && std::string_view(" #_-:=").find(split.base.back()) != std::string_view::npos)
        split.base.remove_suffix(1);
    return split;
}

std::string stepNameOf(std::string_view base)
{
    static constexpr std::array<std::string_view, 8> kWords{
        "step", "iteration", "iter", "batch", "train step", "training step", "train batch", "training batch"};
    static constexpr std::array<std::string_view, 5> kMembers{"training step", "train step", "train batch",
                                                              "training batch", "run training batch"};
    // Servers name the batch in it.
    static constexpr std::array<std::string_view, 3> kPrefixes{"execute ", "step[", "iteration["};
    std::string lower = lowered(base);
    if (isOneOf(lower, kWords))
        return lower;
    for (const std::string_view prefix : kPrefixes)
        if (lower.starts_with(prefix))
            return std::string(prefix.substr(0, prefix.size() - 1));
    // "[pl][profile]run_training_batch", "Trainer.training_step".
    const std::size_t owner = lower.find_last_of("].:");
    if (owner != std::string::npos && isOneOf(std::string_view(lower).substr(owner + 1), kMembers))
        return lower.substr(owner + 1);
    return isOneOf(lower, kMembers) ? lower : std::string();
}

}  // namespace overlane
