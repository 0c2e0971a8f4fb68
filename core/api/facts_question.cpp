#include "core/api/question.h"
#include "core/cli/judge_file.h"

namespace overlane
{

OrderedJson factsOf(const OpenedTrace& opened)
{
    const Trace& trace = *opened.trace();
    const TraceMetadata& metadata = trace.metadata();
    const Interval span = trace.span();
    OrderedJson json{{"file", opened.place()},
                     {"format", metadata.format},
                     {"title", metadata.title},
                     {"events", trace.eventCount()},
                     {"source_events", metadata.sourceEvents},
                     {"span_ns", {span.startNs, span.endNs}},
                     {"start_epoch_ns", metadata.startEpochNs},
                     {"damage", damageOf(trace)},
                     {"notes", metadata.notes}};
    json["devices"] = OrderedJson::array();
    for (const DeviceInfo& device : trace.devices())
        json["devices"].push_back({{"id", device.id}, {"name", device.name}, {"memory_bytes", device.memoryBytes}});
    json["properties"] = OrderedJson::object();
    for (const auto& [name, value] : metadata.properties)
        json["properties"][name] = value;
    return json;
}

Result<OrderedJson> answerFacts(Asked& asked)
{
    RETURN_IF_ERROR(asked.understood());
    return factsOf(*asked.trace);
}

}  // namespace overlane
