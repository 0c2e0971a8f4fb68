#include "core/cli/job_answer.h"

#include <optional>

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
    json["rank_from"] = textOrNull(rank.identity.source);
    json["world_size"] = orNull(rank.identity.worldSize);
    json["local_rank"] = orNull(rank.identity.localRank);
    json["host"] = textOrNull(rank.identity.host);
    json["file"] = rank.file.path();
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
                           {"file", slowest.file.path()},
                           {"more_ns", figures.slowestMoreNs},
                           {"part", figures.slowestPart ? OrderedJson(rowOf(*figures.slowestPart).key) : nullptr},
                           {"part_more_ns", figures.slowestPartMoreNs}};
    }
    json["sentence"] = slowestSentence(job, figures);
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
