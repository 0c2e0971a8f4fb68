#include "core/pressure/pressure_news.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace overlane
{

std::string lineOf(const PressureNews& news)
{
    return nlohmann::ordered_json{{"fraction", news.fraction}, {"words", news.words}}.dump() + "\n";
}

std::optional<PressureNews> parsePressureNews(std::string_view line)
{
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object())
        return {};
    try {
        return PressureNews{std::clamp(json.at("fraction").get<double>(), 0.0, 1.0), json.at("words")};
    } catch (const nlohmann::json::exception&) {
        return {};
    }
}

}  // namespace overlane
