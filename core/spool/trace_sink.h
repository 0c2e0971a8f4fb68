// TraceSink: where a recording goes while it is merged: into memory, or into a file that grows.
//
// The words are TraceBuilder's and OverlaneWriter's. One thread. Times are nanoseconds since
// metadata().startEpochNs.
#pragma once

#include "core/trace/trace_builder.h"

namespace overlane
{

class TraceSink
{
public:
    virtual ~TraceSink() = default;

    virtual TrackId addTrack(TrackId parent, TrackKind kind, std::string_view name, std::int32_t device,
                             std::int64_t nativeId, std::int32_t sortOrder) = 0;
    virtual void renameTrack(TrackId track, std::string_view name, std::int32_t sortOrder) = 0;
    virtual void setTrackKind(TrackId track, TrackKind kind) = 0;
    virtual void markBookkeeping(TrackId track) = 0;
    virtual TrackId addCounter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t sortOrder) = 0;
    virtual StringId intern(std::string_view text) = 0;
    virtual void addEvent(const Event& event, const CollectiveInfo* collective = nullptr) = 0;
    virtual void addSample(TrackId counter, std::int64_t timeNs, double value) = 0;
    virtual void addDevice(const DeviceInfo& device) = 0;
    virtual ImportStats& stats() = 0;
    virtual TraceMetadata& metadata() = 0;
};

// Target is TraceBuilder or OverlaneWriter; it must outlive the sink.
template <typename Target>
class TraceSinkOf final : public TraceSink
{
public:
    explicit TraceSinkOf(Target& target) : m_target(target) {}

    TrackId addTrack(TrackId parent, TrackKind kind, std::string_view name, std::int32_t device, std::int64_t nativeId,
                     std::int32_t sortOrder) override
    {
        return m_target.addTrack(parent, kind, name, device, nativeId, sortOrder);
    }
    void renameTrack(TrackId track, std::string_view name, std::int32_t sortOrder) override
    {
        m_target.renameTrack(track, name, sortOrder);
    }
    void setTrackKind(TrackId track, TrackKind kind) override { m_target.setTrackKind(track, kind); }
    void markBookkeeping(TrackId track) override { m_target.markBookkeeping(track); }
    TrackId addCounter(TrackId parent, std::string_view name, CounterUnit unit, std::int32_t sortOrder) override
    {
        return m_target.addCounter(parent, name, unit, sortOrder);
    }
    StringId intern(std::string_view text) override { return m_target.intern(text); }
    void addEvent(const Event& event, const CollectiveInfo* collective = nullptr) override
    {
        m_target.addEvent(event, collective);
    }
    void addSample(TrackId counter, std::int64_t timeNs, double value) override
    {
        m_target.addSample(counter, timeNs, value);
    }
    void addDevice(const DeviceInfo& device) override { m_target.addDevice(device); }
    ImportStats& stats() override { return m_target.stats(); }
    TraceMetadata& metadata() override { return m_target.metadata(); }

private:
    Target& m_target;
};

}  // namespace overlane
