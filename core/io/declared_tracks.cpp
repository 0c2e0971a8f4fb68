#include "core/io/declared_tracks.h"

#include <algorithm>
#include <limits>
#include <simdjson.h>

#include "core/base/printable_text.h"
#include "core/io/chrome_schema.h"
#include "core/io/chrome_time.h"
#include "core/io/kineto_names.h"
#include "core/io/overlane_schema.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kLargestNumber = std::int64_t{1} << 61;

std::string textOf(simdjson::dom::element object, const char* key)
{
    std::string_view text;
    return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::int64_t numberOf(simdjson::dom::element object, const char* key)
{
    std::int64_t number = 0;
    const bool isThere = object[key].get(number) == simdjson::SUCCESS;
    return isThere && number > -kLargestNumber && number < kLargestNumber ? number : 0;
}

void readStats(simdjson::dom::element member, std::vector<ImportStat>& stats)
{
    constexpr std::size_t kMostStats = 1000;
    simdjson::dom::array list;
    if (member["stats"].get(list) != simdjson::SUCCESS)
        return;
    for (const simdjson::dom::element stat : list) {
        const std::int64_t severity = numberOf(stat, "severity");
        const std::int64_t count = numberOf(stat, "count");
        if (stats.size() < kMostStats && severity >= 0 && severity <= static_cast<int>(Severity::Error) && count >= 0)
            stats.push_back({printableText(textOf(stat, "reason")), printableText(textOf(stat, "explanation")),
                             static_cast<Severity>(severity), count});
    }
}

std::int32_t smallNumber(std::string_view text, std::int64_t otherwise)
{
    using Limits = std::numeric_limits<std::int32_t>;
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(parseInteger(text).value_or(otherwise), Limits::min(), Limits::max()));
}

std::uint32_t unsignedNumber(std::string_view text, std::uint32_t otherwise)
{
    const std::optional<std::int64_t> number = parseInteger(text);
    return number && *number >= 0 && *number <= 0xFFFFFFFFll ? static_cast<std::uint32_t>(*number) : otherwise;
}

// A label may be empty.
std::string nameOf(const ChromeEvent& event)
{
    for (const auto& [key, value] : event.args)
        if (key == "label")
            return unescapedJson(value);
    return std::string(event.name);
}

CopyInfo copyOf(const ChromeEvent& event)
{
    CopyInfo copy;
    copy.bytes = std::max<std::int64_t>(parseInteger(event.arg("bytes")).value_or(0), 0);
    copy.source = memoryKindOf(event.arg("source"));
    copy.destination = memoryKindOf(event.arg("destination"));
    if (const std::string_view call = event.arg("call_kind"); !call.empty())
        copy.async = call == "async" ? AsyncFlag::Async : AsyncFlag::Sync;
    return copy;
}

}  // namespace

void DeclaredTracks::describe(std::string_view json)
{
    simdjson::dom::parser parser;
    simdjson::dom::element member;
    std::int64_t version = 0;
    if (m_isDescribed || parser.parse(json.data(), json.size()).get(member) != simdjson::SUCCESS ||
        member["version"].get(version) != simdjson::SUCCESS || version != kChromeVersion)
        return;
    m_isDescribed = true;
    m_format = textOf(member, "format");
    m_title = textOf(member, "title");
    m_scenario = textOf(member, "scenario");
    m_startEpochNs = numberOf(member, "start_epoch_ns");
    m_zeroNs = numberOf(member, "zero_ns");
    m_events = numberOf(member, "events");
    m_sourceEvents = numberOf(member, "source_events");
    readStats(member, m_stats);
    simdjson::dom::object properties;
    if (member["properties"].get(properties) == simdjson::SUCCESS)
        for (const auto& [name, value] : properties)
            if (std::string_view text; value.get(text) == simdjson::SUCCESS)
                m_properties[std::string(name)] = text;
}

const DeclaredTracks::Declared* DeclaredTracks::find(std::string_view number) const
{
    const std::optional<std::int64_t> at = parseInteger(number);
    const bool isKnown = at && *at >= 0 && *at < static_cast<std::int64_t>(m_tracks.size());
    return isKnown ? &m_tracks[static_cast<std::size_t>(*at)] : nullptr;
}

bool DeclaredTracks::declare(const ChromeEvent& event)
{
    if (!m_isDescribed || event.name != kChromeTrackEvent ||
        parseInteger(event.arg("track")) != static_cast<std::int64_t>(m_tracks.size()))
        return false;
    const std::optional<TrackKind> kind = trackKindOf(event.arg("kind"));
    const std::string_view above = event.arg("parent");
    const Declared* parent = above.empty() ? nullptr : find(above);
    if (!kind || (parent == nullptr) != above.empty() || (parent && parent->depth >= kOverlaneDeepestTrack))
        return false;
    const std::string name = unescapedJson(event.arg("name"));
    const TrackId parentId = parent ? parent->id : TrackId();
    const std::int32_t order = smallNumber(event.arg("order"), 0);
    Declared track;
    track.depth = parent ? parent->depth + 1 : 0;
    track.isCounter = *kind == TrackKind::Counter;
    if (track.isCounter)
        track.id = m_builder.addCounter(parentId, name, counterUnitOf(event.arg("unit")), order);
    else
        track.id = m_builder.addTrack(parentId, *kind, name, std::max(smallNumber(event.arg("device"), -1), -1),
                                      parseInteger(event.arg("native_id")).value_or(0), order);
    if (event.arg("bookkeeping") == "1")
        m_builder.markBookkeeping(track.id);
    m_tracks.push_back(track);
    return true;
}

std::optional<Event> DeclaredTracks::event(const ChromeEvent& event, std::int64_t startNs, std::int64_t durationNs)
{
    const Declared* track = m_isDescribed ? find(event.arg("track")) : nullptr;
    if (track == nullptr || track->isCounter)
        return std::nullopt;
    Event made;
    made.track = track->id;
    made.startNs = startNs;
    made.durationNs = durationNs;
    made.kind = chromeKind(event.category, event.arg("kind"), event.arg("direction"));
    made.name = m_builder.intern(nameOf(event));
    made.correlation = unsignedNumber(event.arg("correlation"), 0);
    made.process = unsignedNumber(event.arg("scope"), 1);
    made.graph = unsignedNumber(event.arg("graph id"), 0);
    made.color = unsignedNumber(event.arg("color"), 0);
    if (isCopy(made.kind))
        made.copy = copyOf(event);
    return made;
}

TrackId DeclaredTracks::counter(const ChromeEvent& event) const
{
    const Declared* track = m_isDescribed ? find(event.tid) : nullptr;
    return track != nullptr && track->isCounter ? track->id : TrackId();
}

void DeclaredTracks::restoreCounts()
{
    ImportStats stats;
    for (const ImportStat& stat : m_stats)
        stats.add(stat.reason, stat.explanation, stat.severity, stat.count);
    for (const ImportStat& stat : m_builder.stats().all())
        if (stat.severity != Severity::Info)
            stats.add(stat.reason, stat.explanation, stat.severity, stat.count);
    m_builder.stats() = stats;
    m_builder.metadata().sourceEvents = std::max<std::int64_t>(m_sourceEvents, 0);
}

void DeclaredTracks::finish(const std::vector<DeviceInfo>& devices)
{
    for (const DeviceInfo& device : devices)
        m_builder.addDevice(device);
    TraceMetadata& metadata = m_builder.metadata();
    if (static_cast<std::int64_t>(m_builder.eventCount()) == m_events)
        restoreCounts();
    metadata.format = m_format;
    metadata.title = m_title;
    metadata.scenarioJson = m_scenario;
    metadata.startEpochNs = m_startEpochNs;
    metadata.properties = m_properties;
}

}  // namespace overlane
