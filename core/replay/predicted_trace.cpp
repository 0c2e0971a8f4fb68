#include "core/replay/predicted_trace.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/trace/trace_builder.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// An event that is made costs as much as so many that are looked at.
constexpr std::size_t kItemsOfAnEvent = 4;

// Measured times of one host thread -> predicted ones: straight lines between the ends of its calls.
class TimeMap
{
public:
    void add(std::int64_t measuredNs, std::int64_t predictedNs)
    {
        // A call that moved ahead of its neighbors ties no time of the thread.
        if (!m_points.empty() && (measuredNs <= m_points.back().first || predictedNs < m_points.back().second))
            return;
        m_points.emplace_back(measuredNs, predictedNs);
    }
    std::int64_t operator()(std::int64_t ns) const
    {
        if (m_points.empty())
            return ns;
        const auto after = std::upper_bound(m_points.begin(), m_points.end(), ns,
                                            [](std::int64_t time, const auto& point) { return time < point.first; });
        if (after == m_points.begin())
            return std::max<std::int64_t>(0, ns - m_points.front().first + m_points.front().second);
        const auto& before = *(after - 1);
        if (after == m_points.end())
            return ns - before.first + before.second;
        const double share = static_cast<double>(ns - before.first) / static_cast<double>(after->first - before.first);
        return before.second + static_cast<std::int64_t>(share * static_cast<double>(after->second - before.second));
    }

private:
    std::vector<std::pair<std::int64_t, std::int64_t>> m_points;
};

class TraceMaker
{
public:
    TraceMaker(const Trace& measured, const ReplayProgram& program, const Schedule& schedule, const WorkMeter& work)
        : m_measured(measured),
          m_program(program),
          m_schedule(schedule),
          m_work(work),
          m_names(measured.strings().size())
    {
    }

    Trace make(std::span<const Change> changes, const Progress* progress);

private:
    static bool isStepTrack(const Track& track)
    {
        return track.device < 0 && track.kind == TrackKind::Annotations && !track.events.empty();
    }
    StringId name(EventIndex event);
    void addTracks();
    void addWait(const HostCall& fetch, Interval now);
    void addHost();
    void addDevice();
    void addLoader(const LoaderProgram& loader, const std::vector<Schedule::Batch>& schedule);
    void addSteps();
    void add(TrackId track, EventIndex event, std::int64_t startNs, std::int64_t durationNs);
    TrackId sideTrack(const GpuTask& task);

    const Trace& m_measured;
    const ReplayProgram& m_program;
    const Schedule& m_schedule;
    const WorkMeter& m_work;
    TraceBuilder m_builder;
    std::vector<StringId> m_names;
    std::vector<TrackId> m_tracks;  // by the measured trace's
    std::vector<TrackId> m_sideTracks;
    std::vector<TimeMap> m_times;  // by thread
};

StringId TraceMaker::name(EventIndex event)
{
    const StringId old = m_measured.columns().name[event.index()];
    if (!old.valid())
        return old;
    StringId& known = m_names[old.index()];
    if (!known.valid())
        known = m_builder.intern(m_measured.strings().view(old));
    return known;
}

// Only what gets events: gauges are not predicted, other threads not replayed, and the profiler's own rows
// would repeat what the calls show.
void TraceMaker::addTracks()
{
    const std::span<const Track> tracks = m_measured.tracks();
    std::vector<bool> kept(tracks.size(), false);
    const auto keep = [&](TrackId id) {
        for (; id.valid() && !kept[id.index()]; id = tracks[id.index()].parent)
            kept[id.index()] = true;
    };
    for (const auto& ids : m_program.threadTracks)
        std::for_each(ids.begin(), ids.end(), keep);
    for (const GpuTask& task : m_program.tasks) {
        m_work.count();
        keep(m_measured.trackOf(task.event));
    }
    for (const LoaderProgram& loader : m_program.loaders) {
        if (loader.kind == LoaderKind::Lanes)
            std::for_each(loader.workerTracks.begin(), loader.workerTracks.end(), keep);
        keep(loader.pinTrack);
    }
    for (std::size_t at = 0; at < tracks.size(); ++at)
        if (isStepTrack(tracks[at]))
            keep(TrackId(at));
    m_tracks.assign(tracks.size(), {});
    for (std::size_t at = 0; at < tracks.size(); ++at) {
        const Track& track = tracks[at];
        m_work.count();
        if (!kept[at])
            continue;
        m_tracks[at] = m_builder.addTrack(track.parent.valid() ? m_tracks[track.parent.index()] : TrackId(), track.kind,
                                          track.name, track.device, track.nativeId, track.sortOrder);
        if (track.bookkeeping)
            m_builder.markBookkeeping(m_tracks[at]);
    }
    m_sideTracks.assign(m_program.streams.size(), {});
}

void TraceMaker::add(TrackId track, EventIndex event, std::int64_t startNs, std::int64_t durationNs)
{
    m_work.count(kItemsOfAnEvent);
    Event made;
    made.track = m_tracks[track.index()];
    made.startNs = startNs;
    made.durationNs = std::max<std::int64_t>(0, durationNs);
    made.name = name(event);
    made.kind = m_measured.kind(event);
    made.correlation = m_measured.columns().correlation[event.index()];
    if (const CopyInfo* info = m_measured.copy(event))
        made.copy = *info;
    m_builder.addEvent(made);
}

void TraceMaker::addWait(const HostCall& fetch, Interval now)
{
    m_work.count(kItemsOfAnEvent);
    Event wait;
    wait.track = m_tracks[m_measured.trackOf(fetch.event).index()];
    wait.startNs = now.startNs;
    wait.durationNs = now.lengthNs();
    wait.kind = EventKind::LoaderWait;
    wait.name = m_builder.intern(fmt::format(
        "wait for batch {}",
        m_program.loaders[m_program.loaderOf[fetch.thread]].batches[static_cast<std::size_t>(fetch.batch)].place));
    m_builder.addEvent(wait);
}

void TraceMaker::addHost()
{
    m_times.resize(m_program.threads);
    std::vector<bool> isCall(m_measured.eventCount(), false);
    for (std::size_t at = 0; at < m_program.calls.size(); ++at) {
        m_work.count();
        const HostCall& call = m_program.calls[at];
        const Interval now = m_schedule.calls[at];
        m_times[call.thread].add(call.startNs, now.startNs);
        m_times[call.thread].add(call.endNs, now.endNs);
        if (!call.event.valid())
            continue;
        isCall[call.event.index()] = true;
        const bool emptyFetch =
            call.kind == CallKind::Fetch && m_measured.kind(call.event) == EventKind::LoaderWait && now.empty();
        // What workers make now the thread only waits for.
        if (m_program.loader().workersAssumed && m_measured.kind(call.event) == EventKind::Loader) {
            if (call.kind == CallKind::Fetch)
                addWait(call, now);
            continue;
        }
        if (call.kind != CallKind::Merged && !emptyFetch)
            add(m_measured.trackOf(call.event), call.event, now.startNs, now.lengthNs());
    }
    for (std::size_t thread = 0; thread < m_program.threadTracks.size(); ++thread) {
        const TimeMap& times = m_times[thread];
        for (const TrackId id : m_program.threadTracks[thread]) {
            const EventRange events = m_measured.track(id).events;
            for (std::uint32_t at = events.first; at < events.last; ++at) {
                const EventIndex event(at);
                const EventKind kind = m_measured.kind(event);
                // Waits come and go with the schedule, they are no work to be moved.
                if (isCall[at] || kind == EventKind::HostBlocked || kind == EventKind::Sync ||
                    kind == EventKind::LoaderWait || kind == EventKind::RuntimeCall)
                    continue;
                const Interval was = m_measured.interval(event);
                const std::int64_t startNs = times(was.startNs);
                add(id, event, startNs, times(was.endNs) - startNs);
            }
        }
    }
}

TrackId TraceMaker::sideTrack(const GpuTask& task)
{
    TrackId& track = m_sideTracks[task.stream];
    if (!track.valid()) {
        const TrackId old = m_measured.trackOf(task.event);
        const TrackId parent = m_measured.track(old).parent;
        track = m_builder.addTrack(m_tracks[parent.index()], TrackKind::Stream, "copy stream (predicted)",
                                   m_measured.track(old).device, m_program.streams[task.stream].nativeId,
                                   m_measured.track(old).sortOrder + 1);
    }
    return track;
}

void TraceMaker::addDevice()
{
    for (std::size_t at = 0; at < m_program.tasks.size(); ++at) {
        m_work.count(kItemsOfAnEvent);
        const GpuTask& task = m_program.tasks[at];
        if (task.lengthNs == 0 && m_measured.interval(task.event).lengthNs() > 0)
            continue;  // merged into another
        const bool moved = !m_program.streams[task.stream].track.valid();
        Event made;
        made.track = moved ? sideTrack(task) : m_tracks[m_measured.trackOf(task.event).index()];
        made.startNs = m_schedule.taskStartNs[at];
        made.durationNs = task.lengthNs;
        made.kind = m_measured.kind(task.event);
        made.correlation = m_measured.columns().correlation[task.event.index()];
        made.graph = m_measured.graph(task.event);
        made.name = name(task.event);
        if (const CopyInfo* info = m_measured.copy(task.event)) {
            made.copy = *info;
            made.copy->bytes = task.bytes;
            MemoryKind& host = made.kind == EventKind::CopyD2H ? made.copy->destination : made.copy->source;
            if (host != task.hostMemory) {
                host = task.hostMemory;
                made.name = m_builder.intern("Memcpy HtoD (Pinned -> Device)");
            }
            if (task.call != kNoIndex && !m_program.calls[task.call].synchronous && made.copy->async == AsyncFlag::Sync)
                made.copy->async = AsyncFlag::Async;
        }
        m_builder.addEvent(made);
    }
}

void TraceMaker::addLoader(const LoaderProgram& loader, const std::vector<Schedule::Batch>& schedule)
{
    if (loader.batches.empty())
        return;
    const TrackId home = loader.process.valid() ? m_tracks[loader.process.index()] : TrackId();
    std::vector<TrackId> workers;
    for (const TrackId id : loader.workerTracks)
        workers.push_back(m_tracks[id.index()]);
    const std::int32_t order = loader.workerTracks.empty() ? 0 : m_measured.track(loader.workerTracks.back()).sortOrder;
    while (loader.kind == LoaderKind::Lanes && workers.size() < loader.workers)
        workers.push_back(m_builder.addTrack(home, TrackKind::LoaderActor,
                                             fmt::format("{}{}", kWorkerTrackName, workers.size()), -1,
                                             static_cast<std::int64_t>(workers.size()), order));
    TrackId pin = loader.pinTrack.valid() ? m_tracks[loader.pinTrack.index()] : TrackId();
    if (loader.pinThread && !pin.valid())
        pin = m_builder.addTrack(home, TrackKind::LoaderActor, kPinThreadTrackName, -1, -1, order);
    for (std::size_t at = 0; at < loader.batches.size(); ++at) {
        const LoaderBatch& batch = loader.batches[at];
        const Schedule::Batch& times = schedule[at];
        Event made;
        made.kind = EventKind::Loader;
        if (loader.kind == LoaderKind::Lanes) {
            made.track = workers[times.worker];
            made.name = m_builder.intern(fmt::format("batch {}", batch.place));
            made.startNs = times.workStartNs;
            made.durationNs = batch.workNs;
            m_builder.addEvent(made);
        }
        if (loader.pinThread && batch.pinNs > 0) {
            made.track = pin;
            made.name = m_builder.intern(fmt::format("pin_memory batch {}", batch.place));
            made.startNs = times.pinStartNs;
            made.durationNs = batch.pinNs;
            m_builder.addEvent(made);
        }
    }
}

void TraceMaker::addSteps()
{
    const TimeMap& times = m_times[m_program.mainThread];
    for (std::size_t number = 0; number < m_measured.tracks().size(); ++number) {
        const Track& track = m_measured.tracks()[number];
        if (!isStepTrack(track))
            continue;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            const EventIndex event(at);
            const Interval was = m_measured.interval(event);
            // Steps start where the schedule says, which knows of calls that moved to another step.
            const auto end = m_program.steps.end() - 1;  // the last mark is an end
            const auto step =
                std::lower_bound(m_program.steps.begin(), end, was.startNs,
                                 [](const ProgramStep& mark, std::int64_t timeNs) { return mark.startNs < timeNs; });
            const auto place = static_cast<std::size_t>(step - m_program.steps.begin());
            if (step != end && step->startNs == was.startNs && m_measured.kind(event) == EventKind::Step &&
                m_schedule.stepStartNs[place] != INT64_MIN) {
                const std::int64_t startNs = std::max<std::int64_t>(0, m_schedule.stepStartNs[place]);
                const std::int64_t lengthNs =
                    m_program.steps[place + 1].startNs == was.endNs && m_schedule.stepStartNs[place + 1] != INT64_MIN
                        ? m_schedule.stepStartNs[place + 1] - startNs
                        : times(was.endNs) - startNs;
                add(TrackId(number), event, startNs, lengthNs);
            } else {
                add(TrackId(number), event, times(was.startNs), times(was.endNs) - times(was.startNs));
            }
        }
    }
}

Trace TraceMaker::make(std::span<const Change> changes, const Progress* progress)
{
    m_builder.reserve(m_measured.eventCount());
    addTracks();
    addHost();
    addDevice();
    for (std::size_t place = 0; place < m_program.loaders.size(); ++place)
        addLoader(m_program.loaders[place], m_schedule.batches[place]);
    addSteps();
    for (const DeviceInfo& device : m_measured.devices())
        m_builder.addDevice(device);
    TraceMetadata& metadata = m_builder.metadata();
    metadata.format = rowOf(TraceOrigin::Predicted).id;
    metadata.title = fmt::format("{}, predicted with {}", m_measured.metadata().title, changeText(changes));
    metadata.startEpochNs = m_measured.metadata().startEpochNs;
    metadata.properties["predicted from"] = m_measured.metadata().title;
    metadata.properties["changes"] = changeText(changes);
    Trace made = m_builder.build(false, progress);
    m_work.look();  // a build that was cancelled ends early
    return made;
}

}  // namespace

Trace predictedTrace(const Trace& measured, const ReplayProgram& program, const Schedule& schedule,
                     std::span<const Change> changes, const Progress* progress, const WorkMeter& work)
{
    return TraceMaker(measured, program, schedule, work).make(changes, progress);
}

}  // namespace overlane
