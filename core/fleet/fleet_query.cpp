#include "core/fleet/fleet_query.h"

#include <algorithm>
#include <cctype>
#include <fmt/chrono.h>
#include <string_view>

#include "core/fleet/fleet_figures.h"

namespace overlane
{
namespace
{

bool holds(std::string_view text, std::string_view part)
{
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool matches(const Fleet& fleet, const FleetRun& run, const FleetQuery& query)
{
    if (query.onlyBroken == run.isRead())
        return false;
    if (query.group && fleet.groupOf(run) != *query.group)
        return false;
    if (query.cause && run.lostNs(query.cause) < kNotableLoss * run.gpuNs())
        return false;
    if (query.overlapBin && (!run.overlap || overlapBin(*run.overlap) != *query.overlapBin))
        return false;
    if (query.text.empty())
        return true;
    return holds(run.name, query.text) || holds(run.url, query.text) || holds(fleet.groupOf(run), query.text) ||
           holds(fleet.versionOf(run), query.text) || holds(run.gpu, query.text) || holds(run.verdict, query.text) ||
           holds(run.error, query.text);
}

const FleetLoss* largestLoss(const FleetRun& run)
{
    const auto most = std::max_element(run.losses.begin(), run.losses.end(),
                                       [](const FleetLoss& a, const FleetLoss& b) { return a.ns < b.ns; });
    return most == run.losses.end() ? nullptr : &*most;
}

const std::string& largestCause(const Fleet& fleet, const FleetRun& run)
{
    static const std::string kNone;
    const FleetLoss* loss = largestLoss(run);
    return loss == nullptr ? kNone : fleet.causes[loss->cause].label;
}

// Columns of figures; what has none is below all that have.
double figureOf(const FleetRun& run, FleetColumn column)
{
    switch (column) {
        case FleetColumn::Recorded:
            return run.recordedS ? double(*run.recordedS) : -1;
        case FleetColumn::Step:
            return double(run.stepNs);
        case FleetColumn::Overlap:
            return run.overlap.value_or(-1);
        case FleetColumn::Exposed:
            return run.spanNs > 0 ? double(run.exposedNs) / run.gpuNs() : -1;
        default:
            return run.lostNs();
    }
}

const std::string& wordsOf(const Fleet& fleet, const FleetRun& run, FleetColumn column)
{
    switch (column) {
        case FleetColumn::Group:
            return fleet.groupOf(run);
        case FleetColumn::Version:
            return fleet.versionOf(run);
        case FleetColumn::Cause:
            return largestCause(fleet, run);
        case FleetColumn::Verdict:
            return run.isRead() ? run.verdict : run.error;
        default:
            return run.name;
    }
}

bool isWords(FleetColumn column)
{
    return column == FleetColumn::Name || column == FleetColumn::Group || column == FleetColumn::Version ||
           column == FleetColumn::Cause || column == FleetColumn::Verdict;
}

// The first `count` of them sorted by their keys; equal ones stay in the fleet's order.
template <typename Key>
void sortFirst(std::vector<std::size_t>& runs, std::size_t count, bool descending, Key key)
{
    std::partial_sort(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(count), runs.end(),
                      [&](std::size_t a, std::size_t b) {
                          const auto& x = key(a);
                          const auto& y = key(b);
                          return x == y ? a < b : descending ? y < x : x < y;
                      });
}

Cell wordsCell(const std::string& words)
{
    return words.empty() ? missingCell() : Cell{words};
}

Cell dateCell(const std::optional<std::int64_t>& recordedS)
{
    constexpr std::int64_t kLastYear = 253'402'300'799;  // the end of 9999
    if (!recordedS || *recordedS < 0 || *recordedS > kLastYear)
        return missingCell();
    return {fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(*recordedS))), *recordedS};
}

Cell lostCell(const FleetRun& run)
{
    Cell cell = shareCell(run.gpuNs() > 0 ? run.lostNs() / run.gpuNs() : 0);
    cell.text = gpuTimeText(run.lostNs()) + ", " + cell.text;
    cell.value = run.lostNs();
    return cell;
}

}  // namespace

FleetRows fleetRows(const Fleet& fleet, const FleetQuery& query)
{
    FleetRows rows;
    for (std::size_t at = 0; at < fleet.runs.size(); ++at)
        if (matches(fleet, fleet.runs[at], query))
            rows.runs.push_back(at);
    rows.matching = rows.runs.size();
    const std::size_t shown = std::min(rows.matching, query.mostRows);
    if (isWords(query.order)) {
        sortFirst(rows.runs, shown, query.descending,
                  [&](std::size_t at) -> const std::string& { return wordsOf(fleet, fleet.runs[at], query.order); });
    } else {
        std::vector<double> keys(fleet.runs.size());
        for (const std::size_t at : rows.runs)
            keys[at] = figureOf(fleet.runs[at], query.order);
        sortFirst(rows.runs, shown, query.descending, [&](std::size_t at) -> const double& { return keys[at]; });
    }
    rows.runs.resize(shown);
    return rows;
}

Table fleetTable(const Fleet& fleet, const FleetRows& rows)
{
    Table table{{},
                {{"name", "run", Column::Kind::Name},
                 {"group", "group", Column::Kind::Words},
                 {"version", "version", Column::Kind::Words},
                 {"recorded_s", "recorded (UTC)"},
                 {"step_ns", "step"},
                 {"overlap", "hidden copies"},
                 {"exposed", "exposed copies"},
                 {"lost_gpu_ns", "lost"},
                 {"cause", "most to", Column::Kind::Words},
                 {"verdict", "verdict", Column::Kind::Words}},
                {}};
    for (const std::size_t at : rows.runs) {
        const FleetRun& run = fleet.runs[at];
        Table::Row row;
        row.cells = {Cell{run.name}, wordsCell(fleet.groupOf(run)), wordsCell(fleet.versionOf(run)),
                     dateCell(run.recordedS)};
        if (run.isRead()) {
            row.cells.push_back(run.stepNs > 0 ? durationCell(run.stepNs) : missingCell());
            row.cells.push_back(run.overlap ? shareCell(*run.overlap) : missingCell());
            row.cells.push_back(run.spanNs > 0 ? shareCell(double(run.exposedNs) / run.gpuNs()) : missingCell());
            row.cells.push_back(lostCell(run));
            row.cells.push_back(wordsCell(largestCause(fleet, run)));
            row.cells.push_back(wordsCell(run.verdict));
            row.remark = run.easiest;
        } else {
            row.cells.resize(static_cast<std::size_t>(FleetColumn::Verdict), missingCell());
            row.cells.push_back({run.error, {}, Tone::Warning});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace overlane
