#include "core/trial/trial_news.h"

#include "core/base/process_news.h"

namespace overlane
{

std::string lineOf(const TrialNews& news)
{
    nlohmann::ordered_json json{{"words", news.words}};
    if (news.run)
        json["run"] = {{"number", news.run->number}, {"setting", news.run->setting}, {"batch_ns", news.run->batchNs}};
    return jsonLine(json);
}

std::optional<TrialNews> parseTrialNews(std::string_view line)
{
    return readJsonLine(line, [](const nlohmann::json& json) {
        TrialNews news{{}, json.at("words")};
        if (const auto run = json.find("run"); run != json.end())
            news.run = {run->at("number"), run->at("setting"), run->at("batch_ns")};
        return news;
    });
}

}  // namespace overlane
