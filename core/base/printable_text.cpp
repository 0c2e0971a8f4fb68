#include "core/base/printable_text.h"

#include <algorithm>

namespace overlane
{
namespace
{

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool isPlainAscii(char byte, TextLines lines)
{
    return (byte >= ' ' && byte <= '~') || (lines == TextLines::Several && (byte == '\n' || byte == '\t'));
}

// `character` is well-formed.
unsigned codeOf(std::string_view character)
{
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(character[at]); };
    switch (character.size()) {
        case 1:
            return byte(0);
        case 2:
            return (byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU);
        case 3:
            return (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
        default:
            return (byte(0) & 0x07U) << 18 | (byte(1) & 0x3FU) << 12 | (byte(2) & 0x3FU) << 6 | (byte(3) & 0x3FU);
    }
}

// C1, and what Unicode has for lines and directions: U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066
// to U+2069; U+FEFF shows nothing at all.
bool steers(unsigned code)
{
    return (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

void appendHex(std::string& out, unsigned value, int digits)
{
    while (digits-- > 0)
        out += kHexDigits[value >> (4 * digits) & 0xF];
}

void appendEscape(std::string& out, std::string_view character, bool wellFormed)
{
    const unsigned code = wellFormed ? codeOf(character) : static_cast<unsigned char>(character.front());
    if (code == '\n' || code == '\t' || code == '\r') {
        out += code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r";
    } else {
        out += wellFormed ? "\\u" : "\\x";
        appendHex(out, code, wellFormed ? 4 : 2);
    }
}

}  // namespace

std::size_t utf8CharacterBytes(std::string_view text)
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

bool isPrintable(std::string_view text, TextLines lines)
{
    while (!text.empty()) {
        if (isPlainAscii(text.front(), lines)) {
            text.remove_prefix(1);
            continue;
        }
        const std::size_t bytes = utf8CharacterBytes(text);
        if (bytes < 2 || steers(codeOf(text.substr(0, bytes))))
            return false;
        text.remove_prefix(bytes);
    }
    return true;
}

std::string printableText(std::string_view text, TextLines lines)
{
    std::string safe;
    safe.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = utf8CharacterBytes(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(bytes, 1));
        text.remove_prefix(character.size());
        const bool shown =
            bytes == 1 ? isPlainAscii(character.front(), lines) : bytes > 1 && !steers(codeOf(character));
        if (shown)
            safe += character;
        else
            appendEscape(safe, character, bytes > 0);
    }
    return safe;
}

}  // namespace overlane
