#include "core/io/kineto_importer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/contains.h"
#include "core/base/number_text.h"
#include "core/io/chrome_schema.h"
#include "core/io/chrome_time.h"
#include "core/io/kineto_devices.h"
#include "core/io/kineto_names.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLatestNs = std::int64_t{1} << 61;
constexpr std::int64_t kEpochLikeNs = 100'000'000 * std::int64_t{1'000'000'000};  // 1973

enum class GpuRow { None, Kernel, Copy, Memset, Wait, Annotation };

GpuRow gpuRow(std::string_view category, std::string_view name)
{
    if (category == "kernel" || category == "Kernel") {
        const bool rocmCopy = name.starts_with("CopyHostTo") || name.starts_with("CopyDeviceTo");
        return rocmCopy ? GpuRow::Copy : GpuRow::Kernel;
    }
    if (category == "gpu_memcpy" || category == "Memcpy")
        return GpuRow::Copy;
    if (category == "gpu_memset" || category == "Memset")
        return GpuRow::Memset;
    if (category == "cuda_sync")
        return GpuRow::Wait;
    return category == "gpu_user_annotation" ? GpuRow::Annotation : GpuRow::None;
}

EventKind hostKind(std::string_view category, std::string_view name)
{
    if (name.starts_with("ProfilerStep#"))
        return EventKind::Step;
    if (contains(category, "untime") || contains(category, "driver"))
        return EventKind::RuntimeCall;
    if (category == "overhead")
        return EventKind::Overhead;
    return category == "user_annotation" || category == "Trace" ? EventKind::Annotation : EventKind::HostWork;
}

std::uint32_t correlationOf(const ChromeEvent& event)
{
    const std::optional<std::int64_t> id = parseInteger(event.arg("correlation"));
    return id && *id > 0 && *id <= 0xFFFFFFFFll ? static_cast<std::uint32_t>(*id) : 0;
}

std::int32_t deviceOf(const ChromeEvent& event)
{
    for (const std::string_view text : {event.arg("device"), event.pid})
        if (const auto id = parseInteger(text); id && *id >= 0 && *id <= 0x7FFFFFFF)
            return static_cast<std::int32_t>(*id);
    return 0;
}

// args.stream, else the tid: a number or "stream 7".
std::int64_t streamOf(const ChromeEvent& event)
{
    constexpr std::int64_t kWholeDevice = 0xFFFFFFFF;
    constexpr std::int64_t kWaitRows = 1'000'000;
    if (const auto stream = parseInteger(event.arg("stream")))
        return *stream == kWholeDevice ? -1 : std::max<std::int64_t>(*stream, -1);
    const std::string_view tid = event.tid.starts_with("stream ") ? event.tid.substr(7) : event.tid;
    const std::int64_t stream = std::max<std::int64_t>(parseInteger(tid).value_or(0), -1);
    return event.category == "cuda_sync" && stream >= kWaitRows ? stream - kWaitRows : stream;
}

// Each context numbers its own streams.
std::int64_t contextOf(const ChromeEvent& event)
{
    return std::max<std::int64_t>(parseInteger(event.arg("context")).value_or(0), 0);
}

std::string asyncKey(const ChromeEvent& event)
{
    return fmt::format("async\n{}\n{}\n{}", event.pid, event.category, event.id);
}

}  // namespace

void KinetoImporter::skip(std::string_view reason, std::string_view explanation, Severity severity)
{
    ++m_builder.metadata().sourceEvents;
    stats().add(reason, explanation, severity);
}

void KinetoImporter::add(const ChromeEvent& event)
{
    ++m_builder.metadata().sourceEvents;
    if (event.phase.size() != 1)
        return stats().add("no_phase", "objects without the one-letter \"ph\" of an event", Severity::Warning);
    addPhase(event, event.phase.front());
}

void KinetoImporter::addPhase(const ChromeEvent& event, char phase)
{
    static constexpr std::string_view kFlows = "stf";
    static constexpr std::string_view kUnused = "STFpNODPRcvV(),=";
    if (phase == 'M')
        return addMetadata(event);
    if (kFlows.find(phase) != std::string_view::npos)
        return stats().add("flow_arrow", "arrows between events; Overlane joins them by correlation id instead",
                           Severity::Info);
    if (kUnused.find(phase) != std::string_view::npos)
        return stats().add("other_phase", "object snapshots, samples, memory dumps and clock marks", Severity::Info);
    if (std::string_view("XBEiICben").find(phase) == std::string_view::npos)
        return stats().add("unknown_phase", "events whose \"ph\" is not of the trace-event format", Severity::Warning);

    std::optional<std::int64_t> timeNs = parseMicroseconds(event.ts);
    if (!timeNs || *timeNs >= kLatestNs)
        return stats().add("bad_time", "events whose time is missing, no number or too large", Severity::Warning);
    if (*timeNs < 0)
        return stats().add("negative_time", "events that start before time began", Severity::Warning);
    *timeNs -= m_declared.zeroNs();
    switch (phase) {
        case 'X':
            return addComplete(event, *timeNs);
        case 'C':
            return addCounter(event, *timeNs);
        case 'B':
            return openRange(fmt::format("{}\n{}", event.pid, event.tid), event, *timeNs);
        case 'E':
            return closeRange(fmt::format("{}\n{}", event.pid, event.tid), m_tracks.thread(event.pid, event.tid),
                              *timeNs);
        case 'b':
            return openRange(asyncKey(event), event, *timeNs);
        case 'e':
            return closeRange(asyncKey(event), m_tracks.thread(event.pid, "asynchronous"), *timeNs);
        default:
            break;
    }
    if (event.name == "[memory]")
        return addMemory(event, *timeNs);
    addInstant(event, *timeNs);
}

void KinetoImporter::addInstant(const ChromeEvent& event, std::int64_t timeNs)
{
    if (const std::optional<Event> declared = m_declared.event(event, timeNs, 0))
        return place(*declared);
    Event instant;
    instant.kind = EventKind::Instant;
    instant.startNs = timeNs;
    instant.name = m_builder.intern(event.name);
    instant.track = m_tracks.thread(event.pid, event.tid);
    m_tracks.hostOrder().note(instant.track, instant.kind, event.name);
    place(instant);
}

void KinetoImporter::place(const Event& event, const CollectiveInfo* collective)
{
    if (m_builder.addEvent(event, collective))
        m_firstNs = std::min(m_firstNs.value_or(event.startNs), event.startNs);
}

void KinetoImporter::addComplete(const ChromeEvent& event, std::int64_t startNs)
{
    const std::optional<std::int64_t> durationNs = event.dur.empty() ? 0 : parseMicroseconds(event.dur);
    if (!durationNs)
        return stats().add("bad_duration", "events whose duration is no number or too large", Severity::Warning);
    if (const std::optional<Event> declared = m_declared.event(event, startNs, *durationNs)) {
        const auto told = declared->kind == EventKind::Kernel ? m_collectives.told(event) : std::nullopt;
        return place(*declared, told ? &*told : nullptr);
    }
    Event work;
    work.startNs = startNs;
    work.durationNs = *durationNs;
    work.name = m_builder.intern(event.name);
    const GpuRow row = gpuRow(event.category, event.name);
    if (row != GpuRow::None && startNs == 0 && *durationNs == 0)
        return stats().add("zero_timestamps", "GPU events for which the profiler collected no time", Severity::Warning);
    work.correlation = correlationOf(event);
    switch (row) {
        case GpuRow::Kernel:
            work.kind = EventKind::Kernel;
            return addGpuWork(event, work);
        case GpuRow::Memset:
            work.kind = EventKind::Memset;
            return addGpuWork(event, work);
        case GpuRow::Copy:
            return addCopy(event, work);
        case GpuRow::Wait:
            return addWait(event, work);
        case GpuRow::Annotation:
            work.kind = EventKind::Annotation;
            work.correlation = 0;
            work.track = m_tracks.devices().annotations(deviceOf(event));
            return place(work);
        case GpuRow::None:
            break;
    }
    work.kind = hostKind(event.category, event.name);
    if (NamedLanes::mayHold(event))
        return m_lanes.add(event, work);
    work.track = m_tracks.thread(event.pid, event.tid);
    if (work.kind != EventKind::RuntimeCall) {
        work.correlation = 0;
    } else if (const auto async = copyCallFlag(event.name); async && work.correlation != 0) {
        m_copyCalls[work.correlation] = {*async, parseInteger(event.arg("size")).value_or(0)};
    }
    m_collectives.noteOperator(event);
    m_tracks.hostOrder().note(work.track, work.kind, event.name);
    place(work);
}

void KinetoImporter::addGpuWork(const ChromeEvent& event, Event work)
{
    work.track =
        m_tracks.devices().stream(deviceOf(event), EngineLane::Compute, streamOf(event), 0, 0, contextOf(event));
    if (work.kind == EventKind::Kernel && KinetoCollectives::mayHold(event))
        return m_collectives.add(event, work);
    place(work);
}

void KinetoImporter::addWait(const ChromeEvent& event, Event wait)
{
    wait.kind = EventKind::Sync;
    wait.track = m_tracks.devices().syncCalls(deviceOf(event), streamOf(event), 0, contextOf(event));
    place(wait);
}

void KinetoImporter::addCopy(const ChromeEvent& event, Event copy)
{
    const CopyName name = parseCopyName(event.name);
    copy.kind = name.kind;
    copy.copy = CopyInfo{std::max<std::int64_t>(parseInteger(event.arg("bytes")).value_or(0), 0), name.source,
                         name.destination, AsyncFlag::Unknown};
    copy.track = m_tracks.devices().stream(deviceOf(event), engineLane(name.kind, name.betweenDevices), streamOf(event),
                                           0, 0, contextOf(event));
    m_copies.push_back(copy);
}

void KinetoImporter::addMemory(const ChromeEvent& event, std::int64_t timeNs)
{
    stats().add("counter_sample", "values shown as gauges, not as events", Severity::Info);
    const bool host = event.arg("Device Type") == "0";
    const std::string owner = host ? "host memory" : fmt::format("GPU {} memory", event.arg("Device Id"));
    const auto allocated = parseInteger(event.arg("Total Allocated"));
    if (!allocated) {
        m_memory.push_back({timeNs, parseInteger(event.arg("Bytes")).value_or(0), owner + " allocated since start"});
        return;
    }
    const auto sample = [&](std::string_view what, std::int64_t bytes) {
        const TrackId counter = m_tracks.counter({}, fmt::format("{} {}", owner, what), CounterUnit::Bytes);
        if (counter.valid())
            m_builder.addSample(counter, timeNs, static_cast<double>(bytes));
    };
    sample("allocated", *allocated);
    if (const auto reserved = parseInteger(event.arg("Total Reserved")); reserved && !host)
        sample("reserved", *reserved);
}

void KinetoImporter::addCounter(const ChromeEvent& event, std::int64_t timeNs)
{
    bool shown = false;
    for (const auto& [key, text] : event.args) {
        const std::optional<double> number = parseReal(text);
        if (!number || std::abs(*number) >= 1e300)
            continue;
        TrackId counter = m_declared.counter(event);
        if (!counter.valid())
            counter = m_tracks.counter(
                event.pid, event.args.size() == 1 ? std::string(event.name) : fmt::format("{} {}", event.name, key),
                CounterUnit::Count);
        if (!counter.valid())
            continue;
        m_builder.addSample(counter, timeNs, *number);
        shown = true;
    }
    if (shown)
        stats().add("counter_sample", "values shown as gauges, not as events", Severity::Info);
    else
        stats().add("bad_counter", "counter events without a usable number", Severity::Warning);
}

void KinetoImporter::addMetadata(const ChromeEvent& event)
{
    stats().add("metadata", "names and order of processes and threads", Severity::Info);
    if (m_declared.declare(event))
        return;
    const std::string_view name = event.arg("name");
    if (event.name == "process_name" && !name.empty())
        m_tracks.nameProcess(event.pid, name);
    else if (event.name == "thread_name" && !name.empty())
        m_tracks.nameThread(event.pid, event.tid, name);
    else if (event.name == "thread_sort_index")
        m_tracks.orderThread(event.pid, event.tid, parseInteger(event.arg("sort_index")).value_or(0));
}

void KinetoImporter::openRange(const std::string& key, const ChromeEvent& event, std::int64_t startNs)
{
    m_openRanges[key].push_back({startNs, m_builder.intern(event.name), hostKind(event.category, event.name)});
}

void KinetoImporter::closeRange(const std::string& key, TrackId track, std::int64_t endNs)
{
    const auto open = m_openRanges.find(key);
    if (open == m_openRanges.end() || open->second.empty())
        return stats().add("unmatched_end", "ends of ranges that never began", Severity::Warning);
    stats().add("range_end", "ends of ranges, joined with their beginnings", Severity::Info);
    const OpenRange range = open->second.back();
    open->second.pop_back();
    Event event;
    event.track = track;
    event.startNs = range.startNs;
    event.durationNs = endNs - range.startNs;
    event.name = range.name;
    event.kind = range.kind;
    m_tracks.hostOrder().note(track, range.kind, {});
    place(event);
}

void KinetoImporter::addProperty(std::string_view key, std::string_view json)
{
    constexpr std::size_t kWorthShowing = 400;
    if (key == kChromeOverlane)
        m_declared.describe(json);
    if (key == "deviceProperties")
        m_devices = parseDeviceProperties(json);
    if (key == "baseTimeNanoseconds")
        m_baseNs = parseInteger(json);
    if (key == "distributedInfo") {
        m_rank = parseRank(json);
        addParsedRank(m_builder.metadata().properties, json);
    }
    if (!key.empty() && json.size() <= kWorthShowing && key.size() <= kWorthShowing)
        m_builder.metadata().properties[std::string(key)] =
            json.size() >= 2 && json.front() == '"' ? json.substr(1, json.size() - 2) : json;
}

void KinetoImporter::finishCopies(const WorkMeter& work)
{
    // Exactly as many as will come: room for twice as many would be the peak of the whole import.
    m_builder.reserve(m_builder.eventCount() + m_copies.size());
    for (Event& copy : m_copies) {
        work.count();
        if (const auto call = m_copyCalls.find(copy.correlation); copy.correlation != 0 && call != m_copyCalls.end()) {
            copy.copy->async = call->second.async;
            if (copy.copy->bytes == 0)
                copy.copy->bytes = std::max<std::int64_t>(call->second.bytes, 0);
        }
        place(copy);
    }
    m_copies = std::vector<Event>();  // `= {}` would keep the memory
    m_copyCalls = decltype(m_copyCalls)();
}

void KinetoImporter::finishCollectives(const WorkMeter& work)
{
    m_builder.reserve(m_builder.eventCount() + m_collectives.size());
    m_collectives.finish(work, [&](const Event& event, const CollectiveInfo* info) { place(event, info); });
}

void KinetoImporter::finishLanes(const WorkMeter& work)
{
    m_builder.reserve(m_builder.eventCount() + m_lanes.size());
    m_lanes.finish(m_tracks, stats(), work, [&](const Event& event) { place(event); });
}

void KinetoImporter::finishMemory(const WorkMeter& work)
{
    std::stable_sort(m_memory.begin(), m_memory.end(),
                     work.counting([](const MemoryDelta& a, const MemoryDelta& b) { return a.timeNs < b.timeNs; }));
    std::unordered_map<std::string, double> sums;
    for (const MemoryDelta& delta : m_memory) {
        work.count();
        double& sum = sums[delta.counter];
        sum += static_cast<double>(delta.bytes);
        const TrackId counter = m_tracks.counter({}, delta.counter, CounterUnit::Bytes);
        if (counter.valid())
            m_builder.addSample(counter, delta.timeNs, sum);
    }
}

void KinetoImporter::finishRanges()
{
    std::int64_t open = 0;
    for (const auto& [key, ranges] : m_openRanges)
        open += static_cast<std::int64_t>(ranges.size());
    if (open > 0)
        stats().add("unmatched_begin", "ranges that never end", Severity::Warning, open);
}

Trace KinetoImporter::finish(const std::string& fileName, const Progress& progress)
{
    const WorkMeter work(&progress);
    try {
        finishCollectives(work);
        finishCopies(work);
        finishLanes(work);
        finishMemory(work);
    } catch (const WorkMeter::Cancelled&) {
        return {};
    }
    finishRanges();
    m_tracks.finish(m_devices);
    m_builder.metadata().format = rowOf(TraceOrigin::Kineto).id;
    m_builder.metadata().title = m_rank.empty() ? fileName : fileName + ", " + m_rank;
    // build() adds the first event's start; without a base and with small times nothing is known.
    if (m_baseNs && *m_baseNs > 0 && *m_baseNs < kLatestNs)
        m_builder.metadata().startEpochNs = *m_baseNs;
    else if (m_firstNs && *m_firstNs < kEpochLikeNs)
        m_builder.metadata().startEpochNs = -*m_firstNs;
    if (m_declared.isDescribed())
        m_declared.finish(m_devices);
    return m_builder.build(!m_declared.isDescribed(), &progress);
}

}  // namespace overlane
