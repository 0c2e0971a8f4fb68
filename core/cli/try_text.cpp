#include "core/cli/try_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/units.h"
#include "core/content/column_table.h"
#include "core/content/terminal.h"

namespace overlane
{
namespace
{

std::string durationText(double ns)
{
    return formatDuration(std::llround(ns));
}

std::string predictedText(const std::optional<PredictedShare>& predicted, double baseNs)
{
    if (!predicted || baseNs <= 0)
        return "-";
    return fmt::format("{} ({} to {})", durationText(predicted->share * baseNs), durationText(predicted->low * baseNs),
                       durationText(predicted->high * baseNs));
}

std::string_view directionOf(const TrialClaim& claim)
{
    if (!claim.known)
        return "too few runs";
    return claim.faster ? "faster" : claim.slower ? "slower" : "no clear change";
}

std::string claimWords(const TrialClaim& claim)
{
    const std::string error = std::isfinite(claim.error) && claim.known
                                  ? fmt::format(" ± {:.1f}", 100 * claim.error * (1 - claim.share))
                                  : std::string();
    return fmt::format("{:+.1f} %{}, {}", -100 * claim.share, error, directionOf(claim));
}

std::string tableText(const TryOutcome& outcome)
{
    const TrialSeries& series = outcome.series;
    const double baseNs = series.rows().front().meanNs();
    ColumnTable table({"setting", "#runs", "#per batch", "change", "what-if predicted"});
    std::string failures;
    for (std::size_t row = 0; row < series.rows().size(); ++row) {
        const TrialRow& tried = series.rows()[row];
        const std::string name = changeOfSettings(series.asItIs(), tried.settings);
        if (!tried.failure.empty()) {
            table.row({name, std::to_string(tried.batchNs.size()), "failed", "-", "-"});
            failures += fmt::format("With {}: {}\n", name, tried.failure);
        } else if (!tried.batchNs.empty()) {
            table.row({name, std::to_string(tried.batchNs.size()), durationText(tried.meanNs()),
                       row == 0 ? "-" : claimWords(series.claim(row)), predictedText(outcome.predicted[row], baseNs)});
        }
    }
    return table.text() + (failures.empty() ? "" : "\n" + failures);
}

std::string answerText(const TryOutcome& outcome)
{
    const TrialSeries& series = outcome.series;
    const double baseNs = series.rows().front().meanNs();
    if (const std::optional<std::size_t> answer = series.answer()) {
        const TrialRow& best = series.rows()[*answer];
        const TrialClaim claim = series.claim(*answer);
        return fmt::format("Faster: {} takes {} a batch instead of {}, {:.0f} % less ({:.0f} to {:.0f} %).",
                           changeOfSettings(series.asItIs(), best.settings), durationText(best.meanNs()),
                           durationText(baseNs), 100 * claim.share,
                           100 * (1 - (1 - claim.share) * std::exp(claim.error)),
                           100 * (1 - (1 - claim.share) * std::exp(-claim.error)));
    }
    const std::string stopped = outcome.cancelled     ? " It was cancelled before more could be told."
                                : outcome.budgetSpent ? " The budget was spent before more could be told."
                                                      : "";
    if (const std::optional<std::size_t> fastest = series.fastest(); fastest && !stopped.empty()) {
        const TrialRow& row = series.rows()[*fastest];
        return fmt::format("Not sure yet: {} took {} a batch instead of {}, in {} and {} runs.{}",
                           changeOfSettings(series.asItIs(), row.settings), durationText(row.meanNs()),
                           durationText(baseNs), row.batchNs.size(), series.rows().front().batchNs.size(), stopped);
    }
    if (series.runs() == 0)
        return outcome.cancelled ? "Cancelled before any setting ran."
                                 : "The first run took the whole budget; give it more with --budget.";
    if (!series.spread())
        return "Nothing can be said yet: no setting ran twice." + stopped;
    return fmt::format("Nothing that was tried is faster beyond noise (runs of one setting differ by {:.1f} %).{}",
                       100 * *series.spread(), stopped);
}

// Of settings that a library hands on, in its own words.
std::vector<std::string> argumentsOf(const TrialSite& site, const LoaderSettings& from, const LoaderSettings& to)
{
    std::vector<std::string> arguments = changedArguments(from, to);
    if (site.library == "transformers")
        for (std::string& argument : arguments)
            argument.insert(0, "dataloader_");
    return arguments;
}

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

std::string siteLines(const TrialSite& site, const std::string& what)
{
    const std::string place = site.place().empty() ? "(line unknown)" : site.place();
    const std::size_t width = columnsOf(place) + 4;
    return fmt::format("  {}  {}\n  {:{}}  {}\n", place,
                       elided(site.code, textColumns() - std::min(width, textColumns() / 2)), "", columnsOf(place),
                       what);
}

struct LineToChange {
    TrialSite site;
    std::string what;
};

std::vector<LineToChange> linesToChange(const TryOutcome& outcome)
{
    const std::optional<std::size_t> answer = outcome.series.answer();
    if (!answer)
        return {};
    const LoaderSettings& now = outcome.series.asItIs();
    const LoaderSettings& best = outcome.series.rows()[*answer].settings;
    std::vector<LineToChange> lines;
    const TrialSite& site = outcome.found.site;
    if (const std::vector<std::string> arguments = argumentsOf(site, now, best); !arguments.empty())
        lines.push_back({site, fmt::format("{} {}", site.library == "transformers" ? "TrainingArguments:" : "pass",
                                           fmt::join(arguments, ", "))});
    if (best.nonBlocking && !now.nonBlocking)
        for (const TrialCopies& copies : outcome.found.copies)
            if (copies.waits > 0)
                lines.push_back(
                    {copies.site, copies.site.library.empty()
                                      ? "pass non_blocking=True; do not write to the batch on the host afterwards"
                                      : fmt::format("{} copies the batch: non_blocking=True among its own settings",
                                                    copies.site.library)});
    return lines;
}

std::vector<std::string> remarksOf(const TryOutcome& outcome)
{
    std::vector<std::string> remarks = outcome.series.leftOut();
    if (outcome.found.ended)
        remarks.push_back(fmt::format("The program ended after {} timed batches: let it run longer to time more.",
                                      formatCount(outcome.found.batches)));
    if (!outcome.noPredictions.empty())
        remarks.push_back("No predictions: " + outcome.noPredictions);
    return remarks;
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

OrderedJson rowJson(const TryOutcome& outcome, std::size_t row)
{
    const TrialRow& tried = outcome.series.rows()[row];
    const double baseNs = outcome.series.rows().front().meanNs();
    OrderedJson json{{"change", changeOfSettings(outcome.series.asItIs(), tried.settings)},
                     {"settings", settingsJson(tried.settings)},
                     {"why", tried.why},
                     {"batch_ns", std::llround(tried.meanNs())},
                     {"runs_ns", OrderedJson::array()}};
    for (const double ns : tried.batchNs)
        json["runs_ns"].push_back(std::llround(ns));
    if (row > 0 && !tried.batchNs.empty()) {
        const TrialClaim claim = outcome.series.claim(row);
        json["gain"] = claim.share;
        json["gain_error"] = std::isfinite(claim.error) ? OrderedJson(claim.error) : OrderedJson(nullptr);
        json["direction"] = directionOf(claim);
        json["claim"] = claimWords(claim);
    }
    if (const auto& predicted = outcome.predicted[row]; predicted && baseNs > 0)
        json["predicted"] = {
            {"batch_ns", std::llround(predicted->share * baseNs)},
            {"range_ns", {std::llround(predicted->low * baseNs), std::llround(predicted->high * baseNs)}}};
    if (!tried.failure.empty())
        json["failure"] = tried.failure;
    return json;
}

}  // namespace

std::string loaderText(const TrialReport& found)
{
    const LoaderSettings& now = found.settings;
    std::string words = fmt::format("num_workers={}, pin_memory={}", now.workers, now.pinMemory ? "True" : "False");
    if (now.workers > 0)
        words += fmt::format(", prefetch_factor={}{}", now.prefetchFactor,
                             now.persistentWorkers ? ", persistent_workers=True" : "");
    if (found.batchSize > 0)
        words += fmt::format(", {} samples a batch", formatCount(found.batchSize));
    const std::string place = found.site.place();
    return fmt::format("the loader{}{} ({})", place.empty() ? "" : " of " + place,
                       found.site.library.empty() ? "" : ", made by " + found.site.library, words);
}

std::string tryText(const TryOutcome& outcome)
{
    std::string text =
        wrapText(fmt::format("Tried {}: {} runs of {} batches in {}.", loaderText(outcome.found), outcome.series.runs(),
                             formatCount(outcome.batches), durationText(outcome.seconds * 1e9)),
                 "");
    text += "\n" + (outcome.series.runs() > 0 ? tableText(outcome) + "\n" : std::string()) +
            wrapText(answerText(outcome), "");
    std::string lines;
    for (const LineToChange& line : linesToChange(outcome))
        lines += siteLines(line.site, line.what);
    text += lines.empty() ? "" : "\nWhat to change:\n" + lines;
    std::string remarks;
    for (const std::string& sentence : remarksOf(outcome))
        remarks += wrapText(sentence, "");
    return text + (remarks.empty() ? "" : "\n" + remarks);
}

OrderedJson tryJson(const TryOutcome& outcome)
{
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
        json["rows"].push_back(rowJson(outcome, row));
    const std::optional<std::size_t> answer = outcome.series.answer();
    json["answer"] = answer ? OrderedJson(*answer) : OrderedJson(nullptr);
    json["sentence"] = answerText(outcome);
    json["copies"] = OrderedJson::array();
    for (const TrialCopies& copies : outcome.found.copies)
        json["copies"].push_back({{"line", siteJson(copies.site)},
                                  {"copies", copies.copies},
                                  {"bytes", copies.bytes},
                                  {"waits", copies.waits}});
    json["left_out"] = outcome.series.leftOut();
    json["loader_text"] = loaderText(outcome.found);
    json["change_lines"] = OrderedJson::array();
    for (const LineToChange& line : linesToChange(outcome)) {
        json["change_lines"].push_back(siteJson(line.site));
        json["change_lines"].back()["text"] = line.what;
    }
    json["remarks"] = remarksOf(outcome);
    return json;
}

}  // namespace overlane
