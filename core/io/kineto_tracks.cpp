#include "core/io/kineto_tracks.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/io/chrome_time.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostCounters = 1000;

// What the PyTorch profiler writes about itself, beside marks of no process at all.
bool isProfilerProcess(std::string_view pid)
{
    return pid == "Spans" || pid == "Traces";
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
        const std::string name =
            number ? fmt::format("process {}", pid) : std::string(pid.empty() ? "no process" : pid);
        entry->second = m_builder.addTrack(TrackId(), TrackKind::Process, name, -1, nativeId(pid));
        m_hostOrder.addProcess(entry->second);
        if (isProfilerProcess(pid))
            m_hostOrder.markBookkeeping(entry->second);
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
        const TrackId parent = process(pid);
        entry->second = m_builder.addTrack(parent, TrackKind::Thread, name, -1, nativeId(tid));
        m_hostOrder.addThread(parent, entry->second, !pid.empty() && pid == tid);
    }
    m_lastPid = pid;
    m_lastTid = tid;
    m_lastThread = entry->second;
    return m_lastThread;
}

TrackId KinetoTracks::counter(std::string_view pid, std::string_view name, CounterUnit unit)
{
    const std::string key = threadKey(pid, name);
    if (const auto found = m_counters.find(key); found != m_counters.end())
        return found->second;
    if (m_counters.size() >= kMostCounters)
        return TrackId();
    const TrackId id = m_builder.addCounter(pid.empty() ? TrackId() : process(pid), name, unit, kCounterTrackOrder);
    m_counters.emplace(key, id);
    return id;
}

std::string_view KinetoTracks::processName(std::string_view pid) const
{
    const auto found = m_processNames.find(std::string(pid));
    return found == m_processNames.end() ? std::string_view() : std::string_view(found->second);
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
        m_builder.renameTrack(track, name, 0);
        m_hostOrder.setSourceOrder(track, found->second.order);
    }
    const bool byProfiler = std::any_of(m_processes.begin(), m_processes.end(),
                                        [](const auto& entry) { return isProfilerProcess(entry.first); });
    if (const auto nobody = m_processes.find(""); byProfiler && nobody != m_processes.end())
        m_hostOrder.markBookkeeping(nobody->second);
    m_hostOrder.finish();
    m_deviceTracks.finish(known);
}

}  // namespace overlane
