#include "core/job/job_communication.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/base/parallel.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

[[gnu::always_inline]] inline DigestCollective digestOfMember(const RankDigests& digests, const MatchedMember& member)
{
    return digests[member.rank].collectives[member.collective];
}

// The step that asked for it, else the one that it began in.
std::int64_t stepOf(const RankDigests& digests, const MatchedMembers& members)
{
    for (const MatchedMember& member : members)
        if (const std::int64_t step = digestOfMember(digests, member).step; step >= 0)
            return step;
    const PackedList<DigestStep>& steps = digests[members.front().rank].steps;
    const std::int64_t startNs = digestOfMember(digests, members.front()).startNs;
    const auto after =
        std::upper_bound(steps.begin(), steps.end(), startNs,
                         [](std::int64_t time, const DigestStep& step) { return time < step.interval.startNs; });
    if (after == steps.begin())
        return -1;
    const DigestStep step = *(after - 1);
    return step.interval.contains(startNs) ? step.number : -1;
}

bool onOneHost(const RankDigests& digests, const MatchedMembers& members)
{
    const RankIdentity& first = digests[members.front().rank].identity;
    return std::all_of(members.begin(), members.end(),
                       [&](const MatchedMember& member) { return areOnOneHost(digests[member.rank].identity, first); });
}

struct Arrival {
    std::int64_t startNs = 0;
    std::uint32_t rank = 0;
};

CollectiveTiming timingOf(const RankDigests& digests, const CollectiveMatch& match, std::uint32_t collective,
                          const ClockFit& clocks)
{
    const MatchedCollective& one = match.collectives[collective];
    const MatchedMembers members = match.membersOf(one);
    CollectiveTiming timing;
    timing.collective = collective;
    timing.step = stepOf(digests, members);
    std::vector<Arrival> arrivals;
    std::vector<std::int64_t> ends;
    std::vector<std::int64_t> exposed;
    arrivals.reserve(members.size());
    ends.reserve(members.size());
    exposed.reserve(members.size());
    std::int64_t shortestNs = std::numeric_limits<std::int64_t>::max();
    for (const MatchedMember& member : members) {
        const DigestCollective of = digestOfMember(digests, member);
        arrivals.push_back({clocks.jobNs(member.rank, of.startNs), member.rank});
        ends.push_back(clocks.jobNs(member.rank, saturatedSum(of.startNs, of.durationNs)));
        shortestNs = std::min(shortestNs, of.durationNs);
    }
    // The last two.
    std::partial_sort(arrivals.begin(), arrivals.begin() + 2, arrivals.end(), [](const Arrival& a, const Arrival& b) {
        return std::tie(a.startNs, a.rank) > std::tie(b.startNs, b.rank);
    });
    const Arrival last = arrivals[0];
    const Arrival before = arrivals[1];
    timing.transferNs = shortestNs;
    if (one.endsTogether && onOneHost(digests, members))
        timing.transferNs = std::max<std::int64_t>(saturatedDifference(lowerMedian(ends), last.startNs), 0);
    timing.last = last.rank;
    timing.lastNs = last.startNs;
    timing.lateNs = saturatedDifference(last.startNs, before.startNs);
    // Sends of a tree may begin when they like: only where all wait for all does the last one hold up the others.
    timing.lastIsSure = one.endsTogether && clocks.tellsApart(last.rank, before.rank, timing.lateNs);
    for (const MatchedMember& member : members) {
        const DigestCollective of = digestOfMember(digests, member);
        timing.waitingNs = saturatedSum(timing.waitingNs, std::max<std::int64_t>(of.durationNs - timing.transferNs, 0));
        if (member.rank != last.rank)
            exposed.push_back(of.exposedNs);
    }
    timing.costNs = std::min(timing.lateNs, lowerMedian(std::move(exposed)));
    if (one.bytes > 0 && timing.transferNs > 0) {
        const int size = match.groups[one.group].size;
        const int ranks = size > 0 ? size : static_cast<int>(members.size());
        timing.algorithmBytesPerS = static_cast<double>(one.bytes) * 1e9 / static_cast<double>(timing.transferNs);
        timing.busBytesPerS = timing.algorithmBytesPerS * busFactor(one.kind, ranks);
    }
    return timing;
}

void addTiming(const CollectiveTiming& timing, const RankDigests& digests, const CollectiveMatch& match,
               std::vector<RankCommunication>& ranks)
{
    for (const MatchedMember& member : match.membersOf(match.collectives[timing.collective])) {
        RankCommunication& of = ranks[member.rank];
        const std::int64_t durationNs = digestOfMember(digests, member).durationNs;
        of.transferNs = saturatedSum(of.transferNs, std::min(durationNs, timing.transferNs));
        of.waitingNs = saturatedSum(of.waitingNs, std::max<std::int64_t>(durationNs - timing.transferNs, 0));
    }
    if (timing.lastIsSure) {
        ++ranks[timing.last].cameLast;
        ranks[timing.last].lateNs = saturatedSum(ranks[timing.last].lateNs, timing.lateNs);
    }
}

std::vector<CollectiveFamily> familiesOf(const std::vector<CollectiveTiming>& timings, const CollectiveMatch& match)
{
    struct Gathered {
        std::vector<std::int64_t> transfers;
        std::vector<double> bandwidths;
        std::int64_t waitingNs = 0;
        std::int64_t members = 0;
    };
    std::map<std::tuple<std::uint32_t, CollectiveKind, std::int64_t>, Gathered> gathered;
    for (const CollectiveTiming& timing : timings) {
        const MatchedCollective& one = match.collectives[timing.collective];
        Gathered& of = gathered[{one.group, one.kind, one.bytes}];
        of.transfers.push_back(timing.transferNs);
        if (timing.busBytesPerS > 0)
            of.bandwidths.push_back(timing.busBytesPerS);
        of.waitingNs = saturatedSum(of.waitingNs, timing.waitingNs);
        of.members += static_cast<std::int64_t>(one.memberCount);
    }
    std::vector<CollectiveFamily> families;
    for (auto& [key, of] : gathered) {
        CollectiveFamily family;
        std::tie(family.group, family.kind, family.bytes) = key;
        family.count = static_cast<std::int64_t>(of.transfers.size());
        family.transferNs = median(std::move(of.transfers));
        family.waitingNs = of.waitingNs / std::max<std::int64_t>(of.members, 1);
        family.busBytesPerS = median(std::move(of.bandwidths));
        families.push_back(family);
    }
    std::stable_sort(families.begin(), families.end(), [](const CollectiveFamily& a, const CollectiveFamily& b) {
        return static_cast<double>(a.count) * static_cast<double>(a.transferNs + a.waitingNs) >
               static_cast<double>(b.count) * static_cast<double>(b.transferNs + b.waitingNs);
    });
    return families;
}

// A link that is slower than those of other groups alike.
void markSlow(std::vector<CollectiveFamily>& families, const CollectiveMatch& match)
{
    std::map<std::tuple<CollectiveKind, std::int64_t, int>, std::vector<double>> alike;
    const auto keyOf = [&](const CollectiveFamily& family) {
        return std::tuple(family.kind, family.bytes, match.groups[family.group].size);
    };
    for (const CollectiveFamily& family : families)
        if (family.busBytesPerS > 0)
            alike[keyOf(family)].push_back(family.busBytesPerS);
    for (CollectiveFamily& family : families) {
        const std::vector<double>& all = alike[keyOf(family)];
        family.isSlow = family.busBytesPerS > 0 && all.size() >= 3 && family.busBytesPerS < kSlowShare * median(all);
    }
}

Cell rateCell(double bytesPerS)
{
    if (bytesPerS <= 0)
        return missingCell();
    return {formatRate(saturatedRound(bytesPerS), kNsPerS), bytesPerS};
}

Table familyTable(const JobCommunication& communication, const CollectiveMatch& match, const RankDigests& digests)
{
    Table table;
    table.title = "Collectives";
    table.columns = {{"group", "group", Column::Kind::Name},
                     {"kind", "kind", Column::Kind::Words},
                     {"bytes", "size"},
                     {"count", "count"},
                     {"transfer_ns", "transfer"},
                     {"waiting_ns", "waiting"},
                     {"bus_bytes_per_s", "bus bandwidth"}};
    for (const CollectiveFamily& family : communication.families) {
        Table::Row row;
        row.cells = {Cell{groupLabel(match, family.group, digests)},
                     Cell{std::string(collectiveKindName(family.kind))},
                     family.bytes > 0 ? bytesCell(family.bytes) : missingCell(),
                     countCell(family.count),
                     durationCell(family.transferNs),
                     durationCell(family.waitingNs),
                     rateCell(family.busBytesPerS)};
        if (family.isSlow)
            row.cells.back().tone = Tone::Worse;
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table rankTable(const JobCommunication& communication, const RankDigests& digests)
{
    Table table;
    table.title = "Communication of a rank, per step";
    table.columns = {{"rank", "rank", Column::Kind::Words},
                     {"step_ns", "step"},
                     {"exposed_ns", "exposed"},
                     {"transfer_ns", "transfer"},
                     {"waiting_ns", "waiting"},
                     {"overlap", "hidden"},
                     {"came_last", "came last"}};
    for (std::size_t rank = 0; rank < digests.size(); ++rank) {
        const RankCommunication& of = communication.ranks[rank];
        const auto steps = std::max<std::int64_t>(
            static_cast<std::int64_t>(digests[rank].steps.size()) + digests[rank].stepsLeftOut, 1);
        Table::Row row;
        row.cells = {Cell{rankLabel(digests[rank].identity)},
                     digests[rank].stepNs > 0 ? durationCell(digests[rank].stepNs) : missingCell(),
                     durationCell(of.exposedNs / steps),
                     durationCell(of.transferNs / steps),
                     durationCell(of.waitingNs / steps),
                     shareCell(1 - shareOf(of.exposedNs, of.durationNs)),
                     countCell(of.cameLast)};
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

double busFactor(CollectiveKind kind, int ranks)
{
    const double share = ranks > 1 ? static_cast<double>(ranks - 1) / ranks : 1;
    switch (kind) {
        case CollectiveKind::AllReduce:
            return 2 * share;
        case CollectiveKind::AllGather:
        case CollectiveKind::ReduceScatter:
        case CollectiveKind::AllToAll:
        case CollectiveKind::Gather:
        case CollectiveKind::Scatter:
            return share;
        default:
            return 1;
    }
}

JobCommunication jobCommunication(const RankDigests& digests, const CollectiveMatch& match, const ClockFit& clocks)
{
    JobCommunication made;
    made.ranks.resize(digests.size());
    runInParallel(digests.size(), 0, [&](std::size_t rank) {
        RankCommunication& of = made.ranks[rank];
        for (const DigestCollective& one : digests[rank].collectives) {
            ++of.collectives;
            of.durationNs = saturatedSum(of.durationNs, one.durationNs);
            of.exposedNs = saturatedSum(of.exposedNs, one.exposedNs);
        }
        return true;
    });
    // As many pieces on every machine: what they add up to is the same.
    constexpr std::size_t kPieces = 16;
    made.collectives.resize(match.collectives.size());
    std::vector<std::vector<RankCommunication>> pieces(kPieces);
    runInParallel(kPieces, 0, [&](std::size_t piece) {
        std::vector<RankCommunication>& ranks = pieces[piece];
        ranks.resize(digests.size());
        const std::size_t end = (piece + 1) * match.collectives.size() / kPieces;
        for (std::size_t at = piece * match.collectives.size() / kPieces; at < end; ++at) {
            made.collectives[at] = timingOf(digests, match, static_cast<std::uint32_t>(at), clocks);
            addTiming(made.collectives[at], digests, match, ranks);
        }
        return true;
    });
    for (const std::vector<RankCommunication>& piece : pieces)
        for (std::size_t rank = 0; rank < digests.size(); ++rank) {
            RankCommunication& of = made.ranks[rank];
            of.transferNs = saturatedSum(of.transferNs, piece[rank].transferNs);
            of.waitingNs = saturatedSum(of.waitingNs, piece[rank].waitingNs);
            of.cameLast += piece[rank].cameLast;
            of.lateNs = saturatedSum(of.lateNs, piece[rank].lateNs);
        }
    made.families = familiesOf(made.collectives, match);
    markSlow(made.families, match);
    return made;
}

Blocks communicationBlocks(const JobCommunication& communication, const CollectiveMatch& match,
                           const RankDigests& digests)
{
    Blocks blocks;
    std::int64_t durationNs = 0;
    std::int64_t exposedNs = 0;
    std::int64_t transferNs = 0;
    std::int64_t waitingNs = 0;
    for (const RankCommunication& rank : communication.ranks) {
        durationNs = saturatedSum(durationNs, rank.durationNs);
        exposedNs = saturatedSum(exposedNs, rank.exposedNs);
        transferNs = saturatedSum(transferNs, rank.transferNs);
        waitingNs = saturatedSum(waitingNs, rank.waitingNs);
    }
    if (durationNs == 0) {
        blocks.push_back(Sentence{"No rank has a collective."});
        return blocks;
    }
    blocks.push_back(
        Sentence{fmt::format("{} of the communication is exposed. {} of the matched collectives' time is "
                             "waiting for the last rank to come, the rest transfer.",
                             formatShare(shareOf(exposedNs, durationNs)),
                             formatShare(shareOf(waitingNs, saturatedSum(waitingNs, transferNs))))});
    std::set<std::uint32_t> slow;
    for (const CollectiveFamily& family : communication.families)
        if (family.isSlow && slow.insert(family.group).second)
            blocks.push_back(
                Sentence{fmt::format("Group {} moves the same bytes slower than the other groups of its size: "
                                     "look at the links of its ranks.",
                                     groupLabel(match, family.group, digests)),
                         Tone::Worse});
    if (!communication.families.empty())
        blocks.push_back(familyTable(communication, match, digests));
    blocks.push_back(rankTable(communication, digests));
    return blocks;
}

}  // namespace overlane
