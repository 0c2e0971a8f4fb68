#include <fmt/format.h>

#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/judgement/copy_parts.h"
#include "core/names/named_work.h"
#include "core/report/report_sections.h"
#include "core/trace/import_text.h"
#include "core/trace/made_by_hand.h"

namespace overlane
{
namespace
{

constexpr std::size_t kScenarioCharacters = 4000;

void fact(std::string& text, std::string_view name, std::string_view value)
{
    if (!value.empty())
        text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", markupText(name), markupText(value));
}

}  // namespace

std::string copiesSection(const ReportInput& input)
{
    std::string text;
    for (const DeviceJudgement& device : input.judgement->devices) {
        const std::vector<CopyPart> parts = copyParts(device, CopyChoice::All);
        if (parts.empty())
            continue;
        if (input.judgement->devices.size() > 1)
            text += fmt::format("<h3>GPU {} {}</h3>\n", device.figures.id, markupText(device.figures.name));
        text += htmlText(copyTable(parts, input.judgement->verdict.carries, input.analysis->program()));
    }
    return htmlSection("copies", "Copies by cause", text);
}

std::string kernelsSection(const ReportInput& input)
{
    Progress progress;
    const auto work =
        namedWork(*input.trace, *input.analysis, {WorkGroupKind::Kernels, input.judgement->range}, progress);
    if (!work.ok() || work.value().empty())
        return {};
    const Table table = nameTable(work.value(), WorkGroupKind::Kernels)
                            .picked({"name", "count", "median_ns", "total_ns", "share"}, input.topKernels);
    std::string text;
    if (table.rows.size() < work.value().size())
        text = fmt::format("<p class=\"note\">The {} that take most time, of {} names.</p>\n", table.rows.size(),
                           formatCount(static_cast<std::int64_t>(work.value().size())));
    return htmlSection("kernels", "Kernels", text + htmlText(table));
}

std::string factsSection(const ReportInput& input)
{
    const Trace& trace = *input.trace;
    const TraceMetadata& metadata = trace.metadata();
    std::string text = "<dl class=\"facts\">\n";
    fact(text, "file", input.name);
    fact(text, "title", metadata.title == input.name ? "" : metadata.title);
    fact(text, "format", metadata.format);
    fact(text, "length", formatDuration(trace.span().lengthNs()));
    fact(text, "judged",
         fmt::format("{}, from {} to {}", formatDuration(input.judgement->range.lengthNs()),
                     formatDuration(input.judgement->range.startNs), formatDuration(input.judgement->range.endNs)));
    fact(text, "events",
         fmt::format("{} on {}, {}", formatCount(std::int64_t(trace.eventCount())),
                     counted(std::int64_t(trace.tracks().size()), "track"),
                     counted(std::int64_t(trace.counters().size()), "counter")));
    for (const DeviceInfo& device : trace.devices()) {
        std::string value = device.name.empty() ? "unnamed" : device.name;
        if (device.memoryBytes > 0)
            value += ", " + formatBytes(device.memoryBytes);
        if (device.linkBytesPerSecond > 0)
            value += ", host link " + formatRate(static_cast<std::int64_t>(device.linkBytesPerSecond), kNsPerS);
        fact(text, fmt::format("GPU {}", device.id), value);
    }
    for (const auto& [name, value] : metadata.properties)
        if (!isMadeByHand(name))
            fact(text, name, shortened(value, kScenarioCharacters));
    for (const ImportStat& stat : trace.stats().all())
        if (!isLoss(stat))
            fact(text, isRecordingNote(stat) ? "recording" : "not on a track", countedText(stat));
    fact(text, "notes", metadata.notes);
    return htmlSection("facts", "The trace", text + "</dl>\n");
}

}  // namespace overlane
