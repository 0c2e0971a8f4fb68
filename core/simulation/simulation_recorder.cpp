#include "core/simulation/simulation_recorder.h"

#include <algorithm>

#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

constexpr std::uint32_t kProcess = 1;
// Orders within the process: what feeds another stands above it.
constexpr int kQueuesOrder = 1000;
constexpr int kConsumerOrder = 2000;

std::size_t engineIndex(EventKind kind)
{
    return kind == EventKind::CopyH2D ? 0 : kind == EventKind::CopyD2H ? 1 : 2;
}

}  // namespace

SimulationRecorder::SimulationRecorder(const DeviceProfile& profile) : m_swapBytesPerSecond(profile.swapBytesPerSecond)
{
    m_process = m_builder.addTrack({}, TrackKind::Process, "Training process", -1, kProcess);
    m_steps = m_builder.addTrack(m_process, TrackKind::Annotations, "Steps", -1, 0, -1);
    const TrackId device = m_builder.addTrack({}, TrackKind::Device, deviceTrackName(0, profile.name), 0, 0, 1);
    constexpr EngineLane kLanes[] = {EngineLane::H2D, EngineLane::D2H, EngineLane::Compute};
    for (std::size_t at = 0; at < m_engines.size(); ++at)
        m_engines[at] = m_builder.addTrack(device, engineTrackKind(kLanes[at]), engineTrackName(kLanes[at]), 0, 0,
                                           static_cast<int>(kLanes[at]));
    m_memoryGroup = m_builder.addTrack({}, TrackKind::Group, "Memory", -1, 0, 2);
    const std::pair<std::string_view, CounterUnit> gauges[kGaugeCount] = {
        {kPinnedMemoryCounter, CounterUnit::Bytes},    {"Swap used", CounterUnit::Bytes},
        {"Available RAM", CounterUnit::Bytes},         {"Process memory", CounterUnit::Bytes},
        {"Swap traffic", CounterUnit::BytesPerSecond}, {"Page cache", CounterUnit::Bytes},
        {"Other programs", CounterUnit::Bytes},
    };
    for (int at = 0; at < kGaugeCount; ++at)
        m_gauges[at].track = m_builder.addCounter(m_memoryGroup, gauges[at].first, gauges[at].second, at);
    m_copyNames[0][0] = intern("Memcpy HtoD (Pageable -> Device)");
    m_copyNames[0][1] = intern("Memcpy HtoD (Pinned -> Device)");
    m_copyNames[1][0] = intern("Memcpy DtoH (Device -> Pageable)");
    m_copyNames[1][1] = intern("Memcpy DtoH (Device -> Pinned)");

    DeviceInfo info;
    info.name = profile.name;
    info.memoryBytes = profile.deviceMemoryBytes;
    info.linkBytesPerSecond = profile.h2dBytesPerSecond;
    m_builder.addDevice(info);
    m_builder.metadata().format = rowOf(TraceOrigin::Simulated).id;
}

void SimulationRecorder::addActor(std::string_view name)
{
    const auto number = static_cast<int>(m_actors.size());
    m_actors.push_back(m_builder.addTrack(m_process, TrackKind::LoaderActor, name, -1, number, number));
}

void SimulationRecorder::addQueue(std::string_view name)
{
    auto shared = std::find_if(m_queueGauges.begin(), m_queueGauges.end(),
                               [name](const QueueGauge& other) { return other.name == name; });
    if (shared == m_queueGauges.end()) {
        QueueGauge added;
        added.name = name;
        if (!name.empty())
            added.gauge.track = m_builder.addCounter(m_process, name, CounterUnit::Count,
                                                     kQueuesOrder + static_cast<int>(m_queueGauges.size()));
        shared = m_queueGauges.insert(shared, std::move(added));
    }
    m_queues.push_back({static_cast<std::size_t>(shared - m_queueGauges.begin()), 0});
}

void SimulationRecorder::enable()
{
    m_enabled = true;
    for (QueueGauge& queue : m_queueGauges)
        queue.gauge.sample(0, static_cast<double>(queue.values));
}

TrackId SimulationRecorder::streamTrack(EventKind kind, StreamId stream)
{
    const std::size_t engine = engineIndex(kind);
    std::vector<TrackId>& tracks = m_streamTracks[engine];
    if (tracks.size() <= stream.index())
        tracks.resize(m_streamNames.size());
    TrackId& track = tracks[stream.index()];
    if (!track.valid()) {
        const auto number = static_cast<int>(stream.index());
        track =
            m_builder.addTrack(m_engines[engine], TrackKind::Stream, m_streamNames[stream.index()], 0, number, number);
    }
    return track;
}

void SimulationRecorder::hostEvent(ActorId actor, EventKind kind, StringId name, std::int64_t startNs,
                                   std::int64_t endNs, std::uint32_t correlation)
{
    if (!m_enabled)
        return;
    Event event;
    event.track = m_actors[actor.index()];
    event.startNs = startNs;
    event.durationNs = endNs - startNs;
    event.name = name;
    event.kind = kind;
    event.correlation = correlation;
    event.process = kProcess;
    m_builder.addEvent(event);
}

void SimulationRecorder::step(StringId name, std::int64_t startNs, std::int64_t endNs)
{
    Event event;
    event.track = m_steps;
    event.startNs = startNs;
    event.durationNs = endNs - startNs;
    event.name = name;
    event.kind = EventKind::Step;
    m_builder.addEvent(event);
}

void SimulationRecorder::gpuWork(const GpuWork& work, std::int64_t endNs)
{
    if (!m_enabled || (work.kind != GpuWork::Kind::Copy && work.kind != GpuWork::Kind::Kernel))
        return;
    Event event;
    event.kind = work.kind == GpuWork::Kind::Copy ? work.direction : EventKind::Kernel;
    event.track = streamTrack(event.kind, work.stream);
    event.startNs = work.startNs;
    event.durationNs = endNs - work.startNs;
    event.name = work.label;
    event.correlation = work.correlation;
    event.process = kProcess;
    if (work.kind == GpuWork::Kind::Copy) {
        const bool toHost = work.direction == EventKind::CopyD2H;
        event.name = m_copyNames[toHost][work.hostMemory == MemoryKind::Pinned];
        CopyInfo info;
        info.bytes = work.bytes;
        info.source = toHost ? MemoryKind::Device : work.hostMemory;
        info.destination = toHost ? work.hostMemory : MemoryKind::Device;
        info.async = work.async ? AsyncFlag::Async : AsyncFlag::Sync;
        event.copy = info;
    }
    m_builder.addEvent(event);
}

void SimulationRecorder::queueFill(QueueId id, std::int64_t timeNs, std::size_t values)
{
    QueueFill& queue = m_queues[id.index()];
    QueueGauge& shared = m_queueGauges[queue.gauge];
    shared.values += values - queue.values;
    queue.values = values;
    if (m_enabled)
        shared.gauge.sample(timeNs, static_cast<double>(shared.values));
}

void SimulationRecorder::memory(std::int64_t timeNs, const MemoryModel& model)
{
    const auto moved = std::exchange(m_swapMoved, model.swapMovedBytes());
    if (!m_enabled)
        return;
    m_gauges[Pinned].sample(timeNs, static_cast<double>(model.lockedBytes()));
    m_gauges[Process].sample(timeNs, static_cast<double>(model.processBytes()));
    m_gauges[Available].sample(timeNs, static_cast<double>(model.availableBytes()));
    m_gauges[PageCache].sample(timeNs, static_cast<double>(model.pageCacheBytes()));
    m_gauges[Others].sample(timeNs, static_cast<double>(model.otherBytes()));
    m_gauges[SwapUsed].sample(timeNs, static_cast<double>(model.swapUsedBytes()));
    Gauge& traffic = m_gauges[SwapTraffic];
    if (traffic.samples.empty())
        traffic.sample(timeNs, 0);
    if (model.swapMovedBytes() == moved)
        return;
    // The drive is busy from here, or from the end of what it was busy with, until it is free.
    if (m_swapUntilNs > 0 && timeNs > m_swapUntilNs)
        traffic.sample(m_swapUntilNs, 0);
    traffic.sample(timeNs, m_swapBytesPerSecond);
    m_swapUntilNs = model.driveBusyUntilNs();
}

void SimulationRecorder::Gauge::sample(std::int64_t timeNs, double value)
{
    if (!samples.empty() && samples.back().first == timeNs)
        samples.back().second = value;
    else if (samples.empty() || samples.back().second != value)
        samples.emplace_back(timeNs, value);
}

Trace SimulationRecorder::finish(std::int64_t endNs)
{
    if (!m_actors.empty())
        m_builder.setTrackOrder(m_actors.back(), kConsumerOrder);
    if (m_swapUntilNs > 0)
        m_gauges[SwapTraffic].sample(std::min(endNs, m_swapUntilNs), 0);
    const auto flush = [this](const Gauge& gauge) {
        if (gauge.track.valid())
            for (const auto& [timeNs, value] : gauge.samples)
                m_builder.addSample(gauge.track, timeNs, value);
    };
    for (const Gauge& gauge : m_gauges)
        flush(gauge);
    for (const QueueGauge& queue : m_queueGauges)
        flush(queue.gauge);
    return m_builder.build(false);
}

}  // namespace overlane
