#include "core/cli/job_answer.h"

#include <optional>

#include "core/job/held_back.h"
#include "core/job/job_notes.h"

namespace overlane
{
namespace
{

template <typename Value>
OrderedJson orNull(const std::optional<Value>& value)
{
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson textOrNull(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

void addTimes(OrderedJson& json, const RankFigures& figures)
{
    json["step_ns"] = figures.stepNs;
    for (const RankPartRow& row : rankParts())
        json[row.key] = figures.partNs[static_cast<std::size_t>(row.part)];
}

OrderedJson differenceJson(const RankFigures& rank, const RankFigures& median)
{
    OrderedJson json{{"step_ns", rank.stepNs - median.stepNs}};
    for (const RankPartRow& row : rankParts()) {
        const auto part = static_cast<std::size_t>(row.part);
        json[row.key] = rank.partNs[part] - median.partNs[part];
    }
    return json;
}

OrderedJson rankJson(const JobRank& rank)
{
    OrderedJson json;
    json["rank"] = orNull(rank.identity.rank);
    if (rank.identity.gpu)
        json["gpu"] = *rank.identity.gpu;
    json["rank_from"] = textOrNull(rank.identity.source);
    json["world_size"] = orNull(rank.identity.worldSize);
    json["local_rank"] = orNull(rank.identity.localRank);
    json["host"] = textOrNull(rank.identity.host);
    json["file"] = rank.file.shownPath();
    json["from_digest"] = rank.fromDigest;
    json["problem"] = textOrNull(rank.problem);
    if (!rank.isRead())
        return json;
    const RankDigest& digest = rank.digest;
    json["damage"] = textOrNull(digest.damage);
    json["format"] = digest.format;
    json["program"] = textOrNull(digest.program);
    json["device"] = digest.deviceId;
    json["device_name"] = digest.device;
    json["events"] = digest.events;
    json["start_epoch_ns"] = digest.startEpochNs;
    json["span_ns"] = digest.span.lengthNs();
    json["active_ns"] = digest.active.lengthNs();
    json["steps"] = static_cast<std::int64_t>(digest.steps.size()) + digest.stepsLeftOut;
    json["headline"] = digest.headline;
    json["bound"] = textOrNull(digest.bound);
    json["findings"] = digest.findings;
    return json;
}

OrderedJson placeJson(const Job& job, const JobAnalysis& analysis, std::uint32_t rank)
{
    const JobRank& of = job.ranks[analysis.places[rank]];
    return {{"rank", orNull(of.identity.rank)}, {"file", of.file.path()}};
}

OrderedJson stragglersJson(const Job& job, const JobAnalysis& analysis)
{
    const StragglerAnswer& answer = analysis.stragglers;
    OrderedJson json;
    json["compared"] = analysis.comparesRanks();
    json["why_not"] = textOrNull(answer.whyNot);
    json["steps"] = answer.steps;
    json["step_ns"] = answer.stepNs;
    json["chance"] = answer.chance;
    json["without_ns"] = answer.stragglers.empty() ? OrderedJson(nullptr) : OrderedJson(answer.withoutNs);
    json["own"] = OrderedJson::array();
    for (std::uint32_t rank = 0; rank < answer.ownNs.size(); ++rank) {
        json["own"].push_back(placeJson(job, analysis, rank));
        json["own"].back()["own_ns"] = answer.ownNs[rank];
    }
    json["ranks"] = OrderedJson::array();
    for (const Straggler& straggler : answer.stragglers) {
        OrderedJson row = placeJson(job, analysis, straggler.rank);
        row["own_ns"] = straggler.ownNs;
        row["steps_last"] = straggler.steps;
        row["waited_ns"] = straggler.waitedNs;
        row["reason"] = stragglerReasonId(straggler.reason);
        row["part_ns"] = straggler.partNs;
        row["more_ns"] = straggler.moreNs;
        row["pageable"] = straggler.pageable;
        json["ranks"].push_back(std::move(row));
    }
    json["last"] = nullptr;
    if (answer.last) {
        json["last"] = placeJson(job, analysis, answer.last->rank);
        json["last"]["steps_last"] = answer.last->steps;
        json["last"]["collectives_last"] = answer.last->collectives;
        json["last"]["waited_ns"] = answer.last->waitedNs;
        json["last"]["more_ns"] = answer.last->moreNs;
        json["last"]["why_not_named"] = notNamedId(answer.last->why);
    }
    return json;
}

OrderedJson communicationJson(const Job& job, const JobAnalysis& analysis)
{
    OrderedJson json;
    json["families"] = OrderedJson::array();
    for (const CollectiveFamily& family : analysis.communication.families)
        json["families"].push_back({{"group", analysis.match.groups[family.group].name},
                                    {"kind", collectiveKindName(family.kind)},
                                    {"bytes", family.bytes},
                                    {"count", family.count},
                                    {"transfer_ns", family.transferNs},
                                    {"waiting_ns", family.waitingNs},
                                    {"bus_bytes_per_s", family.busBytesPerS},
                                    {"slow", family.isSlow}});
    json["ranks"] = OrderedJson::array();
    for (std::uint32_t rank = 0; rank < analysis.communication.ranks.size(); ++rank) {
        const RankCommunication& of = analysis.communication.ranks[rank];
        OrderedJson row = placeJson(job, analysis, rank);
        row["collectives"] = of.collectives;
        row["duration_ns"] = of.durationNs;
        row["exposed_ns"] = of.exposedNs;
        row["transfer_ns"] = of.transferNs;
        row["waiting_ns"] = of.waitingNs;
        row["came_last"] = of.cameLast;
        row["late_ns"] = of.lateNs;
        json["ranks"].push_back(std::move(row));
    }
    return json;
}

OrderedJson clocksJson(const JobAnalysis& analysis)
{
    return {{"ends", analysis.clocks.ends}, {"error_ns", analysis.clocks.errorNs}};
}

}  // namespace

OrderedJson jobJson(const Job& job)
{
    const JobFigures figures = jobFigures(job);
    OrderedJson json;
    json["world_size"] = job.worldSize() > 0 ? OrderedJson(job.worldSize()) : OrderedJson(nullptr);
    json["files"] = job.ranks.size();
    json["read"] = job.readRanks();
    json["missing"] = job.missing();
    json["doubled"] = job.doubled();
    json["per_step"] = figures.perStep;
    json["keeps_pace"] = figures.keepsPace;
    json["notable_ns"] = figures.notableNs;
    json["median"] = nullptr;
    if (!figures.ranks.empty()) {
        json["median"] = OrderedJson::object();
        addTimes(json["median"], figures.median);
    }
    json["slowest"] = nullptr;
    if (figures.slowest) {
        const JobRank& slowest = job.ranks[figures.ranks[*figures.slowest].rank];
        json["slowest"] = {{"rank", orNull(slowest.identity.rank)},
                           {"file", slowest.file.shownPath()},
                           {"more_ns", figures.slowestMoreNs},
                           {"part", figures.slowestPart ? OrderedJson(rowOf(*figures.slowestPart).key) : nullptr},
                           {"part_more_ns", figures.slowestPartMoreNs}};
    }
    const JobAnalysis analysis = analyzeJob(job);
    json["sentence"] = slowestSentence(job, figures);
    json["held_back"] = nullptr;
    if (const auto held = heldBack(job, figures))
        json["held_back"] = {{"part", rowOf(held->part).key}, {"part_ns", held->partNs}, {"of_ns", held->stepNs}};
    json["stragglers"] = stragglersJson(job, analysis);
    json["communication"] = communicationJson(job, analysis);
    json["clocks"] = clocksJson(analysis);
    json["notes"] = jobNotes(job);
    json["ranks"] = OrderedJson::array();
    for (const JobRank& rank : job.ranks)
        json["ranks"].push_back(rankJson(rank));
    for (const RankFigures& rank : figures.ranks) {
        addTimes(json["ranks"][rank.rank], rank);
        json["ranks"][rank.rank]["off_median"] = differenceJson(rank, figures.median);
    }
    return json;
}

}  // namespace overlane
