#include "core/content/markup.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include "core/base/printable_text.h"

namespace overlane
{
namespace
{

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// U+FFFE and U+FFFF are characters that XML forbids; it lets some through that turn the direction of a
// page.
bool allowedInXml(std::string_view character)
{
    return isPrintable(character, TextLines::Several) && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
}

}  // namespace

std::string markupText(std::string_view text)
{
    std::string safe;
    safe.reserve(text.size() + text.size() / 8);
    while (!text.empty()) {
        const std::size_t bytes = utf8CharacterBytes(text);
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
        parts.push_back(rest.substr(0, std::max<std::size_t>(1, utf8CharacterBytes(rest))));
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
