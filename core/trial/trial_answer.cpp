#include "core/trial/trial_answer.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/units.h"

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

std::string remarkOf(const TrialAnswer::Row& row)
{
    std::string runs;
    for (const std::int64_t ns : row.runsNs)
        runs += (runs.empty() ? "A batch of each run: " : ", ") + formatDuration(ns);
    std::string remark = row.why;
    for (const std::string& line : {runs, row.failure})
        if (!line.empty())
            remark += (remark.empty() ? "" : "\n") + line;
    return remark;
}

Cell batchCell(const TrialAnswer::Row& row)
{
    if (!row.failure.empty())
        return {"failed", {}, Tone::Worse};
    return row.batchNs > 0 ? durationCell(row.batchNs) : missingCell();
}

Cell changeCell(const TrialAnswer::Row& row)
{
    if (row.claim.empty() || !row.failure.empty())
        return missingCell();
    return {row.claim, -row.gain,
            row.direction == "faster"   ? Tone::Better
            : row.direction == "slower" ? Tone::Worse
                                        : Tone::Muted};
}

Cell predictedCell(const TrialAnswer::Row& row)
{
    if (!row.predicted)
        return missingCell();
    return {fmt::format("{} ({} to {})", formatDuration(row.predicted->batchNs), formatDuration(row.predicted->lowNs),
                        formatDuration(row.predicted->highNs)),
            row.predicted->batchNs, Tone::Muted};
}

}  // namespace

std::string TrialAnswer::Line::place() const
{
    if (file.empty())
        return "(line unknown)";
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

std::string aboutTrial(const TrialAnswer& answer)
{
    constexpr double kInMinutes = 120;
    return fmt::format("Tried {}: {} run{} of {} batches in {}.", answer.loader, answer.runs,
                       answer.runs == 1 ? "" : "s", formatCount(answer.batches),
                       answer.seconds < kInMinutes ? fmt::format("{:.0f} s", answer.seconds)
                                                   : fmt::format("{:.1f} min", answer.seconds / 60));
}

Table trialTable(const TrialAnswer& answer)
{
    Table table{"",
                {{"setting", "setting", Column::Kind::Words},
                 {"runs", "runs"},
                 {"batch_ns", "per batch"},
                 {"change", "change", Column::Kind::Words},
                 {"predicted_ns", "what-if predicted", Column::Kind::Words}},
                {}};
    for (const TrialAnswer::Row& row : answer.rows)
        if (!row.runsNs.empty() || !row.failure.empty())
            table.rows.push_back({{{row.change},
                                   countCell(static_cast<std::int64_t>(row.runsNs.size())),
                                   batchCell(row),
                                   changeCell(row),
                                   predictedCell(row)},
                                  remarkOf(row)});
    if (!table.rows.empty())
        table.rows.front().cells.back() = missingCell();  // what predictions begin with
    return table;
}

std::vector<std::string> failuresOf(const TrialAnswer& answer)
{
    std::vector<std::string> failures;
    for (const TrialAnswer::Row& row : answer.rows)
        if (!row.failure.empty())
            failures.push_back(fmt::format("With {}: {}", row.change, row.failure));
    return failures;
}

std::string changeText(const TrialAnswer& answer)
{
    std::string text;
    for (const TrialAnswer::Line& line : answer.lines)
        text += fmt::format("{}{}  {}\n    {}\n", text.empty() ? "" : "\n", line.place(), line.code, line.text);
    return text;
}

}  // namespace overlane
