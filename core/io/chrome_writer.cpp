#include "core/io/chrome_writer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <unordered_map>

#include "core/io/chrome_places.h"
#include "core/io/chrome_schema.h"
#include "core/io/json_text.h"
#include "core/io/kineto_names.h"
#include "core/io/link_scopes.h"
#include "core/io/text_sink.h"
#include "core/trace/made_by_hand.h"
#include "core/trace/track_kinds.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

constexpr std::size_t kEventsPerReport = 4096;

template <typename... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values&&... values)
{
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

// Microseconds with every nanosecond; not negative.
void appendMicroseconds(std::string& text, std::int64_t ns)
{
    append(text, "{}.{:03}", ns / 1000, ns % 1000);
}

// What all events of a row of a track have in common.
struct RowText {
    std::string place;  // "pid":0,"tid":7
    std::string args;   // "device":0,"stream":7, for work of a device
    bool onDevice = false;
    bool betweenDevices = false;
};

class ChromeWriter
{
public:
    ChromeWriter(const Trace& trace, TextSink& sink, Progress& progress, const WorkMeter& work)
        : m_trace(trace),
          m_sink(sink),
          m_progress(progress),
          m_work(work),
          m_places(trace, work),
          m_processes(neededProcesses(trace)),
          m_zeroNs(std::max<std::int64_t>(0, -trace.span().startNs))
    {
    }
    Result<void> write();

private:
    void addHead();
    void addOverlane();
    void addDevices();
    Result<void> addNames();
    Result<void> addTracks();
    Result<void> addEvents();
    void addEvent(EventIndex index, const Track& track, const RowText& row);
    void addArgs(EventIndex index, const Event& event, const RowText& row, bool isRenamed);
    void addCollective(const CollectiveInfo& collective);
    void addFlow(EventIndex index, const Event& event, const RowText& row);
    Result<void> addCounters();
    RowText rowText(TrackId id, std::size_t row) const;
    std::string shownName(EventIndex index, const Event& event, const RowText& row) const;
    // Begins an element of the list of events.
    std::string& element()
    {
        m_sink.text() += m_isFirst ? "\n" : ",\n";
        m_isFirst = false;
        return m_sink.text();
    }

    const Trace& m_trace;
    TextSink& m_sink;
    Progress& m_progress;
    const WorkMeter& m_work;
    const ChromePlaces m_places;
    const std::vector<std::uint32_t> m_processes;
    const std::int64_t m_zeroNs;  // added to all times, since none may be negative
    bool m_isFirst = true;
};

void ChromeWriter::addOverlane()
{
    const TraceMetadata& metadata = m_trace.metadata();
    std::string& text = m_sink.text();
    append(text, "\"{}\":{{\"version\":{},\"format\":", kChromeOverlane, kChromeVersion);
    appendJsonText(text, metadata.format);
    text += ",\"title\":";
    appendJsonText(text, metadata.title);
    append(text, ",\"start_epoch_ns\":{},\"zero_ns\":{},\"scenario\":", metadata.startEpochNs, m_zeroNs);
    appendJsonText(text, metadata.scenarioJson);
    text += ",\"properties\":{";
    bool first = true;
    for (const auto& [name, value] : metadata.properties) {
        if (isMadeByHand(name))
            continue;
        text += first ? "" : ",";
        first = false;
        appendJsonText(text, name);
        text += ':';
        appendJsonText(text, value);
    }
    append(text, "}},\"events\":{},\"source_events\":{},\"stats\":[", m_trace.eventCount(), metadata.sourceEvents);
    first = true;
    for (const ImportStat& stat : m_trace.stats().all()) {
        text += first ? "{\"reason\":" : ",{\"reason\":";
        first = false;
        appendJsonText(text, stat.reason);
        text += ",\"explanation\":";
        appendJsonText(text, stat.explanation);
        append(text, ",\"severity\":{},\"count\":{}}}", static_cast<int>(stat.severity), stat.count);
    }
    text += "]}";
}

void ChromeWriter::addDevices()
{
    std::string& text = m_sink.text();
    text += "\"deviceProperties\":[";
    bool first = true;
    for (const DeviceInfo& device : m_trace.devices()) {
        append(text, "{}{{\"id\":{},\"name\":", first ? "" : ",", device.id);
        first = false;
        appendJsonText(text, device.name);
        append(text, ",\"totalGlobalMem\":{}", device.memoryBytes);
        if (std::isfinite(device.linkBytesPerSecond) && device.linkBytesPerSecond > 0)
            append(text, ",\"linkBytesPerSecond\":{}", device.linkBytesPerSecond);
        text += '}';
    }
    text += ']';
}

void ChromeWriter::addHead()
{
    m_sink.text() += "{\n\"schemaVersion\":1,\n";
    addOverlane();
    m_sink.text() += ",\n";
    addDevices();
    if (m_trace.metadata().startEpochNs > m_zeroNs)
        append(m_sink.text(), ",\n\"baseTimeNanoseconds\":{}", m_trace.metadata().startEpochNs - m_zeroNs);
    m_sink.text() += ",\n\"displayTimeUnit\":\"ms\",\n\"traceEvents\":[";
}

Result<void> ChromeWriter::addNames()
{
    std::int64_t order = 0;
    for (const ChromePlaces::Process& process : m_places.processes()) {
        append(element(), R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":)", process.number);
        appendJsonText(m_sink.text(), process.name);
        m_sink.text() += "}}";
        append(element(), R"({{"ph":"M","name":"process_sort_index","pid":{},"tid":0,"args":{{"sort_index":{}}}}})",
               process.number, order++);
        RETURN_IF_ERROR(m_sink.pass());
    }
    order = 0;
    for (const ChromePlaces::Thread& thread : m_places.threads()) {
        const auto [process, number] = thread.place;
        append(element(), R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":)", process, number);
        appendJsonText(m_sink.text(), thread.name);
        m_sink.text() += "}}";
        append(element(), R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
               process, number, order++);
        RETURN_IF_ERROR(m_sink.pass());
    }
    return {};
}

Result<void> ChromeWriter::addTracks()
{
    std::unordered_map<TrackId, CounterUnit> units;
    for (const CounterSeries& series : m_trace.counters())
        units.emplace(series.track, series.unit);
    for (std::size_t at = 0; at < m_trace.tracks().size(); ++at) {
        const TrackId id(at);
        const Track& track = m_trace.track(id);
        const auto [process, thread] = m_places.of(id, 0);
        std::string& text = element();
        append(text, R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"track":{})", kChromeTrackEvent, process,
               thread, at);
        if (track.parent.valid())
            append(text, ",\"parent\":{}", track.parent.value());
        append(text, ",\"kind\":\"{}\",\"name\":", rowOf(track.kind).id);
        appendJsonText(text, track.name);
        append(text, ",\"device\":{},\"native_id\":{},\"order\":{}", track.device, track.nativeId, track.sortOrder);
        if (const auto unit = units.find(id); unit != units.end())
            append(text, ",\"unit\":\"{}\"", counterUnitId(unit->second));
        if (track.bookkeeping)
            text += ",\"bookkeeping\":1";
        text += "}}";
        RETURN_IF_ERROR(m_sink.pass());
    }
    return {};
}

RowText ChromeWriter::rowText(TrackId id, std::size_t row) const
{
    const Track& track = m_trace.track(id);
    const auto [process, thread] = m_places.of(id, row);
    RowText text;
    text.place = fmt::format("\"pid\":{},\"tid\":{}", process, thread);
    text.onDevice = track.device >= 0;
    text.args = fmt::format("\"track\":{}", id.value());
    if (text.onDevice)
        text.args += fmt::format(",\"device\":{}", track.device);
    if (track.kind == TrackKind::Stream) {
        text.args += fmt::format(",\"stream\":{}", track.nativeId);
        if (const std::int64_t context = contextOfName(track.name); context != 0)
            text.args += fmt::format(",\"context\":{}", context);
    }
    if (track.parent.valid()) {
        const Track& parent = m_trace.track(track.parent);
        text.betweenDevices = parent.kind == TrackKind::EnginePeer && parent.name == engineTrackName(EngineLane::P2P);
    }
    return text;
}

// Tools read the direction and the memory of a copy from its name.
std::string ChromeWriter::shownName(EventIndex index, const Event& event, const RowText& row) const
{
    if (!event.copy)
        return {};
    const CopyName said = parseCopyName(m_trace.name(index));
    const bool saysAll = said.kind == event.kind && said.source == event.copy->source &&
                         said.destination == event.copy->destination && said.betweenDevices == row.betweenDevices;
    return saysAll ? std::string() : chromeCopyName(event.kind, *event.copy, row.betweenDevices);
}

void ChromeWriter::addArgs(EventIndex index, const Event& event, const RowText& row, bool isRenamed)
{
    std::string& text = m_sink.text();
    text += ",\"args\":{" + row.args;
    if (event.correlation != 0)
        append(text, ",\"correlation\":{}", event.correlation);
    if (m_processes[index.index()] != 1)
        append(text, ",\"scope\":{}", m_processes[index.index()]);
    if (event.copy) {
        append(text, R"(,"bytes":{},"direction":"{}","source":"{}","destination":"{}")", event.copy->bytes,
               copyDirectionId(event.kind), memoryKindName(event.copy->source),
               memoryKindName(event.copy->destination));
        if (event.copy->async != AsyncFlag::Unknown)
            append(text, ",\"call_kind\":\"{}\"", event.copy->async == AsyncFlag::Async ? "async" : "sync");
    }
    if (event.kind == EventKind::Step || (event.kind == EventKind::Sync && !row.onDevice))
        append(text, ",\"kind\":\"{}\"", kindName(event.kind));
    if (const CollectiveInfo* collective = m_trace.collective(index))
        addCollective(*collective);
    if (event.graph != 0)
        append(text, ",\"graph id\":{}", event.graph);
    if (event.color != 0)
        append(text, ",\"color\":{}", event.color);
    if (isRenamed) {
        text += ",\"label\":";
        appendJsonText(text, m_trace.name(index));
    }
    text += '}';
}

// In the words of PyTorch's profiler, which says elements and their type.
void ChromeWriter::addCollective(const CollectiveInfo& collective)
{
    std::string& text = m_sink.text();
    append(text, ",\"Collective name\":\"{}\"", chromeCollectiveName(collective.kind));
    if (collective.bytes > 0)
        append(text, R"(,"In msg nelems":{0},"Out msg nelems":{0},"dtype":"Byte")", collective.bytes);
    if (collective.groupSize > 0)
        append(text, ",\"Group size\":{}", collective.groupSize);
    if (collective.sequence >= 0)
        append(text, ",\"Seq\":{}", collective.sequence);
    if (collective.group.valid()) {
        text += ",\"Process Group Name\":";
        appendJsonText(text, m_trace.strings().view(collective.group));
    }
}

void ChromeWriter::addFlow(EventIndex index, const Event& event, const RowText& row)
{
    const bool isWork = isDeviceWork(event.kind);
    if (event.correlation == 0 || !m_trace.link(index).valid())
        return;
    // A number of its own in each scope, below what a double holds exactly.
    const std::uint64_t scope = m_processes[index.index()] & 0x1FFFFFu;
    const std::uint64_t id = event.correlation | (scope > 1 ? (scope - 1) << 32 : 0);
    append(element(), R"({{"ph":"{}","id":{},"cat":"ac2g","name":"ac2g",{},"ts":)", isWork ? "f" : "s", id, row.place);
    appendMicroseconds(m_sink.text(), event.startNs + m_zeroNs);
    m_sink.text() += isWork ? ",\"bp\":\"e\"}" : "}";
}

void ChromeWriter::addEvent(EventIndex index, const Track& track, const RowText& row)
{
    const Event event = m_trace.event(index);
    const std::string shown = shownName(index, event, row);
    const bool isPoint = event.kind == EventKind::Instant && event.durationNs == 0;
    std::string_view category = chromeCategory(event.kind);
    if (event.kind == EventKind::Annotation && track.device >= 0)
        category = kChromeDeviceAnnotation;
    if (event.kind == EventKind::Sync && !row.onDevice)
        category = chromeCategory(EventKind::RuntimeCall);
    std::string& text = element();
    append(text, R"({{"ph":"{}","cat":"{}","name":)", isPoint ? "i" : "X", category);
    appendJsonText(text, shown.empty() ? m_trace.name(index) : std::string_view(shown));
    text += ',';
    text += row.place;
    text += ",\"ts\":";
    appendMicroseconds(text, event.startNs + m_zeroNs);
    if (isPoint) {
        text += ",\"s\":\"t\"";
    } else {
        text += ",\"dur\":";
        appendMicroseconds(text, event.durationNs);
    }
    addArgs(index, event, row, !shown.empty());
    text += '}';
    addFlow(index, event, row);
}

Result<void> ChromeWriter::addEvents()
{
    std::size_t done = 0;
    for (std::size_t at = 0; at < m_trace.tracks().size(); ++at) {
        const Track& track = m_trace.tracks()[at];
        for (std::size_t row = 0; row < track.rows.size(); ++row) {
            const RowText text = rowText(TrackId(at), row);
            for (std::uint32_t event = track.rows[row].first; event < track.rows[row].last; ++event) {
                addEvent(EventIndex(event), track, text);
                RETURN_IF_ERROR(m_sink.pass());
                m_work.count();
                if (++done % kEventsPerReport == 0)
                    m_progress.report(static_cast<double>(done) / static_cast<double>(m_trace.eventCount()));
            }
        }
    }
    return {};
}

Result<void> ChromeWriter::addCounters()
{
    for (const CounterSeries& series : m_trace.counters()) {
        std::string head = fmt::format(R"({{"ph":"C","pid":{},"tid":{},"name":)", m_places.of(series.track, 0).process,
                                       series.track.value());
        appendJsonText(head, m_trace.track(series.track).name);
        for (std::size_t at = 0; at < series.timesNs.size(); ++at) {
            m_work.count();
            if (!std::isfinite(series.values[at]))
                continue;
            std::string& text = element();
            text += head;
            text += ",\"ts\":";
            appendMicroseconds(text, series.timesNs[at] + m_zeroNs);
            append(text, ",\"args\":{{\"{}\":{}}}}}", counterUnitId(series.unit), series.values[at]);
            RETURN_IF_ERROR(m_sink.pass());
        }
    }
    return {};
}

Result<void> ChromeWriter::write()
{
    addHead();
    RETURN_IF_ERROR(addNames());
    RETURN_IF_ERROR(addTracks());
    RETURN_IF_ERROR(addEvents());
    RETURN_IF_ERROR(addCounters());
    m_sink.text() += "\n]\n}\n";
    RETURN_IF_ERROR(m_sink.commit());
    m_progress.report(1);
    return {};
}

}  // namespace

Result<void> writeChrome(const Trace& trace, const std::string& path, Progress& progress)
{
    return attempt("write the trace", &progress, [&](const WorkMeter& work) -> Result<void> {
        ASSIGN_OR_RETURN(TextSink sink, TextSink::open(path));
        return ChromeWriter(trace, sink, progress, work).write();
    });
}

}  // namespace overlane
