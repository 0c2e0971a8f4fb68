// KinetoImporter: turns the events of a PyTorch (Kineto) or any Chrome trace into a Trace.
//
// Every event of the file becomes an event on a track or is counted in ImportStats; the two add up
// to metadata().sourceEvents. Facts that stand elsewhere in the file (whether the call behind a
// copy was asynchronous, names of threads) are joined at the end. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/progress.h"
#include "core/base/work_meter.h"
#include "core/io/chrome_event.h"
#include "core/io/declared_tracks.h"
#include "core/io/kineto_collectives.h"
#include "core/io/kineto_tracks.h"
#include "core/io/named_lanes.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

class KinetoImporter
{
public:
    void add(const ChromeEvent& event);
    // An element of the event list that cannot become an event.
    void skip(std::string_view reason, std::string_view explanation, Severity severity);
    // A member of the file beside the event list.
    void addProperty(std::string_view key, std::string_view json);

    ImportStats& stats() { return m_builder.stats(); }
    // Events that memory is held for.
    std::size_t heldEvents() const
    {
        return m_builder.eventCount() + m_copies.size() + m_collectives.size() + m_lanes.size();
    }
    // `fileName` is part of the title. An empty trace once `progress` was cancelled.
    Trace finish(const std::string& fileName, const Progress& progress);

private:
    // What a runtime call that copies tells of the copy behind it.
    struct CopyCall {
        AsyncFlag async = AsyncFlag::Unknown;
        std::int64_t bytes = 0;
    };
    // PyTorch's "[memory]" instants of 2021, which tell only the difference.
    struct MemoryDelta {
        std::int64_t timeNs = 0;
        std::int64_t bytes = 0;
        std::string counter;
    };
    struct OpenRange {
        std::int64_t startNs = 0;
        StringId name;
        EventKind kind = EventKind::HostWork;
    };

    void addPhase(const ChromeEvent& event, char phase);
    void addComplete(const ChromeEvent& event, std::int64_t startNs);
    void addInstant(const ChromeEvent& event, std::int64_t timeNs);
    void addGpuWork(const ChromeEvent& event, Event work);
    void addWait(const ChromeEvent& event, Event wait);
    void addCopy(const ChromeEvent& event, Event copy);
    void addMemory(const ChromeEvent& event, std::int64_t timeNs);
    void addCounter(const ChromeEvent& event, std::int64_t timeNs);
    void addMetadata(const ChromeEvent& event);
    void openRange(const std::string& key, const ChromeEvent& event, std::int64_t startNs);
    void closeRange(const std::string& key, TrackId track, std::int64_t endNs);
    void place(const Event& event, const CollectiveInfo* collective = nullptr);
    void finishCopies(const WorkMeter& work);
    void finishCollectives(const WorkMeter& work);
    void finishLanes(const WorkMeter& work);
    void finishMemory(const WorkMeter& work);
    void finishRanges();

    TraceBuilder m_builder;
    KinetoTracks m_tracks{m_builder};
    DeclaredTracks m_declared{m_builder};
    KinetoCollectives m_collectives{m_builder};
    std::vector<DeviceInfo> m_devices;
    std::vector<Event> m_copies;
    NamedLanes m_lanes;
    std::vector<MemoryDelta> m_memory;
    std::unordered_map<std::uint32_t, CopyCall> m_copyCalls;
    std::unordered_map<std::string, std::vector<OpenRange>> m_openRanges;
    std::string m_rank;
    std::optional<std::int64_t> m_baseNs;
    std::optional<std::int64_t> m_firstNs;
};

}  // namespace overlane
