#include <cmath>
#include <string>
#include <utility>

#include "core/base/units.h"
#include "core/sweep/advisor_text.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostFrontRows = 12;

Cell timeCell(const AdvisorCandidate& candidate, double ns)
{
    return candidate.error.empty() ? durationCell(std::llround(ns)) : missingCell();
}

Cell countOr(bool has, std::int64_t count)
{
    return has ? countCell(count) : missingCell();
}

Cell yesOrNo(bool yes)
{
    return {yes ? "yes" : "no"};
}

void addRow(Table& table, std::string what, const AdvisorCandidate& candidate)
{
    const Scenario& scenario = candidate.scenario;
    const TimeRange range = timeRange(candidate);
    table.rows.push_back({{{std::move(what)},
                           timeCell(candidate, candidate.batchNs),
                           timeCell(candidate, range.lowNs),
                           timeCell(candidate, range.highNs),
                           bytesCell(candidate.pinnedPeakBytes),
                           shareCell(candidate.overlapShare),
                           yesOrNo(scenario.pin != PinStrategy::None),
                           yesOrNo(scenario.nonBlocking),
                           countOr(scenario.copyStream == CopyStream::Side, scenario.deviceBuffers),
                           countCell(scenario.workers),
                           countOr(scenario.workers > 0, scenario.prefetchFactor)},
                          ""});
}

}  // namespace

Table adviceTable(const Advice& advice)
{
    Table table{"",
                {{"what", "", Column::Kind::Words},
                 {"batch_ns", "per batch"},
                 {"low_ns", "at best"},
                 {"high_ns", "at worst"},
                 {"pinned_bytes", "pinned"},
                 {"hidden", "hidden"},
                 {"pin", "pin"},
                 {"async", "async"},
                 {"side", "side"},
                 {"workers", "workers"},
                 {"prefetch", "prefetch"}},
                {}};
    addRow(table, "now", advice.now);
    if (advice.kind == AdviceKind::NothingFits)
        return table;
    if (!(advice.advised.scenario == advice.now.scenario))
        addRow(table, "advised", advice.advised);
    // Where it stops paying is always shown, and what lies around it as far as there is room.
    const std::size_t rows = advice.front.size();
    for (std::size_t at = 0; at < rows; ++at) {
        if (rows > kMostFrontRows && at + 1 < rows && at + kMostFrontRows / 2 < advice.knee)
            continue;
        if (at > advice.knee + kMostFrontRows / 2 && at + 1 < rows)
            continue;
        addRow(table, at == advice.knee ? "stops paying" : "front", advice.front[at]);
    }
    return table;
}

}  // namespace overlane
