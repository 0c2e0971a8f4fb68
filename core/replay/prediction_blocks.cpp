#include "core/replay/prediction_blocks.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "core/base/units.h"

namespace overlane
{
namespace
{

// From here on pinned memory hurts everything else.
constexpr double kMuchOfRam = 0.5;

std::string measuredSentence(const ReplayReport& report)
{
    const std::string measured = formatDuration(report.stepNsMeasured);
    if (report.wholeRange)
        return fmt::format("The trace shows no iterations: replayed is its range as a whole, which takes {}.",
                           measured);
    const std::string difference = report.differenceSentence();
    return difference.empty()
               ? fmt::format("The average step takes {} ({}).", measured, report.judgedSteps())
               : fmt::format("The average step takes {}. {}", formatDuration(report.stepNsAverage), difference);
}

std::string waitsSentence(const ReplayReport& report)
{
    std::string text =
        fmt::format("{} calls and {} pieces of GPU work. Waits: {} recorded, {} inferred, {} unresolved.",
                    formatCount(report.hostCalls), formatCount(report.gpuWork), formatCount(report.recordedWaits),
                    formatCount(report.inferredWaits), formatCount(report.unknownWaits));
    if (report.unexplainedNs > 0)
        text += fmt::format(" Unexplained launch delay of {}{} is kept.", formatDuration(report.unexplainedNs),
                            report.wholeRange ? "" : " per step");
    return text;
}

Facts needs(const Prediction& prediction)
{
    Facts facts;
    for (int what = 0; what < kBottleneckCount; ++what)
        if (const std::int64_t ns = prediction.busyNs[static_cast<std::size_t>(what)]; ns > 0)
            facts.rows.emplace_back(std::string(bottleneckName(static_cast<Bottleneck>(what))) +
                                        (prediction.ofRange ? ", in all" : ", per step"),
                                    durationCell(ns));
    if (prediction.pinnedBytes <= 0)
        return facts;
    const bool much =
        prediction.ramBytes > 0 && double(prediction.pinnedBytes) > kMuchOfRam * double(prediction.ramBytes);
    facts.rows.emplace_back("pinned memory needed", Cell{formatBytes(prediction.pinnedBytes), prediction.pinnedBytes,
                                                         much ? Tone::Warning : Tone::Plain});
    if (prediction.ramBytes > 0)
        facts.rows.emplace_back(fmt::format("memory ({})", prediction.ramOrigin), bytesCell(prediction.ramBytes));
    else
        facts.rows.emplace_back("memory of the machine", Cell{"not recorded", {}, Tone::Muted});
    return facts;
}

// Those that are faster for sure, or the others.
Table suggestionTable(const std::vector<Prediction>& suggestions, const ReplayReport& report, bool clear)
{
    Table table{{},
                {{"change", "change", Column::Kind::Words},
                 {"predicted_ns", report.wholeRange ? "time" : "step"},
                 {"gain", "less"},
                 {"range", "range", Column::Kind::Words}},
                {}};
    for (const Prediction& each : suggestions)
        if ((each.direction() == Direction::Faster) == clear)
            table.rows.push_back(
                {{Cell{changeText(each.changes)}, durationCell(each.stepNsPredicted),
                  Cell{fmt::format("{:.0f} %", 100 * each.gain()), each.gain()}, Cell{predictedRange(each)}},
                 {}});
    return table;
}

std::string_view ofStep(const Prediction& prediction)
{
    return prediction.ofRange ? " in all" : " a step";
}

std::string beforeAndAfter(const Prediction& prediction)
{
    return fmt::format("{} to {}{}", formatDuration(prediction.stepNsReplayed),
                       formatDuration(prediction.stepNsPredicted), ofStep(prediction));
}

// Both ends of the range read alike: it says no more than the prediction.
bool isPoint(const Prediction& prediction)
{
    return formatDuration(prediction.lowNs) == formatDuration(prediction.highNs);
}

}  // namespace

Blocks replayBlocks(const ReplayReport& report)
{
    Blocks blocks{
        Sentence{measuredSentence(report)},
        Sentence{fmt::format("The baseline replay takes {} ({}){}", formatDuration(report.stepNsReplayed),
                             replayErrorText(report),
                             report.trusted() ? "."
                                              : ". The trace lacks some dependencies; predictions are no more accurate "
                                                "than the replay."),
                 report.trusted() ? Tone::Plain : Tone::Warning},
        Sentence{waitsSentence(report), Tone::Muted}};
    for (const std::string& limit : report.limits)
        blocks.emplace_back(Sentence{limit, Tone::Muted});
    return blocks;
}

Blocks predictionBlocks(const Prediction& prediction)
{
    const Direction direction = prediction.direction();
    return {Sentence{fmt::format("With {}: {}.", changeText(prediction.changes), predictedTime(prediction)),
                     direction == Direction::Faster ? Tone::Better : Tone::Plain, true},
            Sentence{bottleneckText(prediction)},
            needs(prediction),
            List{"What to do:", prediction.advice},
            List{"Assumed:", prediction.notes, Tone::Muted},
            List{"What makes the range:", prediction.rangeOrigins, Tone::Muted}};
}

Blocks suggestionBlocks(const std::vector<Prediction>& suggestions, const ReplayReport& report)
{
    Blocks blocks;
    Table clear = suggestionTable(suggestions, report, true);
    Table unclear = suggestionTable(suggestions, report, false);
    const bool anyClear = !clear.rows.empty();
    if (anyClear) {
        blocks.emplace_back(Sentence{report.wholeRange ? "What would help, the shortest first:"
                                                       : "What would help, the shortest step first:"});
        blocks.emplace_back(std::move(clear));
    }
    if (!unclear.rows.empty()) {
        const auto first = std::find_if(suggestions.begin(), suggestions.end(),
                                        [](const Prediction& each) { return each.direction() != Direction::Faster; });
        const std::string words = first->noise.words(first->stepNsReplayed);
        blocks.emplace_back(
            Sentence{(anyClear ? "Too little to be sure of" : "No change known here would clearly help") +
                     (words.empty() ? "" : " (" + words + ")") + ":"});
        blocks.emplace_back(std::move(unclear));
    }
    if (anyClear)
        blocks.emplace_back(Sentence{
            fmt::format("With {}: {}", changeText(suggestions.front().changes), bottleneckText(suggestions.front()))});
    if (report.paced)
        blocks.emplace_back(Sentence{
            "A display, a camera or a timer sets the time of the steps: no change of their work makes them shorter."});
    else if (blocks.empty())
        blocks.emplace_back(
            Sentence{fmt::format("None of the {}changes known here would make {} shorter.",
                                 report.missing.empty() ? "" : "other ", report.wholeRange ? "the range" : "a step")});
    for (std::size_t at = 0; at < report.missing.size() && !report.paced; ++at)
        blocks.emplace_back(Sentence{"Pinning could not be tried. " + report.missing[at]});
    return blocks;
}

std::string easiestChangeText(const Prediction& easiest)
{
    std::string action = easiest.action;
    if (!action.empty())
        action.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(action.front())));
    const std::string range = isPoint(easiest) ? "" : fmt::format(" (range {})", predictedRange(easiest));
    return fmt::format("Easiest change: {}, {}, predicted{}.", action, beforeAndAfter(easiest), range);
}

std::vector<std::string> easiestChangeForms(const Prediction& easiest)
{
    const std::string after = formatDuration(easiest.stepNsPredicted);
    // Without the step as it is, which stands above it in the window: the replay's is another figure than the average.
    return {fmt::format("{}: {}{}, predicted", easiest.action, after, ofStep(easiest)),
            fmt::format("{}: {} predicted", easiest.action, after),
            fmt::format("{}: {}{}", easiest.action, after, ofStep(easiest)), easiest.action};
}

std::string gainText(std::int64_t beforeNs, std::int64_t afterNs, const Noise& noise)
{
    const std::string words = changeWords(beforeNs, afterNs, noise);
    return noise.direction(beforeNs, afterNs) == Direction::Unclear ? words : formatDuration(afterNs) + ", " + words;
}

std::string predictedTime(const Prediction& prediction)
{
    const std::string range = isPoint(prediction) ? "" : "; range " + predictedRange(prediction);
    return fmt::format("{} {}, {}{}", formatDuration(prediction.stepNsPredicted),
                       prediction.ofRange ? "in all" : "a step",
                       changeWords(prediction.stepNsReplayed, prediction.stepNsPredicted, prediction.noise), range);
}

std::string predictedRange(const Prediction& prediction)
{
    return isPoint(prediction)
               ? formatDuration(prediction.lowNs)
               : fmt::format("{} to {}", formatDuration(prediction.lowNs), formatDuration(prediction.highNs));
}

std::string bottleneckText(const Prediction& prediction)
{
    std::string text(bottleneckSentence(prediction.bottleneck));
    constexpr std::string_view kStep = "the step";
    if (const std::size_t at = text.find(kStep); prediction.ofRange && at != std::string::npos)
        text.replace(at, kStep.size(), "the range");
    return text;
}

std::string replayErrorText(const ReplayReport& report)
{
    return fmt::format("{:+.1f} %", 100 * report.error());
}

}  // namespace overlane
