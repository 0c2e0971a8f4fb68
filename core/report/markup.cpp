#include "core/report/markup.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

namespace overlane
{
namespace
{

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Bytes of the character at the start of `text`; 0 where it is not well-formed UTF-8 (Unicode 15,
// table 3-7).
std::size_t characterBytes(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return byte(i) >= low && byte(i) <= high;
    };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF)
        return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
    if (first >= 0xF0 && first <= 0xF4)
        return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
    return 0;
}

// U+FFFE and U+FFFF are characters that XML forbids.
bool allowedInXml(std::string_view character)
{
    if (character.size() == 1) {
        const auto byte = static_cast<unsigned char>(character[0]);
        return byte >= 0x20 || byte == '\t' || byte == '\n';
    }
    return character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
}

}  // namespace

std::string markupText(std::string_view text)
{
    std::string safe;
    safe.reserve(text.size() + text.size() / 8);
    while (!text.empty()) {
        const std::size_t bytes = characterBytes(text);
        const std::string_view character = text.substr(0, bytes == 0 ? 1 : bytes);
        text.remove_prefix(character.size());
        if (bytes == 0 || !allowedInXml(character))
            safe += kReplacement;
        else if (character == "&")
            safe += "&amp;";
        else if (character == "<")
            safe += "&lt;";
        else if (character == ">")
            safe += "&gt;";
        else if (character == "\"")
            safe += "&quot;";
        else if (character == "'")
            safe += "&#39;";
        else
            safe += character;
    }
    return safe;
}

std::string shortened(std::string_view name, std::size_t characters)
{
    std::vector<std::string_view> parts;
    for (std::string_view rest = name; !rest.empty();) {
        parts.push_back(rest.substr(0, std::max<std::size_t>(1, characterBytes(rest))));
        rest.remove_prefix(parts.back().size());
    }
    if (parts.size() <= characters)
        return std::string(name);
    if (characters < 3)
        return {};
    const std::size_t front = (characters - 1) * 3 / 5;
    const std::size_t back = characters - 1 - front;
    std::string text;
    for (std::size_t i = 0; i < front; ++i)
        text += parts[i];
    text += "\xE2\x80\xA6";
    for (std::size_t i = parts.size() - back; i < parts.size(); ++i)
        text += parts[i];
    return text;
}

std::string pixels(double px)
{
    const auto tenths = static_cast<std::int64_t>(std::llround(px * 10));
    return tenths % 10 == 0 ? fmt::format("{}", tenths / 10) : fmt::format("{:.1f}", static_cast<double>(tenths) / 10);
}

}  // namespace overlane
