#include "app/trial/trial_answer.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace overlane
{

namespace
{

using nlohmann::json;

constexpr std::string_view kSpeaker = "overlane: ";

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \r\n");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \r\n") - begin + 1);
}

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

// "  1  as it is            43.2 ms a batch": a number, a setting without two spaces in it, what came of it.
bool readRun(std::string_view words, TrialNews& news)
{
    const std::string_view text = trimmed(words);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), news.number);
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc{} || !rest.starts_with("  "))
        return false;
    const std::string_view named = trimmed(rest);
    const std::size_t gap = named.find("  ");
    if (gap == std::string_view::npos)
        return false;
    news.setting = named.substr(0, gap);
    news.result = trimmed(named.substr(gap));
    return news.result.ends_with(" a batch") || news.result == "failed" || news.result == "too few batches";
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

TrialNews parseTrialNews(std::string_view line)
{
    TrialNews news;
    const bool speaks = line.starts_with(kSpeaker);
    const std::string_view words = speaks ? line.substr(kSpeaker.size()) : line;
    if (speaks && readRun(words, news)) {
        news.kind = TrialNews::Kind::Run;
        return news;
    }
    news = {};
    news.words = words.substr(0, words.find_last_not_of("\r\n") + 1);
    if (speaks && (words.starts_with("first, a run as it is") || trimmed(words).ends_with("of each run are timed")))
        news.kind = TrialNews::Kind::Progress;
    return news;
}

}  // namespace overlane
