#include "cupti/engine/engine_spool.h"

#include <unistd.h>

#include "core/spool/spool_clock.h"
#include "core/spool/this_process.h"
#include "core/trace/track.h"

namespace overlane
{

EngineSpool::EngineSpool(const std::string& directory)
{
    if (directory.empty())
        return;
    const std::int64_t nowNs = monotonicNs();
    m_control = RecordControl::open(directory.c_str());
    if (!m_writer.open(directory, static_cast<std::uint32_t>(getpid()), nowNs)) {
        tellWriteError();
        return;
    }
    spool::ProcessStart start = thisProcess(nowNs);
    start.program = m_writer.intern("Training process");
    start.producer = spool::Producer::Script;
    m_writer.add(start);
}

std::uint32_t EngineSpool::addActor(std::string_view name, pid_t thread, std::int32_t place)
{
    spool::ThreadName named;
    named.thread = static_cast<std::uint32_t>(thread);
    named.name = m_writer.intern(name);
    m_writer.add(named);
    spool::Lane lane;
    lane.id = m_lanes++;
    lane.name = named.name;
    lane.kind = static_cast<std::uint32_t>(TrackKind::LoaderActor);
    lane.sortOrder = place;
    lane.thread = named.thread;
    m_writer.add(lane);
    return lane.id;
}

std::uint32_t EngineSpool::addLane(std::string_view name, bool bookkeeping)
{
    spool::Lane lane;
    lane.id = m_lanes++;
    lane.name = m_writer.intern(name);
    lane.kind = static_cast<std::uint32_t>(TrackKind::Annotations);
    lane.bookkeeping = bookkeeping ? 1 : 0;
    m_writer.add(lane);
    return lane.id;
}

void EngineSpool::add(std::uint32_t lane, EventKind kind, std::string_view name, std::int64_t startNs,
                      std::int64_t endNs)
{
    spool::LaneEvent event;
    event.startNs = startNs;
    event.endNs = endNs;
    event.lane = lane;
    event.name = m_writer.intern(name);
    event.kind = static_cast<std::uint32_t>(kind);
    m_writer.add(event);
}

std::uint32_t EngineSpool::addGauge(std::string_view name, bool bytes)
{
    spool::GaugeDefinition gauge;
    gauge.id = m_gauges++;
    gauge.name = m_writer.intern(name);
    gauge.unit = static_cast<std::uint32_t>(bytes ? CounterUnit::Bytes : CounterUnit::Count);
    gauge.sortOrder = static_cast<std::int32_t>(gauge.id);
    m_writer.add(gauge);
    return gauge.id;
}

void EngineSpool::addSample(std::uint32_t gauge, std::int64_t timeNs, double value)
{
    m_writer.add(spool::GaugeSample{timeNs, value, gauge, 0});
}

void EngineSpool::flush()
{
    if (isOpen() && !m_writer.flush())
        tellWriteError();
}

void EngineSpool::tellWriteError()
{
    if (m_control.valid())
        m_control.tellWriteError(m_writer.error());
}

}  // namespace overlane
