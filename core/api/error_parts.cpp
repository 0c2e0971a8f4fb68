#include "core/api/error_parts.h"

#include <cctype>

namespace overlane
{
namespace
{

// Where the advice begins: behind the first "; " or the end of the first sentence.
std::size_t adviceAt(std::string_view text)
{
    const std::size_t clause = text.find("; ");
    std::size_t sentence = text.find(". ");
    while (sentence != std::string_view::npos && sentence + 2 < text.size() &&
           std::isupper(static_cast<unsigned char>(text[sentence + 2])) == 0)
        sentence = text.find(". ", sentence + 2);
    const std::size_t first = std::min(clause, sentence);
    return first == std::string_view::npos ? text.size() : first;
}

}  // namespace

nlohmann::ordered_json errorJson(const Error& error, std::string_view place)
{
    std::string_view rest = error.message;
    if (!place.empty() && rest.starts_with(place) && rest.substr(place.size()).starts_with(": "))
        rest.remove_prefix(place.size() + 2);
    const std::size_t at = adviceAt(rest);
    std::string advice(at < rest.size() ? rest.substr(at + 2) : std::string_view());
    if (!advice.empty())
        advice.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(advice.front())));
    std::string what(rest.substr(0, at));
    if (!what.empty() && what.back() != '.')
        what += '.';
    return {{"message", error.message}, {"what", what}, {"where", place}, {"advice", advice}};
}

}  // namespace overlane
