#include "core/spool/spool_merger.h"

#include <algorithm>
#include <utility>

#include "core/base/saturated.h"
#include "core/spool/record_kinds.h"
#include "core/spool/record_names.h"
#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

constexpr std::int32_t kProfilerOrder = 90;
constexpr std::int32_t kLaneOrder = 10;

}  // namespace

SpoolMerger::SpoolMerger(std::string path, std::uint32_t number, RecordingShared& shared)
    : m_reader(std::move(path)), m_number(number), m_shared(shared)
{
}

bool SpoolMerger::readStart()
{
    SpoolFrame frame;
    if (m_hasStart || !m_reader.next(frame))
        return m_hasStart;
    readFirst(frame);
    if (frame.header.kind == spool::FrameKind::ProcessStart)
        m_shared.tracks.nameProcess(m_start.pid, program());
    else
        read(frame);
    return true;
}

void SpoolMerger::place(bool last)
{
    placeSyncs(last);
    placeCudaEvents(last);
    placeCollectives(last);
    placeMarkers();
    placeMemory(last);
}

bool SpoolMerger::poll(std::int64_t& mostRecords)
{
    SpoolFrame frame;
    bool all = true;
    while (all && m_reader.next(frame)) {
        read(frame);
        mostRecords -= frame.header.count;
        all = mostRecords > 0;
    }
    m_reader.release();
    place(false);
    return all;
}

void SpoolMerger::finish()
{
    place(true);
    endStacks();
    m_shared.callCostNs = std::max(m_shared.callCostNs, m_tick.callCostNs);
    if (!m_openRanges.empty())
        skip("unfinished_range", "NVTX ranges that had not ended when the recording stopped", Severity::Info,
             static_cast<std::int64_t>(m_openRanges.size()));
    if (!m_endsWithoutStart.empty())
        skip("range_without_start", "ends of NVTX ranges that began before the recording", Severity::Info,
             static_cast<std::int64_t>(m_endsWithoutStart.size()));
    if (m_kernels > 0 && m_calls.isEmpty() && RecordKinds(m_start.kinds).has(RecordKind::Launches))
        m_shared.sink.stats().add("no_calls",
                                  "kernels of processes of which CUPTI gave no call: what their hosts do is not known",
                                  Severity::Warning, m_kernels);
    if (m_untoldCollectives > 0)
        m_shared.sink.stats().add("untold_collective",
                                  "kernels of NCCL without bytes and group: it gives them from version 2.19 on, unless "
                                  "NCCL_NVTX_DISABLE is set; and CUDA graphs and missing calls leave them out",
                                  Severity::Info, m_untoldCollectives);
    if (m_memory.unknownFrees() > 0)
        m_shared.sink.stats().add("free_without_allocation", "frees of memory from before the recording",
                                  Severity::Info, m_memory.unknownFrees());
    if (m_reader.damagedFrames() > 0)
        m_shared.sink.stats().add("damaged_frame", "damaged places in spools; their records are lost", Severity::Error,
                                  static_cast<std::int64_t>(m_reader.damagedFrames()));
}

void SpoolMerger::read(const SpoolFrame& frame)
{
    const auto each = [&]<typename Record>(Record) { frame.each<Record>([&](const Record& record) { add(record); }); };
    switch (frame.header.kind) {
        case spool::FrameKind::ApiCalls:
            return each(spool::ApiCall());
        case spool::FrameKind::Kernels:
            return each(spool::Kernel());
        case spool::FrameKind::Copies:
            return each(spool::Copy());
        case spool::FrameKind::Memsets:
            return each(spool::Memset());
        case spool::FrameKind::Syncs:
            return frame.each<spool::Sync>([&](const spool::Sync& sync) { m_syncs.push_back(sync); });
        case spool::FrameKind::MemoryOps:
            return frame.each<spool::MemoryOp>([&](const spool::MemoryOp& operation) { m_memory.add(operation); });
        case spool::FrameKind::Markers:
            return frame.each<spool::Marker>([&](const spool::Marker& marker) { m_markers.push_back(marker); });
        case spool::FrameKind::MarkerData:
            return frame.each<spool::MarkerData>([&](const spool::MarkerData& data) { m_markerData[data.id] = data; });
        case spool::FrameKind::Overheads:
            return each(spool::Overhead());
        case spool::FrameKind::CudaEvents:
            return frame.each<spool::CudaEvent>([&](const spool::CudaEvent& event) { m_cudaEvents.push_back(event); });
        case spool::FrameKind::ExternalCorrelations:
            return skip("external_correlation", "correlation ids that the program itself pushed", Severity::Info,
                        frame.header.count);
        case spool::FrameKind::Status:
            return each(spool::Status());
        case spool::FrameKind::Ticks:
            return each(spool::Tick());
        case spool::FrameKind::GaugeSamples:
            return each(spool::GaugeSample());
        case spool::FrameKind::LaneEvents:
            return each(spool::LaneEvent());
        case spool::FrameKind::StackSamples:
            return each(spool::StackSample());
        case spool::FrameKind::ProcessStart:
            return;
        default:
            break;
    }
    if (!readDefinitions(frame))
        m_shared.sink.stats().add("unknown_frame", "records of kinds that only a newer version knows",
                                  Severity::Warning, frame.header.count);
}

void SpoolMerger::skip(std::string_view reason, std::string_view explanation, Severity severity, std::int64_t count)
{
    m_shared.sourceEvents += count;
    m_shared.sink.stats().add(reason, explanation, severity, count);
}

void SpoolMerger::emit(Event event, std::int64_t startNs, std::int64_t endNs, const CollectiveInfo* collective)
{
    if (startNs <= 0 || endNs <= 0)
        return skip("zero_timestamp", "records whose times were not collected", Severity::Warning);
    if (startNs > kLatestNs || endNs > kLatestNs)
        return skip("time_out_of_range", "records with a time decades away", Severity::Warning);
    if (endNs < startNs)
        return skip("negative_duration", "records that end before they start", Severity::Warning);
    event.startNs = saturatedDifference(startNs, m_shared.baseNs);
    event.durationNs = saturatedDifference(endNs, startNs);
    event.process = m_number;
    m_shared.sink.addEvent(event, collective);
    ++m_shared.sourceEvents;
    ++m_shared.totals.events;
    m_shared.totals.newestNs = std::max(m_shared.totals.newestNs, event.endNs());
}

StringId SpoolMerger::cached(std::vector<StringId>& cache, std::uint32_t text,
                             const std::function<std::string(const std::string&)>& make)
{
    if (!m_reader.hasText(text)) {
        m_shared.sink.stats().add("unknown_name", "names that the spool does not have", Severity::Info);
        return m_shared.sink.intern("(unnamed)");
    }
    if (text >= cache.size())
        cache.resize(text + std::size_t{1});
    if (!cache[text].valid())
        cache[text] = m_shared.sink.intern(make(std::string(m_reader.text(text))));
    return cache[text];
}

StringId SpoolMerger::name(std::uint32_t text)
{
    return cached(m_names, text, [](const std::string& plain) { return plain; });
}

void SpoolMerger::checkClock(std::uint32_t correlation, std::int64_t workStartNs)
{
    // Work cannot start before the call that asked for it, so a lead is the clocks' disagreement.
    if (const RecentCalls::Call* call = m_calls.find(correlation))
        m_shared.totals.residualNs =
            std::max(m_shared.totals.residualNs, saturatedDifference(call->startNs, workStartNs));
}

void SpoolMerger::add(const spool::ApiCall& call)
{
    m_calls.add({call.correlation, call.thread, call.startNs});
    Event event;
    event.track = m_shared.tracks.thread(m_start.pid, call.thread);
    event.kind = EventKind::RuntimeCall;
    event.correlation = call.correlation;
    event.name = cached(m_callNames, call.name, [](const std::string& text) { return std::string(apiCallName(text)); });
    ++m_shared.totals.calls;
    emit(event, call.startNs, call.endNs);
}

void SpoolMerger::add(const spool::Kernel& kernel)
{
    if (kernel.device >= kMostDevices)
        return skip("no_device", "GPU records whose device number is out of range", Severity::Warning);
    m_contextDevices.try_emplace(kernel.context, kernel.device);
    checkClock(kernel.correlation, kernel.startNs);
    Event event;
    event.track = m_shared.tracks.stream(m_number, m_start.pid, kernel.device, EngineLane::Compute, kernel.context,
                                         kernel.stream);
    event.kind = EventKind::Kernel;
    event.correlation = kernel.correlation;
    event.graph = kernel.graph;
    event.name = cached(m_kernelNames, kernel.name, kernelName);
    ++m_shared.totals.kernels;
    ++m_kernels;
    if (m_reader.hasText(kernel.name) && KernelCollectives::isAsked(m_reader.text(kernel.name)))
        m_collectiveKernels.push_back({event, kernel.startNs, kernel.endNs});
    else
        emit(event, kernel.startNs, kernel.endNs);
}

StringId SpoolMerger::copyNameId(const spool::Copy& copy)
{
    const std::uint64_t key = (std::uint64_t{copy.sourceDevice & 0xFFFF} << 40) |
                              (std::uint64_t{copy.destinationDevice & 0xFFFF} << 24) |
                              (std::uint64_t{static_cast<std::uint8_t>(copy.direction)} << 16) |
                              (std::uint64_t{copy.source} << 8) | copy.destination;
    const auto [entry, isNew] = m_copyNames.try_emplace(key);
    if (isNew)
        entry->second = m_shared.sink.intern(copyName(copy));
    return entry->second;
}

void SpoolMerger::add(const spool::Copy& copy)
{
    if (copy.device >= kMostDevices)
        return skip("no_device", "GPU records whose device number is out of range", Severity::Warning);
    m_contextDevices.try_emplace(copy.context, copy.device);
    checkClock(copy.correlation, copy.startNs);
    spool::Copy named = copy;
    if (copy.sourceDevice < kMostDevices && copy.destinationDevice < kMostDevices) {
        named.sourceDevice = static_cast<std::uint32_t>(m_shared.tracks.deviceId(m_number, copy.sourceDevice));
        named.destinationDevice =
            static_cast<std::uint32_t>(m_shared.tracks.deviceId(m_number, copy.destinationDevice));
    } else {
        named.sourceDevice = named.destinationDevice = spool::kNone;
    }
    CopyInfo info;
    info.bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(copy.bytes, std::uint64_t{1} << 50));
    info.source = memoryKindOf(copy.source);
    info.destination = memoryKindOf(copy.destination);
    info.async = copy.asynchronous != 0 ? AsyncFlag::Async : AsyncFlag::Sync;
    Event event;
    event.kind = copyKind(copy.direction);
    event.track = m_shared.tracks.stream(m_number, m_start.pid, copy.device,
                                         engineLane(event.kind, copy.direction == spool::Direction::BetweenDevices),
                                         copy.context, copy.stream);
    event.correlation = copy.correlation;
    event.graph = copy.graph;
    event.copy = info;
    event.name = copyNameId(named);
    ++m_shared.totals.copies;
    m_shared.totals.copyBytes = saturatedSum(m_shared.totals.copyBytes, info.bytes);
    emit(event, copy.startNs, copy.endNs);
}

void SpoolMerger::add(const spool::Memset& memset)
{
    if (memset.device >= kMostDevices)
        return skip("no_device", "GPU records whose device number is out of range", Severity::Warning);
    m_contextDevices.try_emplace(memset.context, memset.device);
    Event event;
    event.track = m_shared.tracks.stream(m_number, m_start.pid, memset.device, EngineLane::Compute, memset.context,
                                         memset.stream);
    event.kind = EventKind::Memset;
    event.correlation = memset.correlation;
    event.graph = memset.graph;
    event.name = m_shared.sink.intern("Memset");
    emit(event, memset.startNs, memset.endNs);
}

void SpoolMerger::add(const spool::Overhead& overhead)
{
    Event event;
    event.track = overhead.thread != spool::kNone
                      ? m_shared.tracks.thread(m_start.pid, overhead.thread)
                      : m_shared.tracks.lane(m_start.pid, TrackKind::Group, "profiler", kProfilerOrder, true);
    event.kind = EventKind::Overhead;
    event.name = m_shared.sink.intern(overheadName(overhead.type));
    if (overhead.endNs > overhead.startNs)
        m_shared.totals.overheadNs =
            saturatedSum(m_shared.totals.overheadNs, saturatedDifference(overhead.endNs, overhead.startNs));
    emit(event, overhead.startNs, overhead.endNs);
}

void SpoolMerger::add(const spool::Status& status)
{
    const auto code = static_cast<RecordStatus>(status.code);
    m_state = code;
    m_shared.totals.hindered += isAlarming(code) && endsRecording(code);
    m_shared.notices.push_back({saturatedDifference(status.timeNs, m_shared.baseNs), m_start.pid, code,
                                statusSentence(code, status.detail, m_reader.text(status.text))});
}

void SpoolMerger::add(const spool::Tick& tick)
{
    RecordingTotals& totals = m_shared.totals;
    totals.dropped += tick.dropped - m_tick.dropped;
    totals.zeroTimes += tick.zeroTimes - m_tick.zeroTimes;
    totals.collectorNs = saturatedSum(totals.collectorNs, saturatedDifference(tick.cpuNs, m_tick.cpuNs));
    m_shared.unknownRecords += tick.unknownRecords - m_tick.unknownRecords;
    m_tick = tick;
}

void SpoolMerger::add(const spool::GaugeSample& sample)
{
    const auto gauge = m_gauges.find(sample.gauge);
    if (gauge == m_gauges.end() || sample.timeNs <= 0 || sample.timeNs > kLatestNs)
        return m_shared.sink.stats().add("unreadable_sample", "samples without a gauge or a time", Severity::Warning);
    m_shared.sink.addSample(gauge->second, saturatedDifference(sample.timeNs, m_shared.baseNs), sample.value);
}

void SpoolMerger::add(const spool::LaneEvent& record)
{
    const auto lane = m_lanes.find(record.lane);
    const auto kind = static_cast<EventKind>(record.kind);
    if (lane == m_lanes.end() || record.kind >= static_cast<std::uint32_t>(kEventKindCount) || isCopy(kind))
        return skip("unreadable_lane_event", "events of lanes that are not described", Severity::Warning);
    Event event;
    event.track =
        lane->second.thread != 0
            ? m_shared.tracks.thread(m_start.pid, lane->second.thread)
            : m_shared.tracks.lane(m_start.pid, recordedKind(lane->second.kind), m_reader.text(lane->second.name),
                                   kLaneOrder + lane->second.sortOrder, lane->second.bookkeeping != 0);
    event.kind = kind;
    event.correlation = record.correlation;
    event.name = name(record.name);
    emit(event, record.startNs, record.endNs);
}

}  // namespace overlane
