#include "core/io/json_text.h"

#include "core/base/printable_text.h"

namespace overlane
{
namespace
{

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool standsForItself(char byte)
{
    return byte >= ' ' && byte < '\x7F' && byte != '"' && byte != '\\';
}

void appendEscape(std::string& out, unsigned char byte)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += "\\u00";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 0xF];
}

}  // namespace

void appendJsonText(std::string& out, std::string_view text)
{
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        std::size_t plain = at;
        while (plain < text.size() && standsForItself(text[plain]))
            ++plain;
        out.append(text, at, plain - at);
        at = plain;
        if (at == text.size())
            break;
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte == '"' || byte == '\\') {
            out += '\\';
            out += text[at++];
        } else if (byte < ' ' || byte == 0x7F) {
            appendEscape(out, byte);
            ++at;
        } else if (const std::size_t bytes = utf8CharacterBytes(text.substr(at)); bytes > 0) {
            out.append(text, at, bytes);
            at += bytes;
        } else {
            out += kReplacement;
            ++at;
        }
    }
    out += '"';
}

}  // namespace overlane
