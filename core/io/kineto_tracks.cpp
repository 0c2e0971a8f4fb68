#include "core/io/kineto_tracks.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "core/io/chrome_time.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostCounters = 1000;
constexpr std::int32_t kDeviceOrder = 1'000'000;
constexpr std::int32_t kTextProcessOrder = 2'000'000;  // "Spans", "Traces": the profiler's own

std::string_view engineName(TrackKind kind)
{
    switch (kind) {
        case TrackKind::EngineH2D:
            return "copies to device";
        case TrackKind::EngineD2H:
            return "copies to host";
        case TrackKind::EnginePeer:
            return "copies within and between devices";
        case TrackKind::EngineCompute:
            return "compute";
        case TrackKind::Annotations:
            return "annotations";
        default:
            return "waits";
    }
}

std::int64_t nativeId(std::string_view text)
{
    return parseInteger(text).value_or(0);
}

}  // namespace

std::string KinetoTracks::threadKey(std::string_view pid, std::string_view tid)
{
    return fmt::format("{}\n{}", pid, tid);
}

TrackId KinetoTracks::process(std::string_view pid)
{
    const auto [entry, isNew] = m_processes.try_emplace(std::string(pid));
    if (isNew) {
        const bool number = parseInteger(pid).has_value();
        const std::string name = number ? fmt::format("process {}", pid) : std::string(pid.empty() ? "process" : pid);
        entry->second = m_builder.addTrack(TrackId(), TrackKind::Process, name, -1, nativeId(pid),
                                           number || pid.empty() ? 0 : kTextProcessOrder);
    }
    return entry->second;
}

TrackId KinetoTracks::thread(std::string_view pid, std::string_view tid)
{
    if (m_lastThread.valid() && pid == m_lastPid && tid == m_lastTid)
        return m_lastThread;
    const auto [entry, isNew] = m_threads.try_emplace(threadKey(pid, tid));
    if (isNew) {
        const std::string name = parseInteger(tid) ? fmt::format("thread {}", tid)
                                                   : std::string(tid.empty() ? std::string_view("events") : tid);
        entry->second = m_builder.addTrack(process(pid), TrackKind::Thread, name, -1, nativeId(tid));
    }
    m_lastPid = pid;
    m_lastTid = tid;
    m_lastThread = entry->second;
    return m_lastThread;
}

TrackId KinetoTracks::device(std::int32_t id)
{
    const auto [entry, isNew] = m_devices.try_emplace(id);
    if (isNew)
        entry->second = m_builder.addTrack(TrackId(), TrackKind::Device, fmt::format("GPU {}", id), id, id,
                                           kDeviceOrder + std::clamp(id, 0, 999'999));
    return entry->second;
}

TrackId KinetoTracks::stream(std::int32_t deviceId, TrackKind engine, std::int64_t stream)
{
    const auto [parent, newEngine] = m_engines.try_emplace({deviceId, engine});
    if (newEngine)
        parent->second = m_builder.addTrack(device(deviceId), engine, engineName(engine), deviceId, 0,
                                            static_cast<std::int32_t>(engine));
    const auto [entry, isNew] = m_streams.try_emplace({parent->second, stream});
    if (isNew) {
        const auto order =
            static_cast<std::int32_t>(std::clamp<std::int64_t>(stream, -1, std::numeric_limits<std::int32_t>::max()));
        const std::string name = stream < 0 ? "whole device" : fmt::format("stream {}", stream);
        entry->second = m_builder.addTrack(parent->second, TrackKind::Stream, name, deviceId, stream, order);
    }
    return entry->second;
}

TrackId KinetoTracks::annotations(std::int32_t deviceId)
{
    const auto [entry, isNew] = m_engines.try_emplace({deviceId, TrackKind::Annotations});
    if (isNew)
        entry->second =
            m_builder.addTrack(device(deviceId), TrackKind::Annotations, engineName(TrackKind::Annotations), deviceId);
    return entry->second;
}

TrackId KinetoTracks::waits(std::int32_t deviceId, std::int64_t streamNumber)
{
    return stream(deviceId, TrackKind::Group, streamNumber);
}

TrackId KinetoTracks::counter(std::string_view pid, std::string_view name, CounterUnit unit)
{
    const std::string key = threadKey(pid, name);
    if (const auto found = m_counters.find(key); found != m_counters.end())
        return found->second;
    if (m_counters.size() >= kMostCounters)
        return TrackId();
    const TrackId id = m_builder.addCounter(pid.empty() ? TrackId() : process(pid), name, unit, kTextProcessOrder - 1);
    m_counters.emplace(key, id);
    return id;
}

void KinetoTracks::nameThread(std::string_view pid, std::string_view tid, std::string_view name)
{
    m_threadLabels[threadKey(pid, tid)].name = name;
}

void KinetoTracks::orderThread(std::string_view pid, std::string_view tid, std::int64_t order)
{
    constexpr std::int64_t kLargest = 1'000'000'000;
    m_threadLabels[threadKey(pid, tid)].order = static_cast<std::int32_t>(std::clamp(order, -kLargest, kLargest));
}

void KinetoTracks::finish(const std::vector<DeviceInfo>& known)
{
    for (const auto& [pid, track] : m_processes) {
        const auto found = m_processNames.find(pid);
        if (found != m_processNames.end() && parseInteger(pid))
            m_builder.renameTrack(track, fmt::format("{} ({})", found->second, pid), 0);
    }
    for (const auto& [key, track] : m_threads) {
        const auto found = m_threadLabels.find(key);
        if (found == m_threadLabels.end())
            continue;
        std::string name = found->second.name;
        if (name.empty())
            name = fmt::format("thread {}", key.substr(key.find('\n') + 1));
        m_builder.renameTrack(track, name, found->second.order);
    }
    for (const auto& [id, track] : m_devices) {
        DeviceInfo info;
        info.id = id;
        const auto described =
            std::find_if(known.begin(), known.end(), [&](const DeviceInfo& device) { return device.id == id; });
        if (described != known.end()) {
            info = *described;
            if (!info.name.empty())
                m_builder.renameTrack(track, fmt::format("GPU {} {}", id, info.name),
                                      kDeviceOrder + std::clamp(id, 0, 999'999));
        }
        m_builder.addDevice(info);
    }
}

}  // namespace overlane
