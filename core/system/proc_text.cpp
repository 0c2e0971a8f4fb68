#include "core/system/proc_text.h"

#include <algorithm>
#include <charconv>

namespace overlane
{
namespace
{

template <typename Number>
std::optional<Number> numberAt(std::string_view text, std::size_t at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    Number number{};
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    return error == std::errc{} ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> numberAfter(std::string_view text, std::string_view key)
{
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        const std::size_t behind = at + key.size();
        const bool startsLine = at == 0 || text[at - 1] == '\n';
        const bool wholeWord = behind < text.size() && (text[behind] == ' ' || text[behind] == '\t');
        if (startsLine && wholeWord)
            return numberAt<std::int64_t>(text, behind);
    }
    return std::nullopt;
}

std::optional<double> realAfter(std::string_view text, std::string_view key)
{
    const std::size_t at = text.find(key);
    return at == std::string_view::npos ? std::nullopt : numberAt<double>(text, at + key.size());
}

std::string unescapedPath(std::string_view path)
{
    constexpr std::size_t kEscape = 4;  // a backslash and three octal digits
    std::string plain;
    for (std::size_t at = 0; at < path.size(); ++at) {
        const std::string_view digits = path.substr(std::min(at + 1, path.size()), kEscape - 1);
        unsigned byte = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 8);
        if (path[at] == '\\' && error == std::errc{} && end == digits.data() + kEscape - 1 && byte < 256) {
            plain += static_cast<char>(byte);
            at += kEscape - 1;
        } else {
            plain += path[at];
        }
    }
    return plain;
}

}  // namespace overlane
