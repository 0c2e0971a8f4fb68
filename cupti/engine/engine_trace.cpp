#include "cupti/engine/engine_trace.h"

#include <algorithm>
#include <unistd.h>

namespace overlane
{
namespace
{

constexpr int kQueuesBelowActors = 1000;  // sort order

// Entries of preparation, before t = 0, are not part of the run.
void addEntries(TraceBuilder& builder, const EngineTrace& run, TrackId track,
                const std::vector<ActorLog::Entry>& entries)
{
    for (const ActorLog::Entry& entry : entries) {
        if (entry.endNs <= run.originNs)
            continue;
        Event event;
        event.track = track;
        event.startNs = std::max(entry.startNs, run.originNs) - run.originNs;
        event.durationNs = entry.endNs - run.originNs - event.startNs;
        event.name = builder.intern(run.strings->view(entry.name));
        event.kind = entry.kind;
        event.process = static_cast<std::uint32_t>(getpid());
        builder.addEvent(event);
    }
}

}  // namespace

Trace buildEngineTrace(EngineTrace run)
{
    TraceBuilder builder;
    builder.metadata() = run.metadata;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "Training process", -1, getpid());
    addEntries(builder, run, builder.addTrack(process, TrackKind::Annotations, "Steps", -1, 0, -1), run.steps);
    // The training thread last, directly above the device.
    for (std::size_t at = 0; at < run.actors.size(); ++at) {
        const ActorLog& actor = run.actors[at];
        const int order = at == 0 ? static_cast<int>(run.actors.size()) : static_cast<int>(at);
        addEntries(builder, run, builder.addTrack(process, TrackKind::LoaderActor, actor.name, -1, actor.thread, order),
                   actor.entries);
    }
    for (std::size_t at = 0; at < run.gauges.size(); ++at) {
        const TrackId parent = at == 0 ? builder.addTrack({}, TrackKind::Group, "Memory", -1, 0, 2) : process;
        const TrackId counter =
            builder.addCounter(parent, run.gauges[at].name, at == 0 ? CounterUnit::Bytes : CounterUnit::Count,
                               kQueuesBelowActors + static_cast<int>(at));
        for (const auto& [timeNs, value] : run.gauges[at].samples)
            builder.addSample(counter, timeNs - run.originNs, value);
    }
    return builder.build(false);
}

}  // namespace overlane
