#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "core/base/units.h"
#include "core/compare/step_tally.h"
#include "core/content/html.h"
#include "core/content/markup.h"
#include "core/report/report_sections.h"
#include "core/trace/made_by_hand.h"

namespace overlane
{
namespace
{

constexpr std::size_t kKernelCharacters = 120;
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
        std::vector<std::pair<EventKind, CopyGroup>> rows;
        for (const auto& [direction, sums] :
             {std::pair(EventKind::CopyH2D, &device.toDevice), std::pair(EventKind::CopyD2H, &device.toHost)})
            for (const CopyGroup& group : sums->groups)
                if (group.copies > 0)
                    rows.emplace_back(direction, group);
        if (rows.empty())
            continue;
        std::stable_sort(rows.begin(), rows.end(),
                         [](const auto& a, const auto& b) { return a.second.exposedNs > b.second.exposedNs; });
        HtmlTable table({"direction", "why", "#copies", "#data", "#time", "#exposed", "#rate"});
        for (const auto& [direction, group] : rows)
            table.row({direction == EventKind::CopyH2D ? "to the device" : "back",
                       fmt::format("{}<br><span class=\"muted\">{}</span>", markupText(causeName(group.cause)),
                                   markupText(causeSentence(group.cause))),
                       formatCount(group.copies), group.bytes > 0 ? formatBytes(group.bytes) : "-",
                       formatDuration(group.durationNs), formatDuration(group.exposedNs),
                       group.bytes > 0 ? formatRate(group.bytes, group.durationNs) : "-"});
        if (input.judgement->devices.size() > 1)
            text += fmt::format("<h3>GPU {} {}</h3>\n", device.figures.id, markupText(device.figures.name));
        text += table.html();
    }
    return htmlSection("copies", "Copies by cause", text);
}

std::string kernelsSection(const ReportInput& input)
{
    AlignedSide whole;
    whole.range = input.judgement->range;
    std::map<std::string, WorkGroup> groups;
    std::int64_t allNs = 0;
    const KernelTally kernels(*input.trace);
    for (const DeviceActivity& device : input.analysis->devices()) {
        for (auto& [name, group] : kernels.groups(device.id, whole)) {
            allNs += group.totalNs;
            WorkGroup& sum = groups[name];
            sum.count += group.count;
            sum.totalNs += group.totalNs;
            sum.durationsNs.insert(sum.durationsNs.end(), group.durationsNs.begin(), group.durationsNs.end());
        }
    }
    if (groups.empty())
        return {};
    std::vector<const std::pair<const std::string, WorkGroup>*> rows;
    rows.reserve(groups.size());
    for (const auto& entry : groups)
        rows.push_back(&entry);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto* a, const auto* b) { return a->second.totalNs > b->second.totalNs; });
    const std::size_t shown = std::min(rows.size(), input.topKernels);
    HtmlTable table({"@kernel", "#calls", "#median", "#total", "#share"});
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& [name, group] = *rows[i];
        table.row({markupText(shortened(name, kKernelCharacters)), formatCount(group.count),
                   formatDuration(static_cast<std::int64_t>(distribution(group.durationsNs).median)),
                   formatDuration(group.totalNs), formatShare(allNs > 0 ? double(group.totalNs) / double(allNs) : 0)});
    }
    std::string text;
    if (shown < rows.size())
        text = fmt::format("<p class=\"note\">The {} that take most time, of {} names.</p>\n", shown,
                           formatCount(static_cast<std::int64_t>(rows.size())));
    return htmlSection("kernels", "Kernels", text + table.html());
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
         fmt::format("{} on {} tracks, {} counters", formatCount(std::int64_t(trace.eventCount())),
                     trace.tracks().size(), trace.counters().size()));
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
        if (stat.severity == Severity::Info)
            fact(text, "not on a track", formatCount(stat.count) + " " + stat.explanation);
    fact(text, "notes", metadata.notes);
    return htmlSection("facts", "The trace", text + "</dl>\n");
}

}  // namespace overlane
