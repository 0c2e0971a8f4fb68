#include "core/base/process_news.h"

#include <algorithm>

namespace overlane
{

std::string jsonLine(const nlohmann::ordered_json& object)
{
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string lineOf(const ProcessNews& news)
{
    return jsonLine({{"fraction", news.fraction}, {"words", news.words}});
}

std::optional<ProcessNews> parseProcessNews(std::string_view line)
{
    return readJsonLine(line, [](const nlohmann::json& json) {
        return ProcessNews{std::clamp(json.at("fraction").get<double>(), 0.0, 1.0), json.at("words")};
    });
}

}  // namespace overlane
