// ProcessNews: how a process of ours tells another one how far it is, a JSON object on each line. Lines of any other
// form are words to people.
//
// Plain data; pure functions, any thread. Texts may be of any bytes: those that are no UTF-8 are replaced.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace overlane
{

std::string jsonLine(const nlohmann::ordered_json& object);

// What `read` makes of a line's object; none of any other line, nor where `read` misses a member or finds one of
// another type.
template <typename Read>
auto readJsonLine(std::string_view line, Read read) -> std::optional<decltype(read(nlohmann::json()))>
{
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object())
        return {};
    try {
        return read(json);
    } catch (const nlohmann::json::exception&) {
        return {};
    }
}

struct ProcessNews {
    double fraction = 0;  // of all it has to do, 0 to 1
    std::string words;    // what goes on
};
std::string lineOf(const ProcessNews& news);
std::optional<ProcessNews> parseProcessNews(std::string_view line);

}  // namespace overlane
