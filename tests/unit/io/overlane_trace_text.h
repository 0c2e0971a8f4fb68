// A trace as text, complete: two traces are equal where their texts are. Also a folder that is
// removed with its test, and random traces from a seed.
#pragma once

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "core/trace/trace_builder.h"

namespace overlane::test
{

inline std::string traceText(const Trace& trace)
{
    std::string text;
    const TraceMetadata& metadata = trace.metadata();
    text += fmt::format("{} | {} | {} | {} | {} | {}\n", metadata.format, metadata.title, metadata.startEpochNs,
                        metadata.sourceEvents, metadata.scenarioJson, metadata.notes);
    for (const auto& [name, value] : metadata.properties)
        text += fmt::format("property {} = {}\n", name, value);
    for (const DeviceInfo& device : trace.devices())
        text +=
            fmt::format("device {} {} {} {}\n", device.id, device.name, device.memoryBytes, device.linkBytesPerSecond);
    for (const ImportStat& stat : trace.stats().all())
        text += fmt::format("stat {} {} {} {}\n", stat.reason, stat.explanation, static_cast<int>(stat.severity),
                            stat.count);
    for (std::size_t id = 0; id < trace.strings().size(); ++id)
        text += fmt::format("string {}\n", trace.strings().view(StringId(id)));
    for (const TrackId root : trace.roots())
        text += fmt::format("root {}\n", root.value());
    for (const Track& track : trace.tracks()) {
        text += fmt::format("track {} {} {} {} {} {} {}events {}-{} rows", track.parent.value(),
                            static_cast<int>(track.kind), track.name, track.device, track.nativeId, track.sortOrder,
                            track.bookkeeping ? "bookkeeping " : "", track.events.first, track.events.last);
        for (const EventRange row : track.rows)
            text += fmt::format(" {}-{}", row.first, row.last);
        for (const TrackId child : track.children)
            text += fmt::format(" child {}", child.value());
        text += '\n';
    }
    for (const CounterSeries& series : trace.counters()) {
        text += fmt::format("counter {} {}", series.track.value(), static_cast<int>(series.unit));
        for (std::size_t at = 0; at < series.timesNs.size(); ++at)
            text += fmt::format(" {}={:x}", series.timesNs[at], std::bit_cast<std::uint64_t>(series.values[at]));
        text += '\n';
    }
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        const EventIndex index(at);
        const Event event = trace.event(index);
        text += fmt::format("event {} {} {} {} {} {} link {}", event.track.value(), event.startNs, event.durationNs,
                            event.name.value(), kindName(event.kind), event.correlation, trace.link(index).value());
        for (const EventIndex work : trace.linkedWork(index))
            text += fmt::format(" {}", work.value());
        if (event.copy)
            text += fmt::format(" copy {} {} {} {}", event.copy->bytes, memoryKindName(event.copy->source),
                                memoryKindName(event.copy->destination), static_cast<int>(event.copy->async));
        if (event.color != 0)
            text += fmt::format(" colour {:08x}", event.color);
        if (event.graph != 0)
            text += fmt::format(" graph {}", event.graph);
        if (const CollectiveInfo* info = trace.collective(index))
            text += fmt::format(" {} '{}' {} {} {}", collectiveKindName(info->kind),
                                info->group.valid() ? trace.strings().view(info->group) : "none", info->sequence,
                                info->bytes, info->groupSize);
        text += '\n';
    }
    return text;
}

// Nested, overlapping and simultaneous events, shared correlation numbers over several processes,
// calls without work, work without calls, one call with much work, counters, awkward names.
inline Trace randomTrace(std::uint32_t seed, int events)
{
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    TraceBuilder builder;
    builder.metadata().format = "kineto";
    builder.metadata().title = "seed " + std::to_string(seed);
    builder.metadata().startEpochNs = 1'700'000'000'000'000'000 + seed;
    builder.metadata().sourceEvents = events;
    builder.metadata().scenarioJson = "{\"batches\":3}";
    builder.metadata().notes = "first line\nsecond \"line\"\t\xc3\xa9";
    builder.metadata().properties["a'b"] = "x;DROP TABLE strings";
    builder.metadata().properties["empty"] = "";
    std::vector<TrackId> leaves;
    for (std::uint32_t process = 0; process < 3; ++process) {
        const TrackId parent = builder.addTrack({}, TrackKind::Process, "process", -1, process, 3 - process);
        for (std::uint32_t thread = 0; thread < 2; ++thread)
            leaves.push_back(builder.addTrack(parent, TrackKind::Thread, "thread", -1, thread));
    }
    const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU 3", 3);
    builder.addDevice({3, "a device", std::int64_t{80} << 30, 55.5e9});
    for (std::int64_t stream = 0; stream < 3; ++stream)
        leaves.push_back(builder.addTrack(device, TrackKind::Stream, "stream", 3, stream, -1));
    const TrackId counter = builder.addCounter(device, "pinned", CounterUnit::Bytes, 5);
    const TrackId emptyCounter = builder.addCounter({}, "empty", CounterUnit::Percent);
    (void)emptyCounter;
    builder.markBookkeeping(leaves[2]);
    builder.markBookkeeping(device);
    std::vector<StringId> names = {builder.intern(""), builder.intern(std::string("zero\0byte", 9)),
                                   builder.intern("\xff\xfe not UTF-8"), StringId()};
    for (int at = 0; at < 20; ++at)
        names.push_back(builder.intern("name " + std::to_string(at)));
    for (int at = 0; at < events; ++at) {
        Event event;
        event.track = leaves[below(static_cast<std::uint32_t>(leaves.size()))];
        event.startNs = std::int64_t{below(static_cast<std::uint32_t>(events))} * 3;
        event.durationNs = below(4) == 0 ? 0 : below(60);
        event.name = names[below(static_cast<std::uint32_t>(names.size()))];
        event.kind = static_cast<EventKind>(below(kEventKindCount));
        event.correlation = below(static_cast<std::uint32_t>(events) / 4 + 1);
        event.process = below(3);
        if (isCopy(event.kind))
            event.copy = CopyInfo{below(1 << 30), static_cast<MemoryKind>(below(6)), static_cast<MemoryKind>(below(6)),
                                  static_cast<AsyncFlag>(below(3))};
        if (at % 11 == 0)
            event.color = 0xFF000000u + static_cast<std::uint32_t>(at);
        if (at % 5 == 0)
            event.graph = 1 + static_cast<std::uint32_t>(at % 3);
        const CollectiveInfo collective{static_cast<CollectiveKind>(at % kCollectiveKindCount),
                                        at % 4 == 0 ? StringId() : names[static_cast<std::size_t>(4 + at % 3)],
                                        at % 9 - 1, at % 8 == 0 ? 0 : at * 1000, at % 5};
        builder.addEvent(event, event.kind == EventKind::Kernel && at % 3 != 0 ? &collective : nullptr);
        if (at % 7 == 0)
            builder.addSample(counter, below(1000), at % 49 == 0 ? -0.0 : below(1000) / 7.0);
    }
    builder.stats().add("negative_duration", "events that end before they start", Severity::Warning, 7);
    builder.stats().add("other", "", Severity::Error, 0);
    return builder.build();
}

class TemporaryFolder : public testing::Test
{
protected:
    TemporaryFolder()
    {
        std::string folder = (std::filesystem::temp_directory_path() / "overlane-test-XXXXXX").string();
        m_folder = ::mkdtemp(folder.data());
    }
    ~TemporaryFolder() override
    {
        std::error_code failure;
        std::filesystem::remove_all(m_folder, failure);
    }
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    std::size_t fileCount() const
    {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(m_folder))
            ++count;
        return count;
    }

private:
    std::filesystem::path m_folder;
};

}  // namespace overlane::test
