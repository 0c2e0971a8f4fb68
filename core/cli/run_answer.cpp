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
    request.range = Interval{0, result.wallNs};
    request.depth = Depth::Verdict;
    RunReport report{plan, result, measured, {}, judge({trace, analysis, timedSteps(trace, analysis).steps}, request)};
    if (const DeviceSummary* device = report.judgement.summary.worst())
        report.device = *device;
    return report;
}

OrderedJson runJson(const RunReport& report)
{
    OrderedJson json{{"device", report.plan.device->key},
                     {"simulated", report.measured == nullptr},
                     {"wall_ns", report.result.wallNs},
                     {"batches", report.plan.scenario.batches}};
    addDeviceFigures(json, report.device);
    json["host_blocked_ns"] = report.judgement.summary.hostBlockedNs;
    json["host_critical_ns"] = report.judgement.summary.hostCriticalNs;
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
