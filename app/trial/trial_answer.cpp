#include "app/trial/trial_answer.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace overlane
{

namespace
{

using nlohmann::json;

TrialAnswer::Row rowOf(const json& from)
{
    TrialAnswer::Row row;
    row.change = from.at("change").get<std::string>();
    row.why = from.value("why", std::string());
    row.failure = from.value("failure", std::string());
    row.runsNs = from.at("runs_ns").get<std::vector<std::int64_t>>();
    row.batchNs = from.at("batch_ns").get<std::int64_t>();
    row.direction = from.value("direction", std::string());
    row.claim = from.value("claim", row.direction);
    row.gain = from.value("gain", 0.0);
    if (const auto predicted = from.find("predicted"); predicted != from.end())
        row.predicted = {predicted->at("batch_ns").get<std::int64_t>(),
                         predicted->at("range_ns").at(0).get<std::int64_t>(),
                         predicted->at("range_ns").at(1).get<std::int64_t>()};
    return row;
}

TrialAnswer answerOf(const json& from)
{
    TrialAnswer answer;
    answer.sentence = from.at("sentence").get<std::string>();
    answer.loader = from.value("loader_text", std::string());
    for (const json& row : from.at("rows"))
        answer.rows.push_back(rowOf(row));
    if (from.at("answer").is_number_unsigned() && from.at("answer").get<std::size_t>() < answer.rows.size())
        answer.answer = from.at("answer").get<std::size_t>();
    for (const json& line : from.value("change_lines", json::array()))
        answer.lines.push_back({line.value("file", std::string()), line.value("line", std::int64_t{0}),
                                line.value("code", std::string()), line.at("text").get<std::string>()});
    answer.remarks = from.value("remarks", std::vector<std::string>());
    answer.runs = from.at("runs").get<std::int64_t>();
    answer.batches = from.at("batches").get<std::int64_t>();
    answer.seconds = from.at("seconds").get<double>();
    answer.cancelled = from.value("cancelled", false);
    answer.budgetSpent = from.value("budget_spent", false);
    return answer;
}

}  // namespace

std::string TrialAnswer::Line::place() const
{
    if (file.empty())
        return {};
    const std::string name = std::filesystem::path(file).filename().string();
    return line > 0 ? fmt::format("{}:{}", name, line) : name;
}

Result<TrialAnswer> parseTrialAnswer(std::string_view text)
{
    try {
        return answerOf(json::parse(text));
    } catch (const json::exception& wrong) {
        return Error{
            fmt::format("What overlane try answered cannot be read ({}); is it of the same version as this "
                        "window?",
                        wrong.what())};
    }
}

std::string changeText(const TrialAnswer& answer)
{
    std::string text;
    for (const TrialAnswer::Line& line : answer.lines) {
        const std::string place = line.place().empty() ? "(line unknown)" : line.place();
        text += fmt::format("{}{}  {}\n    {}\n", text.empty() ? "" : "\n", place, line.code, line.text);
    }
    return text;
}

}  // namespace overlane
