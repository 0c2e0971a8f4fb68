#include "core/cli/findings_json.h"

#include <string>
#include <string_view>

namespace overlane
{

OrderedJson placesJson(const std::vector<CodeShare>& places)
{
    constexpr double kLeastShare = 0.01;
    OrderedJson json = OrderedJson::array();
    const auto placeOf = [](std::string_view text) {
        const CodePlace place = codePlace(text);
        return OrderedJson{{"file", place.file}, {"line", place.line}, {"function", place.function}};
    };
    for (const CodeShare& share : places) {
        if (share.share < kLeastShare)
            break;
        OrderedJson one = placeOf(share.place);
        one["share"] = share.share;
        one["line_share"] = share.lineShare;
        one["ns"] = share.ns;
        if (!share.innermost.empty()) {
            OrderedJson& callee = one["callee"] = placeOf(share.innermost);
            callee["share"] = share.innermostShare;
        }
        json.push_back(std::move(one));
    }
    return json;
}

OrderedJson findingsJson(const FindingList& list)
{
    OrderedJson json{{"range_ns", {list.range.startNs, list.range.endNs}},
                     {"steps", list.steps},
                     {"idle_ns", list.idleNs},
                     {"explained_ns", list.explainedNs}};
    OrderedJson& all = json["list"] = OrderedJson::array();
    for (const Finding& finding : list.findings) {
        OrderedJson one{{"rule", finding.id},
                        {"severity", severityName(finding.severity)},
                        {"title", finding.title},
                        {"sentence", finding.sentence},
                        {"device", finding.device},
                        {"gpu_idle_ns", finding.cost.gpuIdleNs},
                        {"gpu_idle_per_step_ns", finding.cost.gpuIdlePerStepNs},
                        {"host_blocked_ns", finding.cost.hostBlockedNs},
                        {"host_blocked_per_step_ns", finding.cost.hostBlockedPerStepNs},
                        {"share_of_wall", finding.cost.shareOfWall},
                        {"carries", copyRoleName(finding.carries)},
                        {"carries_id", copyRoleId(finding.carries)},
                        {"change", finding.change},
                        {"change_pytorch", finding.changePyTorch},
                        {"change_cuda", finding.changeCuda},
                        {"evidence_count", finding.evidenceCount}};
        if (!finding.places.empty())
            one["places"] = placesJson(finding.places);
        OrderedJson& evidence = one["evidence"] = OrderedJson::array();
        for (const EventIndex event : finding.evidence)
            evidence.push_back(event.value());
        all.push_back(std::move(one));
    }
    OrderedJson& notChecked = json["not_checked"] = OrderedJson::array();
    for (const NotChecked& each : list.notChecked)
        notChecked.push_back({{"rule", each.id}, {"reason", each.reason}});
    return json;
}

}  // namespace overlane
