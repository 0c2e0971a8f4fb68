#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/job/clock_fit.h"

namespace overlane
{
namespace
{

// Of one host: the middle of its ranks, and the least exact of them.
Table::Row hostRow(const std::string& name, const std::vector<std::uint32_t>& ranks, const ClockFit& fit)
{
    std::vector<std::int64_t> aheadNs;
    std::vector<double> driftPpm;
    std::int64_t errorNs = 0;
    std::int64_t collectives = 0;
    std::int64_t unfitted = 0;
    for (const std::uint32_t rank : ranks) {
        const RankClock& clock = fit.clocks[rank];
        if (!clock.fitted) {
            ++unfitted;
            continue;
        }
        aheadNs.push_back(clock.aheadNs);
        driftPpm.push_back(clock.driftPpm);
        errorNs = std::max(errorNs, clock.errorNs);
        collectives = std::max(collectives, clock.collectives);
    }
    Table::Row row;
    row.cells = {Cell{name}, countCell(static_cast<std::int64_t>(ranks.size()))};
    if (aheadNs.empty()) {
        row.cells.insert(row.cells.end(), 3, missingCell());
    } else {
        const double drift = median(std::move(driftPpm));
        row.cells.push_back(durationCell(lowerMedian(std::move(aheadNs))));
        row.cells.push_back(Cell{fmt::format("{:.2f} ppm", drift), drift});
        row.cells.push_back(durationCell(errorNs));
    }
    row.cells.push_back(countCell(collectives));
    if (unfitted > 0)
        row.remark = fmt::format("{} share too few collectives with the others.", unfitted);
    return row;
}

}  // namespace

std::string strangersText(const ClockFit& fit, const RankDigests& digests)
{
    if (fit.strangers.empty())
        return {};
    return fmt::format(
        "The files are of different runs: the collectives of {} end at other times than those of {} that "
        "have their numbers. Open the files of one run.",
        rankLabels(fit.strangers, digests, 4), rankLabel(digests[fit.reference].identity));
}

Blocks clockBlocks(const ClockFit& fit, const RankDigests& digests)
{
    if (fit.isOneClock)
        return {Sentence{"The GPUs of one process share one clock: their times are compared as they were recorded."}};
    if (fit.ends == 0)
        return {Sentence{"The clocks of the ranks were not compared: no collective that ends together was matched.",
                         Tone::Warning}};
    const auto fitted =
        std::count_if(fit.clocks.begin(), fit.clocks.end(), [](const RankClock& clock) { return clock.fitted; });
    Blocks blocks{
        Sentence{fmt::format("The clocks of {} ranks are fitted to the ends of collectives: {} of the ends lie "
                             "within {}, and nothing is said of less.",
                             fitted, formatShare(kClockQuantile), formatDuration(fit.errorNs))}};
    Table table;
    table.title = "Clocks";
    table.columns = {{"clock", "clock", Column::Kind::Words},
                     {"ranks", "ranks"},
                     {"ahead_ns", "ahead"},
                     {"drift_ppm", "drift"},
                     {"error_ns", "within"},
                     {"collectives", "collectives"}};
    std::map<std::string, std::vector<std::uint32_t>> hosts;
    std::vector<std::string> order;
    for (std::uint32_t rank = 0; rank < digests.size(); ++rank) {
        const RankIdentity& identity = digests[rank].identity;
        const std::string name = identity.host.empty() ? rankLabel(identity) : identity.host;
        std::vector<std::uint32_t>& ranks = hosts[name];
        if (ranks.empty())
            order.push_back(name);
        ranks.push_back(rank);
    }
    for (const std::string& name : order)
        table.rows.push_back(hostRow(name, hosts[name], fit));
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace overlane
