#include "core/io/chrome_time.h"

#include <algorithm>
#include <limits>

namespace overlane
{
namespace
{

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// sign * digits * 10^(exponent), with trailing digits past int64's reach counted, not kept.
struct Decimal {
    bool negative = false;
    std::uint64_t digits = 0;
    int exponent = 0;
};

constexpr std::uint64_t kMostDigits = std::numeric_limits<std::uint64_t>::max() / 10 - 1;

std::optional<Decimal> parseDecimal(std::string_view token)
{
    Decimal value;
    std::size_t at = 0;
    if (at < token.size() && (token[at] == '-' || token[at] == '+'))
        value.negative = token[at++] == '-';
    const std::size_t firstDigit = at;
    std::size_t digitCount = 0;
    const auto take = [&](bool fraction) {
        for (; at < token.size() && isDigit(token[at]); ++at, ++digitCount) {
            if (value.digits < kMostDigits) {
                value.digits = value.digits * 10 + static_cast<std::uint64_t>(token[at] - '0');
                value.exponent -= fraction ? 1 : 0;
            } else if (!fraction && value.exponent < 1000) {
                ++value.exponent;
            }
        }
    };
    take(false);
    if (at == firstDigit)
        return std::nullopt;
    if (at < token.size() && token[at] == '.') {
        ++at;
        take(true);
    }
    if (at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
        ++at;
        bool negative = false;
        if (at < token.size() && (token[at] == '-' || token[at] == '+'))
            negative = token[at++] == '-';
        if (at == token.size() || !isDigit(token[at]))
            return std::nullopt;
        int exponent = 0;
        for (; at < token.size() && isDigit(token[at]); ++at)
            exponent = std::min(exponent * 10 + (token[at] - '0'), 10000);
        value.exponent += negative ? -exponent : exponent;
    }
    if (at != token.size())
        return std::nullopt;
    return value;
}

// value * 10^shift as int64, rounded half up in magnitude.
std::optional<std::int64_t> scaled(const Decimal& value, int shift)
{
    std::uint64_t magnitude = value.digits;
    int power = value.exponent + shift;
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    for (; power > 0 && magnitude != 0; --power) {
        if (magnitude > kLargest / 10)
            return std::nullopt;
        magnitude *= 10;
    }
    std::uint64_t lastDigit = 0;
    for (; power < 0 && (magnitude != 0 || lastDigit != 0); ++power) {
        lastDigit = magnitude % 10;
        magnitude /= 10;
    }
    magnitude += lastDigit >= 5 ? 1 : 0;
    if (magnitude > kLargest)
        return std::nullopt;
    const auto result = static_cast<std::int64_t>(magnitude);
    return value.negative ? -result : result;
}

}  // namespace

std::optional<std::int64_t> parseMicroseconds(std::string_view token)
{
    const std::optional<Decimal> value = parseDecimal(token);
    return value ? scaled(*value, 3) : std::nullopt;
}

std::optional<std::int64_t> parseInteger(std::string_view token)
{
    const std::optional<Decimal> value = parseDecimal(token);
    if (!value || (value->exponent < 0 && token.find_first_not_of('0', token.find('.') + 1) != std::string_view::npos))
        return std::nullopt;
    return scaled(*value, 0);
}

}  // namespace overlane
