#include "core/cli/info_text.h"

#include <fmt/format.h>

#include "core/analysis/cause_table.h"
#include "core/analysis/device_losses.h"
#include "core/analysis/verdict_text.h"
#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/cli/findings_json.h"
#include "core/content/terminal.h"
#include "core/findings/finding_blocks.h"
#include "core/judgement/time_parts.h"
#include "core/trace/import_text.h"

namespace overlane
{
namespace
{

constexpr std::string_view toneName(VerdictTone tone)
{
    switch (tone) {
        case VerdictTone::Problem:
            return "problem";
        case VerdictTone::Neutral:
            return "neutral";
        case VerdictTone::Nothing:
            break;
    }
    return "nothing";
}

}  // namespace

std::string toText(const OrderedJson& json)
{
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

OrderedJson deviceJson(const DeviceSummary& device)
{
    OrderedJson json{{"id", device.id},
                     {"name", device.name},
                     {"kernels", device.kernels},
                     {"h2d", device.h2d},
                     {"d2h", device.d2h},
                     {"other_copies", device.otherCopies},
                     {"communications", device.communications},
                     {"h2d_pinned", device.h2dPinned},
                     {"h2d_pageable", device.h2dPageable},
                     {"h2d_unknown", device.h2dUnknown},
                     {"h2d_bytes", device.h2dBytes}};
    addDeviceFigures(json, device);
    return json;
}

std::string deviceText(const DeviceSummary& device)
{
    const std::string memory = device.h2d == 0
                                   ? ""
                                   : fmt::format(" ({} pinned, {} pageable, {} unknown)", formatCount(device.h2dPinned),
                                                 formatCount(device.h2dPageable), formatCount(device.h2dUnknown));
    std::string text = fmt::format("GPU {}{}\n", device.id, device.name.empty() ? "" : " " + device.name);
    text +=
        wrapText(fmt::format("{}, {} to the device{}, {} back, {} other", counted(device.kernels, "kernel"),
                             counted(device.h2d, "copy", "copies"), memory, formatCount(device.d2h),
                             formatCount(device.otherCopies)) +
                     (device.communications > 0 ? fmt::format(", {} between GPUs", formatCount(device.communications))
                                                : std::string()),
                 "  ");
    return text + textTable(deviceFigureRows(device));
}

OrderedJson skippedJson(const Trace& trace)
{
    OrderedJson json = OrderedJson::object();
    for (const ImportStat& stat : trace.stats().all())
        json[stat.reason] = stat.count;
    return json;
}

std::string skippedText(const Trace& trace)
{
    std::string text;
    for (const ImportStat& stat : trace.stats().all()) {
        const std::string_view what = stat.count > 0 && !isRecordingNote(stat) ? "not on a track: " : "";
        text += wrapText(fmt::format("{}{} ({})", what, countedText(stat), stat.reason), "  ");
    }
    return text;
}

OrderedJson traceJson(const JudgedTrace& judged)
{
    const Trace& trace = judged.trace;
    const Summary summary = judged.analysis.summarize();
    OrderedJson json;
    json["format"] = trace.metadata().format;
    json["events"] = trace.eventCount();
    json["source_events"] = trace.metadata().sourceEvents;
    json["skipped"] = skippedJson(trace);
    json["span_ns"] = trace.span().lengthNs();
    json["devices"] = OrderedJson::array();
    for (const DeviceSummary& device : summary.devices)
        json["devices"].push_back(deviceJson(device));
    json["host_blocked_ns"] = summary.hostBlockedNs;
    json["verdict"] = verdictJson(judged.judgement.verdict);
    // What each GPU lost: the losses above are of one.
    if (judged.analysis.devices().size() > 1) {
        OrderedJson& devices = json["verdict"]["devices"] = OrderedJson::array();
        for (const DeviceLosses& device :
             lossesOfDevices(judged.analysis, judged.steps.steps, judged.judgement.verdict.range)) {
            OrderedJson losses = OrderedJson::array();
            for (const Verdict::Loss& loss : device.losses)
                losses.push_back(
                    {{"id", rowOf(loss.cause).id}, {"name", rowOf(loss.cause).name}, {"lost_ns", loss.lostNs}});
            devices.push_back({{"id", device.device}, {"losses", std::move(losses)}});
        }
    }
    json["step_ns"] = judged.judgement.stepNs;
    json["steps"] = stepsJson(judged.steps, judged.judgement.stepNs);
    return json;
}

std::string traceText(const JudgedTrace& judged, const std::string& easiest)
{
    const Trace& trace = judged.trace;
    const Summary& summary = judged.judgement.summary;
    const TraceMetadata& metadata = trace.metadata();
    std::string text = fmt::format("{}: {} trace, {}\n", metadata.title.empty() ? judged.name : metadata.title,
                                   metadata.format, formatDuration(trace.span().lengthNs()));
    text += verdictText(judged.judgement.verdict);
    if (!easiest.empty())
        text += wrapText(easiest, "");
    text += "\n";
    if (const std::string list = terminalText(findingOverview(judged.judgement.findings)); !list.empty())
        text += list + "\n";
    text += fmt::format("  {} on {}, {}\n", counted(static_cast<std::int64_t>(trace.eventCount()), "event"),
                        counted(static_cast<std::int64_t>(trace.tracks().size()), "track"),
                        counted(static_cast<std::int64_t>(trace.counters().size()), "counter"));
    text += skippedText(trace);
    text += stepsText(judged.steps);
    if (summary.range.lengthNs() < trace.span().lengthNs())
        text += fmt::format("  Metrics below cover the active range ({}).\n", formatDuration(summary.range.lengthNs()));
    text += textTable({{"host blocked by the GPU runtime", formatDuration(summary.hostBlockedNs)}});
    for (const DeviceSummary& device : summary.devices)
        text += deviceText(device) + terminalText(timeTable(judged.judgement, device));
    return text;
}

OrderedJson stepsJson(const StepSequence& steps, std::int64_t stepNs)
{
    const StepStatistics& of = steps.statistics;
    OrderedJson json{{"origin", stepOriginName(steps.origin)},
                     {"confidence", steps.confidence},
                     {"count", of.steps},
                     {"warm_up", of.warmUps},
                     {"outliers", of.outliers},
                     {"median_ns", of.medianNs},
                     {"lower_quartile_ns", of.lowerQuartileNs},
                     {"upper_quartile_ns", of.upperQuartileNs},
                     {"deviation_ns", of.deviationNs},
                     {"min_ns", of.minNs},
                     {"max_ns", of.maxNs},
                     {"mean_ns", stepNs > 0 ? stepNs : of.meanNs}};
    json["outlier_steps"] = OrderedJson::array();
    for (const Step& step : steps.steps)
        if (step.outlier)
            json["outlier_steps"].push_back({{"number", step.number}, {"name", step.name}, {"time_ns", step.timeNs}});
    return json;
}

std::string stepsText(const StepSequence& steps)
{
    const StepStatistics& of = steps.statistics;
    if (of.steps == 0)
        return wrapText("no steps: none are marked, and the GPU work does not repeat clearly", "  ");
    std::string text =
        fmt::format("{} {} ({}", formatCount(of.steps), of.steps == 1 ? "step" : "steps", stepOriginName(steps.origin));
    if (steps.origin == StepOrigin::Pattern)
        text += fmt::format(", confidence {}", formatShare(steps.confidence));
    text += of.steps == 1 ? fmt::format("): {}", formatDuration(of.medianNs))
                          : fmt::format("): median {}, quartiles {} to {}, range {} to {}", formatDuration(of.medianNs),
                                        formatDuration(of.lowerQuartileNs), formatDuration(of.upperQuartileNs),
                                        formatDuration(of.minNs), formatDuration(of.maxNs));
    if (of.warmUps > 0)
        text += fmt::format("; without the first {} of warm-up", formatCount(of.warmUps));
    if (of.outliers > 0) {
        text += fmt::format("; {} {}:", formatCount(of.outliers), of.outliers == 1 ? "outlier" : "outliers");
        constexpr int kMostNamed = 5;
        int named = 0;
        for (const Step& step : steps.steps)
            if (step.outlier && named++ < kMostNamed)
                text += fmt::format("{} {} ({})", named > 1 ? "," : "", step.name, formatDuration(step.timeNs));
        if (named > kMostNamed)
            text += ", ...";
    }
    return wrapText(text, "  ");
}

OrderedJson levelsJson(const std::vector<IterationLevel>& levels)
{
    OrderedJson json = OrderedJson::array();
    for (const IterationLevel& level : levels)
        json.push_back({{"origin", stepOriginName(level.origin)},
                        {"name", level.name},
                        {"count", level.count},
                        {"median_ns", level.medianNs},
                        {"taken", level.isTaken}});
    return json;
}

std::string levelsText(const std::vector<IterationLevel>& levels)
{
    constexpr std::size_t kNameColumns = 40;
    if (levels.empty() || (levels.size() == 1 && levels.front().isTaken))
        return {};
    std::string text = "loops that the trace shows; --iteration takes one by its place, name or count:";
    for (std::size_t at = 0; at < levels.size(); ++at) {
        const IterationLevel& level = levels[at];
        const std::string name =
            level.name.size() > kNameColumns ? level.name.substr(0, kNameColumns) + "..." : level.name;
        text += fmt::format("{} {}. {} times {}, {}{}", at > 0 ? ";" : "", at + 1, formatCount(level.count),
                            formatDuration(level.medianNs),
                            level.origin == StepOrigin::Pattern ? "from " + name : "marked " + name,
                            level.isTaken ? " (taken)" : "");
    }
    return wrapText(text, "  ");
}

std::string verdictText(const Verdict& verdict)
{
    std::string text = wrapText(verdict.sentence, "");
    if (const std::string won = nowAndWithoutSentence(verdict); !won.empty())
        text += wrapText(won, "");
    if (!verdict.advice.empty())
        text += wrapText(verdict.advice, "");
    return text;
}

OrderedJson verdictJson(const Verdict& verdict)
{
    OrderedJson json{{"tone", toneName(verdict.tone)},
                     {"sentence", verdict.sentence},
                     {"advice", verdict.advice},
                     {"copies", verdict.copies},
                     {"hidden_copies", verdict.hiddenCopies},
                     {"now_ns", verdict.nowNs},
                     {"could_be_ns", verdict.couldBeNs},
                     {"per_step", verdict.perStep}};
    json["cause"] = verdict.cause ? OrderedJson(causeName(*verdict.cause)) : OrderedJson();
    json["carries"] = copyRoleName(verdict.carries);
    json["carries_id"] = copyRoleId(verdict.carries);
    if (!verdict.offload.empty())
        json["offload"] = verdict.offload;
    json["cause_id"] = verdict.cause ? OrderedJson(rowOf(*verdict.cause).id) : OrderedJson();
    json["main_loss"] = verdict.mainLoss ? OrderedJson(lostCauseName(*verdict.mainLoss)) : OrderedJson();
    json["main_loss_id"] = verdict.mainLoss ? OrderedJson(rowOf(*verdict.mainLoss).id) : OrderedJson();
    // Ids are what programs should read; the names above and below are what people read, and may change.
    json["losses"] = OrderedJson::array();
    for (const Verdict::Loss& loss : verdict.losses) {
        OrderedJson one{{"id", rowOf(loss.cause).id}, {"name", rowOf(loss.cause).name}, {"lost_ns", loss.lostNs}};
        if (!loss.places.empty())
            one["places"] = placesJson(loss.places);
        json["losses"].push_back(std::move(one));
    }
    OrderedJson& losses = json["losses_ns"] = OrderedJson::object();
    for (const Verdict::Loss& loss : verdict.losses)
        losses[std::string(lostCauseName(loss.cause))] = loss.lostNs;
    return json;
}

}  // namespace overlane
