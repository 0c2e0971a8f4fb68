#include "core/cli/fleet_answer.h"

#include "core/base/saturated.h"
#include "core/fleet/fleet_figures.h"
#include "core/fleet/fleet_versions.h"

namespace overlane
{
namespace
{

template <typename Value>
OrderedJson numberOrNull(const std::optional<Value>& value)
{
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson placeName(const std::vector<std::string>& names, FleetPlace place)
{
    return place == kNoPlace ? OrderedJson(nullptr) : OrderedJson(names[place]);
}

OrderedJson runJson(const Fleet& fleet, const FleetRun& run)
{
    OrderedJson json{{"url", run.url}, {"name", run.name}};
    json["group"] = placeName(fleet.groups, run.group);
    json["version"] = placeName(fleet.versions, run.version);
    json["recorded_s"] = numberOrNull(run.recordedS);
    json["error"] = run.isRead() ? OrderedJson(nullptr) : OrderedJson(run.error);
    if (!run.isRead())
        return json;
    json["gpus"] = run.gpus;
    json["steps"] = run.steps;
    json["step_ns"] = run.stepNs;
    json["span_ns"] = run.spanNs;
    json["overlap"] = numberOrNull(run.overlap);
    json["exposed_ns"] = run.exposedNs;
    json["exposed_communication_ns"] = run.exposedCommunicationNs;
    json["lost_gpu_ns"] = saturatedRound(run.lostNs());
    json["causes"] = OrderedJson::object();
    for (const FleetLoss& loss : run.losses)
        json["causes"][fleet.causes[loss.cause].id] = loss.ns;
    json["verdict"] = run.verdict;
    json["easiest"] = run.easiest;
    return json;
}

}  // namespace

OrderedJson fleetJson(const Fleet& fleet, const FleetQuery& query)
{
    const FleetFigures figures = fleetFigures(fleet);
    OrderedJson json{{"read", figures.read}, {"broken", figures.broken}};
    json["gpu_ns"] = saturatedRound(figures.gpuNs);
    json["lost_gpu_ns"] = saturatedRound(figures.lostGpuNs);
    json["median_overlap"] = numberOrNull(figures.medianOverlap);
    json["without_copies"] = figures.withoutCopies;
    json["overlap_bins"] = figures.overlap;
    json["causes"] = OrderedJson::array();
    for (const FleetCauseFigures& cause : figures.causes)
        json["causes"].push_back({{"cause", fleet.causes[cause.cause].id},
                                  {"lost_gpu_ns", saturatedRound(cause.lostGpuNs)},
                                  {"runs", cause.runs}});
    json["versions"] = OrderedJson::array();
    for (const FleetVersion& version : fleetVersions(fleet))
        json["versions"].push_back({{"group", placeName(fleet.groups, version.group)},
                                    {"version", placeName(fleet.versions, version.version)},
                                    {"runs", version.runs},
                                    {"step_ns", numberOrNull(version.stepNs)},
                                    {"overlap", numberOrNull(version.overlap)},
                                    {"lost_gpu_ns", saturatedRound(version.lostGpuNs)}});
    json["changes"] = OrderedJson::array();
    for (const FleetChange& change : fleetChanges(fleet))
        json["changes"].push_back({{"group", placeName(fleet.groups, change.group)},
                                   {"before", placeName(fleet.versions, change.before)},
                                   {"after", placeName(fleet.versions, change.after)},
                                   {"step_before_ns", change.stepBeforeNs},
                                   {"step_after_ns", change.stepAfterNs},
                                   {"runs_before", change.runsBefore},
                                   {"runs_after", change.runsAfter},
                                   {"p", change.p},
                                   {"claim", claimName(change.claim)}});
    json["runs"] = OrderedJson::array();
    const FleetRows rows = fleetRows(fleet, query);
    for (const std::size_t at : rows.runs)
        json["runs"].push_back(runJson(fleet, fleet.runs[at]));
    json["runs_matching"] = rows.matching;
    FleetQuery broken = query;
    broken.onlyBroken = true;
    json["not_read"] = OrderedJson::array();
    for (const std::size_t at : fleetRows(fleet, broken).runs)
        json["not_read"].push_back(runJson(fleet, fleet.runs[at]));
    return json;
}

}  // namespace overlane
