#include "core/base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace overlane
{

std::optional<double> takeReal(std::string_view& text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || !std::isfinite(value))
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<double> parseReal(std::string_view text)
{
    const std::optional<double> value = takeReal(text);
    return text.empty() ? value : std::nullopt;
}

double roundedToDigits(double value, int digits)
{
    std::array<char, 64> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
    if (error != std::errc{})
        return value;
    return parseReal({text.data(), static_cast<std::size_t>(end - text.data())}).value_or(value);
}

}  // namespace overlane
