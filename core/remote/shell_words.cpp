#include "core/remote/shell_words.h"

#include <fmt/format.h>

namespace overlane
{

std::string shellWord(std::string_view text)
{
    std::string word = "'";
    for (const char byte : text)
        if (byte == '\'')
            word += "'\\''";
        else
            word += byte;
    return word += '\'';
}

std::string shellWords(std::span<const std::string> words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + shellWord(word);
    return line;
}

std::string typedWord(std::string_view text)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:@%,=";
    return !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos ? std::string(text)
                                                                                     : shellWord(text);
}

// Without a backslash, an exclamation mark or a quote inside the quotes, which csh and fish read in their own ways.
// Byte by byte, since what follows the script is not dd's to read.
std::string loginCommand(std::size_t scriptBytes)
{
    return fmt::format("/bin/sh -c 'eval \"$(dd bs=1 count={} 2>/dev/null)\"'", scriptBytes);
}

std::vector<std::string> wordsOfLine(std::string_view line)
{
    std::vector<std::string> words;
    bool within = false;
    char quote = '\0';
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char byte = line[at];
        const bool space = byte == ' ' || byte == '\t' || byte == '\n';
        if (quote == '\0' && space) {
            within = false;
            continue;
        }
        if (!within)
            words.emplace_back();
        within = true;
        if (byte == quote)
            quote = '\0';
        else if (quote == '\0' && (byte == '\'' || byte == '"'))
            quote = byte;
        else if (byte == '\\' && quote != '\'' && at + 1 < line.size())
            words.back() += line[++at];
        else
            words.back() += byte;
    }
    return words;
}

}  // namespace overlane
