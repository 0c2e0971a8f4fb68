#include "core/cli/try_answer.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/units.h"

namespace overlane
{
namespace
{

std::string durationText(double ns)
{
    return formatDuration(std::llround(ns));
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

std::string sentenceOf(const TryOutcome& outcome)
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

TrialAnswer::Row rowOf(const TryOutcome& outcome, std::size_t row)
{
    const TrialRow& tried = outcome.series.rows()[row];
    const double baseNs = outcome.series.rows().front().meanNs();
    TrialAnswer::Row answer;
    answer.change = changeOfSettings(outcome.series.asItIs(), tried.settings);
    answer.why = tried.why;
    answer.failure = tried.failure;
    answer.batchNs = std::llround(tried.meanNs());
    for (const double ns : tried.batchNs)
        answer.runsNs.push_back(std::llround(ns));
    if (row > 0 && !tried.batchNs.empty()) {
        const TrialClaim claim = outcome.series.claim(row);
        answer.gain = claim.share;
        answer.direction = directionOf(claim);
        answer.claim = claimWords(claim);
    }
    if (const auto& predicted = outcome.predicted[row]; predicted && baseNs > 0)
        answer.predicted = {std::llround(predicted->share * baseNs), std::llround(predicted->low * baseNs),
                            std::llround(predicted->high * baseNs)};
    return answer;
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

TrialAnswer answerOf(const TryOutcome& outcome)
{
    TrialAnswer answer;
    answer.sentence = sentenceOf(outcome);
    answer.loader = loaderText(outcome.found);
    for (std::size_t row = 0; row < outcome.series.rows().size(); ++row)
        answer.rows.push_back(rowOf(outcome, row));
    answer.answer = outcome.series.answer();
    for (const LineToChange& line : linesToChange(outcome))
        answer.lines.push_back({line.site.file, line.site.line, line.site.code, line.what});
    answer.remarks = remarksOf(outcome);
    answer.runs = static_cast<std::int64_t>(outcome.series.runs());
    answer.batches = outcome.batches;
    answer.seconds = outcome.seconds;
    answer.cancelled = outcome.cancelled;
    answer.budgetSpent = outcome.budgetSpent;
    return answer;
}

}  // namespace overlane
