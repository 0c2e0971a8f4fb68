#include "core/trial/trial_news.h"

#include <nlohmann/json.hpp>

namespace overlane
{

// Text of a program may be of any bytes: what is no UTF-8 is replaced, never thrown at.
std::string lineOf(const TrialNews& news)
{
    nlohmann::ordered_json json{{"words", news.words}};
    if (news.run)
        json["run"] = {{"number", news.run->number}, {"setting", news.run->setting}, {"batch_ns", news.run->batchNs}};
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<TrialNews> parseTrialNews(std::string_view line)
{
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("words"))
        return {};
    try {
        TrialNews news;
        news.words = json.at("words");
        if (json.contains("run")) {
            const auto& run = json.at("run");
            news.run = {run.at("number"), run.at("setting"), run.at("batch_ns")};
        }
        return news;
    } catch (const nlohmann::json::exception&) {
        return {};
    }
}

}  // namespace overlane
