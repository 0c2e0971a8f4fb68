#include "core/io/named_lanes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <tuple>

#include "core/base/contains.h"
#include "core/io/chrome_time.h"
#include "core/io/kineto_names.h"

namespace overlane
{
namespace
{

// The number that follows `prefix`, which is taken away with it.
std::optional<std::int64_t> numberAfter(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return std::nullopt;
    const std::string_view rest = text.substr(prefix.size());
    const std::size_t end = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const std::optional<std::int64_t> number = parseInteger(rest.substr(0, end));
    if (number)
        text = rest.substr(end);
    return number;
}

bool isDevice(std::optional<std::int64_t> number)
{
    constexpr std::int64_t kMostDevices = 0x7FFF;
    return number && *number >= 0 && *number <= kMostDevices;
}

// "/device:GPU:0/stream:7 Compute", "/gpu:0/memcpy Compute", "/gpu:0/context#0/stream#1:Kernel Compute".
LaneName parseTensorFlow(std::string_view name)
{
    constexpr std::string_view kSuffix = " Compute";
    name.remove_suffix(kSuffix.size());
    std::size_t at = name.find("GPU:");
    if (at == std::string_view::npos)
        at = name.find("gpu:");
    if (at == std::string_view::npos)
        return {};
    name.remove_prefix(at + 3);
    const std::optional<std::int64_t> device = numberAfter(name, ":");
    if (!isDevice(device) || !name.starts_with("/"))
        return {};
    LaneName lane;
    lane.device = static_cast<std::int32_t>(*device);
    name.remove_prefix(name.rfind('/') + 1);
    if (name == "stream:all") {
        lane.kind = LaneKind::AllStreams;
        return lane;
    }
    if (name == "memcpy") {
        lane.kind = LaneKind::AllCopies;
        return lane;
    }
    std::optional<std::int64_t> stream = numberAfter(name, "stream:");
    if (!stream)
        stream = numberAfter(name, "stream#");
    if (!stream)
        return {};
    lane.kind = LaneKind::Stream;
    lane.stream = *stream;
    return lane;
}

// "GPU0", "COPY", "CPU HIP API"; old versions put a number and a blank before them.
LaneName parseRocprof(std::string_view name)
{
    if (const std::size_t blank = name.find(' ');
        blank != std::string_view::npos && parseInteger(name.substr(0, blank)))
        name.remove_prefix(blank + 1);
    LaneName lane;
    if (name == "COPY")
        lane.kind = LaneKind::RocCopies;
    else if (name == "CPU HIP API")
        lane.kind = LaneKind::RocHipCalls;
    else if (const auto device = numberAfter(name, "GPU"); isDevice(device) && name.empty())
        lane = {LaneKind::RocKernels, static_cast<std::int32_t>(*device), -1};
    return lane;
}

std::uint32_t asCorrelation(std::string_view text)
{
    const std::optional<std::int64_t> id = parseInteger(text);
    return id && *id > 0 && *id <= 0xFFFFFFFFll ? static_cast<std::uint32_t>(*id) : 0;
}

// "(dst(0x7f) src(0x55) sizeBytes(4096) kind(1))".
std::int64_t copiedBytes(std::string_view arguments)
{
    constexpr std::string_view kSize = "sizeBytes(";
    const std::size_t at = arguments.find(kSize);
    if (at == std::string_view::npos)
        return 0;
    std::string_view rest = arguments.substr(at);
    return std::max<std::int64_t>(numberAfter(rest, kSize).value_or(0), 0);
}

}  // namespace

LaneName parseLaneName(std::string_view processName)
{
    return processName.ends_with(" Compute") ? parseTensorFlow(processName) : parseRocprof(processName);
}

bool NamedLanes::mayHold(const ChromeEvent& event)
{
    return event.category == "Op" || !event.arg("BeginNs").empty();
}

std::uint32_t NamedLanes::laneOf(std::string_view pid, std::string_view tid)
{
    const auto [entry, isNew] =
        m_laneNumbers.try_emplace(fmt::format("{}\n{}", pid, tid), static_cast<std::uint32_t>(m_lanes.size()));
    if (isNew)
        m_lanes.push_back({std::string(pid), std::string(tid), {}});
    return entry->second;
}

void NamedLanes::add(const ChromeEvent& chrome, Event event)
{
    constexpr std::int64_t kLatestNs = std::int64_t{1} << 61;
    const std::optional<std::int64_t> beginNs = parseInteger(chrome.arg("BeginNs"));
    const std::optional<std::int64_t> endNs = parseInteger(chrome.arg("EndNs"));
    Row row;
    if (beginNs && endNs && *beginNs >= 0 && *endNs >= *beginNs && *endNs < kLatestNs) {
        event.startNs = *beginNs;
        event.durationNs = *endNs - *beginNs;
        event.correlation = asCorrelation(chrome.arg("Index"));
    }
    if (const auto device = parseInteger(chrome.arg("dev-id")); isDevice(device))
        row.device = static_cast<std::int32_t>(*device);
    for (const char* key : {"stream-id", "queue-id"})
        if (const auto stream = parseInteger(chrome.arg(key)); stream && *stream >= 0 && row.stream < 0)
            row.stream = *stream;
    row.copyKind = parseCopyName(chrome.name).kind;
    row.isCopy =
        row.copyKind != EventKind::CopyOther || contains(chrome.name, "MEMCPY") || contains(chrome.name, "Memcpy");
    row.isFill = contains(chrome.name, "MEMSET") || contains(chrome.name, "Memset") || contains(chrome.name, "Fill");
    if (const auto async = copyCallFlag(chrome.name); async && event.correlation != 0 && chrome.name.starts_with("hip"))
        m_copyCalls[event.correlation] = {*async, copiedBytes(chrome.arg("args"))};
    row.event = event;
    row.lane = laneOf(chrome.pid, chrome.tid);
    m_rows.push_back(row);
}

void NamedLanes::placeOnGpu(Row& row, const LaneName& name, KinetoTracks& tracks, const Place& place)
{
    Event& event = row.event;
    const bool roc = name.kind == LaneKind::RocKernels || name.kind == LaneKind::RocCopies;
    const bool onlyCopies = name.kind == LaneKind::AllCopies || name.kind == LaneKind::RocCopies;
    event.kind = row.isFill ? EventKind::Memset : EventKind::Kernel;
    // A kernel of ROCm may have any name; TensorFlow's rows of a stream are copies by theirs.
    const bool copies = !row.isFill && (onlyCopies || (row.isCopy && name.kind != LaneKind::RocKernels));
    if (name.kind == LaneKind::RocKernels)
        event.kind = EventKind::Kernel;
    if (copies) {
        event.kind = row.copyKind;
        CopyInfo info;
        if (row.copyKind == EventKind::CopyH2D || row.copyKind == EventKind::CopyD2D)
            info.destination = MemoryKind::Device;
        if (row.copyKind == EventKind::CopyD2H || row.copyKind == EventKind::CopyD2D)
            info.source = MemoryKind::Device;
        if (const auto call = m_copyCalls.find(event.correlation);
            event.correlation != 0 && call != m_copyCalls.end()) {
            info.async = call->second.async;
            info.bytes = call->second.bytes;
        }
        event.copy = info;
    }
    // Only an operation of HIP carries the number of its call.
    if (!roc || row.device < 0)
        event.correlation = 0;
    const std::int32_t device = roc && row.device >= 0 ? row.device : name.device;
    const EngineLane engine = copies ? engineLane(event.kind) : EngineLane::Compute;
    event.track = tracks.devices().stream(device, engine, roc ? row.stream : name.stream);
    place(event);
}

void NamedLanes::finish(KinetoTracks& tracks, ImportStats& stats, const WorkMeter& work, const Place& place)
{
    for (Lane& lane : m_lanes)
        lane.name = parseLaneName(tracks.processName(lane.pid));
    const auto kindOf = [&](const Row& row) { return m_lanes[row.lane].name.kind; };
    const bool copiesByHip = std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& row) {
        return kindOf(row) == LaneKind::RocCopies && row.device >= 0;
    });
    // Operations drawn so far and, of the lane that is looked at, how many of them it has told again.
    using Operation = std::tuple<std::int32_t, std::int64_t, std::int64_t, StringId>;
    std::map<Operation, std::array<std::int64_t, 2>> drawn;
    const auto toldBefore = [&](const Row& row, LaneKind kind) {
        const Event& event = row.event;
        auto& [count, again] = drawn[{m_lanes[row.lane].name.device, event.startNs, event.durationNs, event.name}];
        if (kind != LaneKind::Stream && again < count) {
            ++again;
            return true;
        }
        ++count;
        again += kind != LaneKind::Stream;
        return false;
    };
    for (const LaneKind kind : {LaneKind::Stream, LaneKind::AllStreams, LaneKind::AllCopies}) {
        for (Row& row : m_rows) {
            work.count();
            if (kindOf(row) != kind)
                continue;
            if (toldBefore(row, kind))
                stats.add("told_twice", "operations of a stream that \"stream:all\" or \"memcpy\" repeats",
                          Severity::Info);
            else
                placeOnGpu(row, m_lanes[row.lane].name, tracks, place);
        }
        for (auto& [operation, counts] : drawn)
            counts[1] = 0;
    }
    for (Row& row : m_rows) {
        work.count();
        const Lane& lane = m_lanes[row.lane];
        switch (lane.name.kind) {
            case LaneKind::Stream:
            case LaneKind::AllStreams:
            case LaneKind::AllCopies:
                continue;
            case LaneKind::RocCopies:
                if (copiesByHip && row.device < 0) {
                    stats.add("told_twice", "copies of the HSA runtime that HIP's operations repeat", Severity::Info);
                    continue;
                }
                [[fallthrough]];
            case LaneKind::RocKernels:
                placeOnGpu(row, lane.name, tracks, place);
                continue;
            case LaneKind::RocHipCalls:
                row.event.kind = EventKind::RuntimeCall;
                break;
            case LaneKind::Host:
                row.event.correlation = 0;
                break;
        }
        row.event.track = tracks.thread(lane.pid, lane.tid);
        tracks.hostOrder().note(row.event.track, row.event.kind, {});
        place(row.event);
    }
    m_rows = {};
}

}  // namespace overlane
