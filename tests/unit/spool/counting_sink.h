// CountingSink: counts events and keeps none of them, as a file does that is flushed between parts.
#pragma once

#include <functional>

#include "core/spool/trace_sink.h"

namespace overlane::test
{

class CountingSink final : public TraceSink
{
public:
    TrackId addTrack(TrackId, TrackKind, std::string_view, std::int32_t, std::int64_t, std::int32_t) override
    {
        return TrackId(tracks++);
    }
    void renameTrack(TrackId, std::string_view, std::int32_t) override {}
    void setTrackKind(TrackId, TrackKind) override {}
    void markBookkeeping(TrackId) override {}
    TrackId addCounter(TrackId, std::string_view, CounterUnit, std::int32_t) override { return TrackId(tracks++); }
    StringId intern(std::string_view) override { return StringId(0); }
    void addEvent(const Event&, const CollectiveInfo*) override
    {
        ++events;
        if (onEvent)
            onEvent();
    }
    void addSample(TrackId, std::int64_t, double) override {}
    void addDevice(const DeviceInfo&) override {}
    ImportStats& stats() override { return m_stats; }
    TraceMetadata& metadata() override { return m_metadata; }

    std::uint32_t events = 0;
    std::uint32_t tracks = 0;
    std::function<void()> onEvent;

private:
    ImportStats m_stats;
    TraceMetadata m_metadata;
};

}  // namespace overlane::test
