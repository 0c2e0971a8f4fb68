// The records that wait for others: waits for their device, CUDA events for their call, NVTX ranges
// for their end, allocations for their order.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/saturated.h"
#include "core/spool/record_names.h"
#include "core/spool/spool_merger.h"
#include "core/trace/track_names.h"

namespace overlane
{

void SpoolMerger::placeSyncs(bool last)
{
    std::vector<spool::Sync> waiting;
    for (const spool::Sync& sync : m_syncs) {
        const auto device = m_contextDevices.find(sync.context);
        if (device == m_contextDevices.end()) {
            if (last)
                skip("sync_without_device", "waits of contexts that did no recorded work", Severity::Info);
            else
                waiting.push_back(sync);
            continue;
        }
        Event event;
        event.track = m_shared.tracks.deviceLane(m_number, device->second, "sync calls");
        event.kind = EventKind::Sync;
        event.correlation = sync.correlation;
        event.name = m_shared.sink.intern(
            syncName(sync, m_shared.tracks.furtherContext(m_number, device->second, sync.context)));
        emit(event, sync.startNs, sync.endNs);
    }
    m_syncs = std::move(waiting);
}

void SpoolMerger::placeCudaEvents(bool last)
{
    // A record of an event has no time of its own: it is placed at the call that recorded it.
    std::vector<spool::CudaEvent> waiting;
    for (const spool::CudaEvent& record : m_cudaEvents) {
        const RecentCalls::Call* call = m_calls.find(record.correlation);
        const auto context = m_contextDevices.find(record.context);
        const std::uint32_t device =
            record.device >= kMostDevices && context != m_contextDevices.end() ? context->second : record.device;
        if (call == nullptr || device >= kMostDevices) {
            if (last)
                skip("event_without_call", "CUDA events whose call or GPU was not recorded", Severity::Info);
            else
                waiting.push_back(record);
            continue;
        }
        Event event;
        event.track = m_shared.tracks.deviceLane(m_number, device, "CUDA events");
        event.kind = EventKind::Instant;
        event.correlation = record.correlation;
        event.name = m_shared.sink.intern(
            fmt::format("Event {}, stream {}{}", record.event, record.stream,
                        contextSuffix(m_shared.tracks.furtherContext(m_number, device, record.context))));
        emit(event, call->startNs, call->startNs);
    }
    m_cudaEvents = std::move(waiting);
    // Calls come before or with their events; what is this far behind has lost its call.
    if (m_cudaEvents.size() > kMostWaiting) {
        skip("event_without_call", "CUDA events whose call or GPU was not recorded", Severity::Info,
             static_cast<std::int64_t>(m_cudaEvents.size()));
        m_cudaEvents.clear();
    }
}

void SpoolMerger::placeCollectives(bool last)
{
    const bool wait = !last && !m_collectives.isEmpty() && m_collectiveKernels.size() < kMostWaiting;
    std::vector<CollectiveKernel> waiting;
    for (const CollectiveKernel& kernel : m_collectiveKernels) {
        CollectiveInfo info;
        const RecentCalls::Call* call = m_calls.find(kernel.event.correlation);
        const auto answer = call == nullptr || m_collectives.isEmpty()
                                ? KernelCollectives::Answer::Later
                                : m_collectives.find(
                                      call->thread, call->startNs,
                                      [this](std::string_view text) { return m_shared.sink.intern(text); }, info);
        if (answer == KernelCollectives::Answer::Later && wait) {
            waiting.push_back(kernel);
            continue;
        }
        const bool isTold = answer == KernelCollectives::Answer::Found;
        m_untoldCollectives += isTold ? 0 : 1;
        emit(kernel.event, kernel.startNs, kernel.endNs, isTold ? &info : nullptr);
    }
    m_collectiveKernels = std::move(waiting);
}

void SpoolMerger::placeMarkers()
{
    // In the order of their times: start and end may come by different ways.
    std::stable_sort(m_markers.begin(), m_markers.end(),
                     [](const spool::Marker& a, const spool::Marker& b) { return a.timeNs < b.timeNs; });
    for (const spool::Marker& marker : m_markers) {
        OpenRange range;
        range.start = marker;
        if (const auto data = m_markerData.find(marker.id); data != m_markerData.end()) {
            range.data = data->second;
            range.hasData = true;
        }
        if (marker.type == spool::MarkerType::Instant) {
            endRange(range, marker.timeNs);
        } else if (marker.type == spool::MarkerType::Start) {
            const auto end = m_endsWithoutStart.find(marker.id);
            if (end != m_endsWithoutStart.end()) {
                endRange(range, end->second.timeNs);
                m_endsWithoutStart.erase(end);
            } else {
                m_openRanges[marker.id] = range;
            }
        } else {
            const auto open = m_openRanges.find(marker.id);
            if (open != m_openRanges.end()) {
                if (!open->second.hasData && range.hasData) {
                    open->second.data = range.data;
                    open->second.hasData = true;
                }
                endRange(open->second, marker.timeNs);
                m_openRanges.erase(open);
            } else {
                m_endsWithoutStart[marker.id] = marker;
            }
        }
    }
    m_markers.clear();
    m_markerData.clear();
}

void SpoolMerger::endRange(const OpenRange& range, std::int64_t endNs)
{
    constexpr std::int32_t kNvtxOrder = 50;  // below the lanes of a loader
    const spool::Marker& start = range.start;
    const std::string text =
        markerName(m_reader.text(start.domain), m_reader.text(start.name), range.hasData ? &range.data : nullptr);
    Event event;
    event.kind = start.type == spool::MarkerType::Instant ? EventKind::Instant : EventKind::Annotation;
    if (event.kind == EventKind::Annotation && text.starts_with("ProfilerStep#"))
        event.kind = EventKind::Step;
    event.track = start.thread != spool::kNone
                      ? m_shared.tracks.thread(m_start.pid, start.thread)
                      : m_shared.tracks.lane(m_start.pid, TrackKind::Annotations, "NVTX ranges", kNvtxOrder, false);
    event.name = m_shared.sink.intern(text);
    if (range.hasData)
        event.color = range.data.color;
    emit(event, start.timeNs, endNs);
}

void SpoolMerger::countMemoryAsFreed()
{
    m_shared.totals.pinnedBytes -= static_cast<double>(std::exchange(m_pinnedBytes, 0));
    for (auto& [device, bytes] : m_deviceBytes)
        m_shared.totals.deviceBytes -= static_cast<double>(std::exchange(bytes, 0));
}

void SpoolMerger::placeMemory(bool last)
{
    m_memory.emit(last, [&](std::int64_t timeNs, std::uint8_t memory, std::uint32_t device, std::int64_t sum) {
        if (timeNs <= 0 || timeNs > kLatestNs || device >= kMostDevices)
            return m_shared.sink.stats().add("unreadable_allocation", "memory records without a time or a device",
                                             Severity::Warning);
        RecordingTracks& tracks = m_shared.tracks;
        TrackId counter;
        switch (memoryKindOf(memory)) {
            case MemoryKind::Pinned:
                counter = tracks.processCounter(m_start.pid, kPinnedMemoryCounter, CounterUnit::Bytes);
                m_shared.totals.pinnedBytes +=
                    static_cast<double>(saturatedDifference(sum, std::exchange(m_pinnedBytes, sum)));
                break;
            case MemoryKind::Managed:
                counter = tracks.processCounter(m_start.pid, "Managed memory", CounterUnit::Bytes);
                break;
            case MemoryKind::Device:
                counter = tracks.deviceMemory(m_number, m_start.pid, device);
                m_shared.totals.deviceBytes +=
                    static_cast<double>(saturatedDifference(sum, std::exchange(m_deviceBytes[device], sum)));
                break;
            default:
                counter = tracks.processCounter(
                    m_start.pid, fmt::format("Memory: {}", memoryKindName(memoryKindOf(memory))), CounterUnit::Bytes);
        }
        m_shared.sink.addSample(counter, saturatedDifference(timeNs, m_shared.baseNs), static_cast<double>(sum));
    });
}

}  // namespace overlane
