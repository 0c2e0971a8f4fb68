#include "core/cli/whatif_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/units.h"
#include "core/cli/info_text.h"

namespace overlane
{
namespace
{

std::string gainText(const Prediction& prediction)
{
    const double percent = 100 * prediction.gain();
    if (std::abs(percent) < 0.5)
        return "as before";
    return fmt::format("{:.0f} % {}", std::abs(percent), percent > 0 ? "less" : "more");
}

std::string rangeText(const Prediction& prediction)
{
    return fmt::format("{} to {}", formatDuration(prediction.lowNs), formatDuration(prediction.highNs));
}

}  // namespace

OrderedJson replayJson(const ReplayReport& report)
{
    return {{"steps", report.steps},
            {"first_step", report.firstStep},
            {"last_step", report.lastStep},
            {"step_ns_measured", report.stepNsMeasured},
            {"step_ns_replayed", report.stepNsReplayed},
            {"replay_error", report.error()},
            {"trusted", report.trusted()},
            {"host_threads", report.hostThreads},
            {"host_calls", report.hostCalls},
            {"gpu_work", report.gpuWork},
            {"recorded_waits", report.recordedWaits},
            {"inferred_waits", report.inferredWaits},
            {"unknown_waits", report.unknownWaits},
            {"unexplained_ns", report.unexplainedNs},
            {"device_profile", report.device}};
}

OrderedJson predictionJson(const Prediction& prediction)
{
    OrderedJson json;
    json["changes"] = OrderedJson::array();
    for (const Change& change : prediction.changes)
        json["changes"].push_back(changeText(change));
    json["step_ns_measured"] = prediction.stepNsMeasured;
    json["step_ns_replayed"] = prediction.stepNsReplayed;
    json["step_ns_predicted"] = prediction.stepNsPredicted;
    json["range"] = {prediction.lowNs, prediction.highNs};
    json["range_ns"] = json["range"];  // its name before
    json["range_origins"] = prediction.rangeOrigins;
    json["bottleneck"] = bottleneckName(prediction.bottleneck);
    OrderedJson& busy = json["busy_ns"] = OrderedJson::object();
    for (int what = 0; what < kBottleneckCount; ++what)
        if (const std::int64_t ns = prediction.busyNs[static_cast<std::size_t>(what)]; ns > 0)
            busy[std::string(bottleneckName(static_cast<Bottleneck>(what)))] = ns;
    json["pinned_bytes"] = prediction.pinnedBytes;
    json["ram_bytes"] = prediction.ramBytes;
    json["ram_origin"] = prediction.ramOrigin;
    json["notes"] = prediction.notes;
    return json;
}

std::string replayText(const ReplayReport& report)
{
    std::string text = fmt::format("The average step takes {} (steps {} to {}).\n",
                                   formatDuration(report.stepNsMeasured), report.firstStep, report.lastStep);
    text += wrapText(fmt::format("Replayed without change it takes {} ({:+.1f} %){}",
                                 formatDuration(report.stepNsReplayed), 100 * report.error(),
                                 report.trusted() ? "."
                                                  : ": the trace does not hold everything that its steps wait for, so "
                                                    "trust what follows no further than that."),
                     "");
    std::string waits =
        fmt::format("{} calls and {} pieces of GPU work; of the waits {} are named by the trace",
                    formatCount(report.hostCalls), formatCount(report.gpuWork), formatCount(report.recordedWaits));
    waits += fmt::format(", {} follow from the times, {} stay unknown.", formatCount(report.inferredWaits),
                         formatCount(report.unknownWaits));
    if (report.unexplainedNs > 0)
        waits += fmt::format(" {} per step of late starts have no known reason and stay as they are.",
                             formatDuration(report.unexplainedNs));
    return text + wrapText(waits, "  ");
}

std::string predictionText(const Prediction& prediction)
{
    std::string text =
        fmt::format("With {}: {} a step, {} ({}).\n", changeText(prediction.changes),
                    formatDuration(prediction.stepNsPredicted), gainText(prediction), rangeText(prediction));
    text += wrapText(std::string(bottleneckSentence(prediction.bottleneck)), "");
    std::vector<TextRow> rows;
    for (int what = 0; what < kBottleneckCount; ++what)
        if (const std::int64_t ns = prediction.busyNs[static_cast<std::size_t>(what)]; ns > 0)
            rows.emplace_back(std::string(bottleneckName(static_cast<Bottleneck>(what))) + ", per step",
                              formatDuration(ns));
    if (prediction.pinnedBytes > 0) {
        rows.emplace_back("page-locked memory needed", formatBytes(prediction.pinnedBytes));
        if (prediction.ramBytes > 0)
            rows.emplace_back(fmt::format("memory ({})", prediction.ramOrigin), formatBytes(prediction.ramBytes));
    }
    text += textTable(rows);
    for (const Change& change : prediction.changes)
        text += wrapText(changeAdvice(change), "  ");
    for (const std::string& origin : prediction.rangeOrigins)
        text += wrapText("Range by " + origin + ".", "  ");
    for (const std::string& note : prediction.notes)
        text += wrapText(note, "  ");
    return text;
}

std::string suggestionsText(const std::vector<Prediction>& suggestions)
{
    if (suggestions.empty())
        return "None of the changes known here would make a step shorter.\n";
    std::size_t width = 0;
    for (const Prediction& prediction : suggestions)
        width = std::max(width, changeText(prediction.changes).size());
    std::string text = "What would help, the shortest step first:\n";
    for (const Prediction& prediction : suggestions)
        text += fmt::format("  {:<{}}  {:>8}  {:>9}  {}\n", changeText(prediction.changes), width,
                            formatDuration(prediction.stepNsPredicted), gainText(prediction), rangeText(prediction));
    text += "\n" + wrapText(fmt::format("With {}: {}", changeText(suggestions.front().changes),
                                        bottleneckSentence(suggestions.front().bottleneck)),
                            "");
    return text;
}

}  // namespace overlane
