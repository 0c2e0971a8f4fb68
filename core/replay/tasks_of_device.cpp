#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "core/replay/program_builder.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// Of the time of the less busy of two streams: more than this beside each other is no accident of clocks.
constexpr double kExclusiveShare = 0.02;

Lane laneOf(EventKind kind)
{
    switch (kind) {
        case EventKind::CopyH2D:
            return Lane::H2D;
        case EventKind::CopyD2H:
            return Lane::D2H;
        case EventKind::CopyD2D:
        case EventKind::CopyOther:
            return Lane::OtherCopy;
        default:
            return Lane::Compute;
    }
}

}  // namespace

std::uint32_t ProgramBuilder::streamOf(const Track& track, TrackId id)
{
    const auto place = static_cast<std::uint32_t>(m_program.streams.size());
    const auto [found, isNew] =
        m_streamAt.try_emplace({track.device, contextOfName(track.name), track.nativeId}, place);
    if (!isNew) {
        const TrackId parent = track.parent;
        if (parent.valid() && m_trace.track(parent).kind == TrackKind::EngineCompute)
            m_program.streams[found->second].track = id;
        return found->second;
    }
    m_program.streams.push_back({id, track.device, track.nativeId});
    m_streamWithId.try_emplace(track.nativeId, place);
    return place;
}

std::uint32_t ProgramBuilder::streamWithId(std::int64_t nativeId) const
{
    const auto found = m_streamWithId.find(nativeId);
    return found == m_streamWithId.end() ? kNoIndex : found->second;
}

void ProgramBuilder::findTasks()
{
    m_callOfEvent.assign(m_trace.eventCount(), kNoIndex);
    for (std::size_t at = 0; at < m_program.calls.size(); ++at)
        if (m_program.calls[at].event.valid())
            m_callOfEvent[m_program.calls[at].event.index()] = static_cast<std::uint32_t>(at);
    for (std::size_t number = 0; number < m_trace.tracks().size(); ++number) {
        const Track& track = m_trace.tracks()[number];
        if (track.device < 0 || track.events.empty() || track.bookkeeping)
            continue;
        std::optional<std::uint32_t> stream;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            m_work.count();
            const EventIndex event(at);
            const EventKind kind = m_trace.kind(event);
            if (!isDeviceWork(kind))
                continue;
            if (!stream)
                stream = streamOf(track, TrackId(number));
            GpuTask task;
            task.event = event;
            task.lane = laneOf(kind);
            task.stream = *stream;
            const Interval interval = m_trace.interval(event);
            task.startNs = interval.startNs;
            task.lengthNs = task.measuredNs = interval.lengthNs();
            if (const CopyInfo* info = m_trace.copy(event)) {
                task.bytes = info->bytes;
                task.hostMemory = info->hostSide(kind);
            }
            const EventIndex cause = m_trace.link(event);
            if (cause.valid())
                task.call = m_callOfEvent[cause.index()];
            m_program.tasks.push_back(task);
        }
    }
    // kNoIndex sorts last.
    std::stable_sort(m_program.tasks.begin(), m_program.tasks.end(),
                     m_work.counting([](const GpuTask& a, const GpuTask& b) {
                         return a.call != b.call ? a.call < b.call : a.startNs < b.startNs;
                     }));
    m_streamTasks.resize(m_program.streams.size());
    for (HostCall& call : m_program.calls)
        if (call.kind == CallKind::Launch)
            call.kind = CallKind::Plain;
    for (std::size_t at = 0; at < m_program.tasks.size(); ++at) {
        const GpuTask& task = m_program.tasks[at];
        m_streamTasks[task.stream].push_back(static_cast<std::uint32_t>(at));
        if (task.call == kNoIndex)
            continue;
        HostCall& call = m_program.calls[task.call];
        if (call.kind != CallKind::Launch)
            call.firstTask = static_cast<std::uint32_t>(at);
        call.kind = CallKind::Launch;
        call.lastTask = static_cast<std::uint32_t>(at + 1);
    }
    std::unordered_map<std::int32_t, std::uint32_t> devicePlaces;
    for (GpuStream& stream : m_program.streams) {
        const auto [found, isNew] =
            devicePlaces.try_emplace(stream.device, static_cast<std::uint32_t>(m_program.deviceIds.size()));
        if (isNew)
            m_program.deviceIds.push_back(stream.device);
        stream.devicePlace = found->second;
    }
    m_program.devices = static_cast<std::uint32_t>(m_program.deviceIds.size());
    orderTasks();
    findExclusiveLanes();
}

// By where they stand on their stream, and by when they end: of those that end at once the one of the first
// stream comes last, and of one stream the later.
void ProgramBuilder::orderTasks()
{
    m_placeOnStream.resize(m_program.tasks.size());
    for (const std::vector<std::uint32_t>& tasks : m_streamTasks)
        for (std::size_t place = 0; place < tasks.size(); ++place)
            m_placeOnStream[tasks[place]] = static_cast<std::uint32_t>(place);
    m_tasksByEnd.resize(m_program.tasks.size());
    std::iota(m_tasksByEnd.begin(), m_tasksByEnd.end(), 0);
    std::sort(m_tasksByEnd.begin(), m_tasksByEnd.end(), m_work.counting([this](std::uint32_t a, std::uint32_t b) {
        const GpuTask& taskA = m_program.tasks[a];
        const GpuTask& taskB = m_program.tasks[b];
        return std::tuple(taskA.endNs(), taskB.stream, a) < std::tuple(taskB.endNs(), taskA.stream, b);
    }));
}

void ProgramBuilder::findExclusiveLanes()
{
    for (int lane = 0; lane < kLaneCount; ++lane) {
        std::vector<std::uint32_t> order;
        std::vector<std::int64_t> busyNs(m_program.streams.size(), 0);
        for (std::size_t at = 0; at < m_program.tasks.size(); ++at) {
            if (m_program.tasks[at].lane != static_cast<Lane>(lane))
                continue;
            order.push_back(static_cast<std::uint32_t>(at));
            busyNs[m_program.tasks[at].stream] += m_program.tasks[at].lengthNs;
        }
        std::sort(order.begin(), order.end(), m_work.counting([this](std::uint32_t a, std::uint32_t b) {
            return m_program.tasks[a].startNs < m_program.tasks[b].startNs;
        }));
        std::int64_t besideNs = 0;
        std::int64_t lastEndNs = order.empty() ? 0 : m_program.tasks[order.front()].startNs;
        std::uint32_t lastStream = 0;
        for (const std::uint32_t at : order) {
            const GpuTask& task = m_program.tasks[at];
            if (task.stream != lastStream &&
                m_program.streams[task.stream].device == m_program.streams[lastStream].device)
                besideNs += std::max<std::int64_t>(0, std::min(lastEndNs, task.endNs()) - task.startNs);
            if (task.endNs() > lastEndNs) {
                lastEndNs = task.endNs();
                lastStream = task.stream;
            }
        }
        std::sort(busyNs.rbegin(), busyNs.rend());
        const std::int64_t second = busyNs.size() > 1 ? busyNs[1] : 0;
        // With one stream nothing was tried; copies share an engine then, kernels a device.
        m_program.exclusive[lane] = static_cast<double>(besideNs) <= kExclusiveShare * static_cast<double>(second);
    }
}

}  // namespace overlane
