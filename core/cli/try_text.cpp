#include "core/cli/try_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/content/column_table.h"
#include "core/content/terminal.h"

namespace overlane
{
namespace
{

// As much of a line of code as the terminal has room for.
std::string elided(const std::string& code, std::size_t columns)
{
    std::string cut = code;
    while (columnsOf(cut) >= columns)
        cut.pop_back();
    while (cut.size() < code.size() && !cut.empty() && (code[cut.size()] & 0xC0) == 0x80)
        cut.pop_back();
    return cut.size() < code.size() ? cut + "…" : code;
}

std::string siteLines(const TrialAnswer::Line& line)
{
    const std::string place = line.place();
    const std::size_t width = columnsOf(place) + 4;
    return fmt::format("  {}  {}\n  {:{}}  {}\n", place,
                       elided(line.code, textColumns() - std::min(width, textColumns() / 2)), "", columnsOf(place),
                       line.text);
}

OrderedJson siteJson(const TrialSite& site)
{
    return {{"file", site.file},
            {"line", site.line},
            {"function", site.function},
            {"code", site.code},
            {"library", site.library}};
}

OrderedJson settingsJson(const LoaderSettings& settings)
{
    return {{"num_workers", settings.workers},
            {"pin_memory", settings.pinMemory},
            {"prefetch_factor", settings.prefetchFactor},
            {"persistent_workers", settings.persistentWorkers},
            {"non_blocking", settings.nonBlocking}};
}

OrderedJson rowJson(const TrialRow& tried, const TrialAnswer::Row& row, const TrialClaim& claim)
{
    OrderedJson json{{"change", row.change},
                     {"settings", settingsJson(tried.settings)},
                     {"why", row.why},
                     {"batch_ns", row.batchNs},
                     {"runs_ns", row.runsNs}};
    if (!row.claim.empty()) {
        json["gain"] = row.gain;
        json["gain_error"] = std::isfinite(claim.error) ? OrderedJson(claim.error) : OrderedJson(nullptr);
        json["direction"] = row.direction;
        json["claim"] = row.claim;
    }
    if (row.predicted)
        json["predicted"] = {{"batch_ns", row.predicted->batchNs},
                             {"range_ns", {row.predicted->lowNs, row.predicted->highNs}}};
    if (!row.failure.empty())
        json["failure"] = row.failure;
    return json;
}

}  // namespace

std::string tryText(const TrialAnswer& answer)
{
    std::string text = wrapText(aboutTrial(answer), "") + "\n";
    if (answer.runs > 0)
        text += terminalText(trialTable(answer)) + "\n";
    for (const std::string& failure : failuresOf(answer))
        text += failure + "\n\n";
    text += wrapText(answer.sentence, "");
    if (!answer.lines.empty())
        text += "\nWhat to change:\n";
    for (const TrialAnswer::Line& line : answer.lines)
        text += siteLines(line);
    const std::string remarks = terminalText(List{"", answer.remarks}, "");
    return text + (remarks.empty() ? "" : "\n" + remarks);
}

OrderedJson tryJson(const TryOutcome& outcome)
{
    const TrialAnswer answer = answerOf(outcome);
    OrderedJson json{{"loader", siteJson(outcome.found.site)},
                     {"settings", settingsJson(outcome.found.settings)},
                     {"batches", outcome.batches},
                     {"seconds", outcome.seconds},
                     {"budget_spent", outcome.budgetSpent},
                     {"cancelled", outcome.cancelled},
                     {"runs", outcome.series.runs()},
                     {"rows", OrderedJson::array()}};
    const std::optional<double> spread = outcome.series.spread();
    json["spread"] = spread ? OrderedJson(*spread) : OrderedJson(nullptr);
    for (std::size_t row = 0; row < outcome.series.rows().size(); ++row)
        json["rows"].push_back(rowJson(outcome.series.rows()[row], answer.rows[row], outcome.series.claim(row)));
    json["answer"] = answer.answer ? OrderedJson(*answer.answer) : OrderedJson(nullptr);
    json["sentence"] = answer.sentence;
    json["copies"] = OrderedJson::array();
    for (const TrialCopies& copies : outcome.found.copies)
        json["copies"].push_back({{"line", siteJson(copies.site)},
                                  {"copies", copies.copies},
                                  {"bytes", copies.bytes},
                                  {"waits", copies.waits}});
    json["left_out"] = outcome.series.leftOut();
    json["loader_text"] = answer.loader;
    json["change_lines"] = OrderedJson::array();
    for (const LineToChange& line : linesToChange(outcome)) {
        json["change_lines"].push_back(siteJson(line.site));
        json["change_lines"].back()["text"] = line.what;
    }
    json["remarks"] = answer.remarks;
    return json;
}

}  // namespace overlane
