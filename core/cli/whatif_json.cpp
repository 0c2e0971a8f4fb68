#include "core/cli/whatif_json.h"

namespace overlane
{

OrderedJson replayJson(const ReplayReport& report)
{
    return {{"steps", report.steps},
            {"first_step", report.firstStep},
            {"last_step", report.lastStep},
            {"first_step_number", report.firstNumber},
            {"last_step_number", report.lastNumber},
            {"step_ns_average", report.stepNsAverage},
            {"step_ns_measured", report.stepNsMeasured},
            {"step_ns_replayed", report.stepNsReplayed},
            {"replay_error", report.error()},
            {"trusted", report.trusted()},
            {"host_threads", report.hostThreads},
            {"host_calls", report.hostCalls},
            {"gpu_work", report.gpuWork},
            {"recorded_waits", report.recordedWaits},
            {"inferred_waits", report.inferredWaits},
            {"unknown_waits", report.unknownWaits},
            {"unexplained_ns", report.unexplainedNs},
            {"left_out", report.leftOut},
            {"limits", report.limits},
            {"missing", report.missing},
            {"whole_range", report.wholeRange},
            {"device_profile", report.device}};
}

OrderedJson predictionJson(const Prediction& prediction)
{
    OrderedJson json;
    json["changes"] = OrderedJson::array();
    for (const Change& change : prediction.changes)
        json["changes"].push_back(changeText(change));
    json["step_ns_measured"] = prediction.stepNsMeasured;
    json["step_ns_replayed"] = prediction.stepNsReplayed;
    json["step_ns_predicted"] = prediction.stepNsPredicted;
    json["range"] = {prediction.lowNs, prediction.highNs};
    json["range_ns"] = json["range"];  // its name before
    json["range_origins"] = prediction.rangeOrigins;
    json["direction"] = directionName(prediction.direction());
    json["noise"] = prediction.stepNsReplayed > 0
                        ? static_cast<double>(prediction.noise.ns) / static_cast<double>(prediction.stepNsReplayed)
                        : 0;
    json["noise_ns"] = prediction.noise.ns;
    json["bottleneck"] = bottleneckName(prediction.bottleneck);
    OrderedJson& busy = json["busy_ns"] = OrderedJson::object();
    for (int what = 0; what < kBottleneckCount; ++what)
        if (const std::int64_t ns = prediction.busyNs[static_cast<std::size_t>(what)]; ns > 0)
            busy[std::string(bottleneckName(static_cast<Bottleneck>(what)))] = ns;
    json["pinned_bytes"] = prediction.pinnedBytes;
    json["ram_bytes"] = prediction.ramBytes;
    json["ram_origin"] = prediction.ramOrigin;
    json["notes"] = prediction.notes;
    return json;
}

}  // namespace overlane
