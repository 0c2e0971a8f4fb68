#include "core/cli/run_answer.h"

#include "core/analysis/timed_steps.h"
#include "core/cli/info_text.h"
#include "core/loader/settings.h"

namespace overlane
{

RunReport reportOf(const ChosenScenario& plan, const RunResult& result, const MeasuredRunResult* measured)
{
    const Trace& trace = result.trace;
    const Analysis analysis(trace);
    JudgeRequest request;
    request.depth = Depth::Verdict;
    return {plan, result, measured, analysis.summarize(Interval{0, result.wallNs}),
            judge({trace, analysis, timedSteps(trace, analysis).steps}, request)};
}

DeviceSummary RunReport::device() const
{
    const DeviceSummary* worst = whole.worst();
    return worst ? *worst : DeviceSummary{};
}

DeviceSummary RunReport::judged() const
{
    const DeviceSummary* worst = judgement.summary.worst();
    return worst ? *worst : DeviceSummary{};
}

OrderedJson runJson(const RunReport& report)
{
    OrderedJson json{{"device", report.plan.device->key},
                     {"simulated", report.measured == nullptr},
                     {"wall_ns", report.result.wallNs},
                     {"batches", report.plan.scenario.batches}};
    addDeviceFigures(json, report.device());
    json["host_blocked_ns"] = report.whole.hostBlockedNs;
    json["host_critical_ns"] = report.whole.hostCriticalNs;
    json["pinned_peak_bytes"] = report.result.pinnedPeakBytes;
    json["swap_peak_bytes"] = report.result.swapPeakBytes;
    if (report.measured) {
        json["device"] = report.measured->device;
        json["batches_checked"] = report.measured->report.batchesChecked;
        json["wrong_batches"] = report.measured->report.wrongBatches;
        json["results_checked"] = report.measured->report.resultsChecked;
        json["wrong_results"] = report.measured->report.wrongResults;
        json["numa"] = {{"nodes", report.measured->report.placement.nodes},
                        {"gpu_node", report.measured->report.placement.gpuNode},
                        {"copy_bytes_per_second", report.measured->report.placement.copyBytesPerSecond}};
        json["warnings"] = report.measured->warnings;
    }
    json["verdict"] = verdictJson(report.judgement.verdict);
    json["settings"] = OrderedJson::parse(scenarioToJson(report.plan.scenario));
    return json;
}

}  // namespace overlane
