#include "core/judgement/time_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

#include "core/analysis/cause_table.h"
#include "core/analysis/steps.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// "host late 2.10 ms, untraced host code 6.20 ms"; empty for a part of one cause.
std::string causesText(const DeviceSummary& device, const TimePart& part)
{
    std::vector<std::string> causes;
    for (const LostCauseRow& row : lostCauses())
        if (const std::int64_t lostNs = device.lostNs[static_cast<std::size_t>(row.cause)];
            spokenOf(row.cause) == part.cause && lostNs > 0)
            causes.push_back(fmt::format("{} {}", row.name, formatDuration(lostNs)));
    return causes.size() > 1 ? fmt::format("{}", fmt::join(causes, ", ")) : "";
}

}  // namespace

std::string_view TimePart::name() const
{
    return cause ? rowOf(*cause).name : "kernels";
}

std::string_view TimePart::brief() const
{
    return cause ? rowOf(*cause).brief : name();
}

EventKind TimePart::drawnAs() const
{
    return cause ? rowOf(*cause).drawnAs : EventKind::Kernel;
}

std::vector<TimePart> timeParts(const Judgement& judgement, const DeviceSummary& device)
{
    if (!judgement.kernelsKnown || device.wallNs == 0)
        return {};
    const LostSums lostNs = spokenSums(device.lostNs);
    std::vector<TimePart> parts{{{}, device.kernelBusyNs}};
    for (const LostCauseRow& row : lostCauses())
        if (const std::int64_t partNs = lostNs[static_cast<std::size_t>(row.cause)]; partNs > 0)
            parts.push_back({row.cause, partNs});
    std::stable_sort(parts.begin() + 1, parts.end(), [](const TimePart& a, const TimePart& b) {
        const bool ends = a.cause == LostCause::Ends;
        return ends == (b.cause == LostCause::Ends) ? a.timeNs > b.timeNs : !ends;
    });
    return parts;
}

Table timeTable(const Judgement& judgement, const DeviceSummary& device)
{
    Table table{{}, {{"cause", "where the time goes", Column::Kind::Words}, {"time_ns", "time"}}, {}};
    if (judgement.verdict.perStep)
        table.columns.push_back({"step_ns", "per step"});
    table.columns.push_back({"share", "share"});
    for (const TimePart& part : timeParts(judgement, device)) {
        Table::Row row{{Cell{std::string(part.name())}, durationCell(part.timeNs)}, causesText(device, part)};
        if (judgement.verdict.perStep)
            row.cells.push_back(durationCell(perStepNs(part.timeNs, judgement.range, judgement.stepNs)));
        row.cells.push_back(shareCell(static_cast<double>(part.timeNs) / static_cast<double>(device.wallNs)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace overlane
