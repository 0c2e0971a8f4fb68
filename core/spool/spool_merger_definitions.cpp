// What records refer to: who wrote the spool, its devices, contexts, threads, gauges and lanes; read
// again where a spool that was let go grew after all.
#include <algorithm>

#include "core/spool/spool_merger.h"
#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

constexpr std::int32_t kMostActors = 10'000;

bool isCounterUnit(std::uint32_t unit)
{
    return unit <= static_cast<std::uint32_t>(CounterUnit::BytesPerSecond);
}

}  // namespace

void SpoolMerger::readFirst(const SpoolFrame& frame)
{
    m_hasStart = true;
    // A damaged first frame: the file's name still has the number of the process.
    const std::string& path = m_reader.path();
    m_start.pid = static_cast<std::uint32_t>(std::strtoul(path.c_str() + path.rfind('/') + 1, nullptr, 10));
    if (frame.header.kind == spool::FrameKind::ProcessStart)
        frame.each<spool::ProcessStart>([&](const spool::ProcessStart& start) { m_start = start; });
}

void SpoolMerger::resume(std::uint64_t bytes)
{
    SpoolFrame frame;
    while (m_reader.readBytes() < bytes && m_reader.next(frame)) {
        if (!m_hasStart)
            readFirst(frame);
        if (frame.header.kind == spool::FrameKind::Ticks)
            frame.each<spool::Tick>([&](const spool::Tick& tick) { m_tick = tick; });
        else
            readDefinitions(frame);
    }
    m_reader.forgetDamage();
}

// What other records refer to; reading it twice changes nothing. False for every other frame.
bool SpoolMerger::readDefinitions(const SpoolFrame& frame)
{
    const auto each = [&]<typename Record>(Record) { frame.each<Record>([&](const Record& record) { add(record); }); };
    switch (frame.header.kind) {
        case spool::FrameKind::Devices:
            each(spool::Device());
            return true;
        case spool::FrameKind::Contexts:
            each(spool::Context());
            return true;
        case spool::FrameKind::Streams:
            frame.each<spool::Stream>([&](const spool::Stream& stream) {
                constexpr std::uint32_t kDefault = 3;
                if (stream.flags == kDefault)
                    m_shared.tracks.nameDefaultStream(m_number, stream.context, stream.id);
            });
            return true;
        case spool::FrameKind::ThreadNames:
            frame.each<spool::ThreadName>([&](const spool::ThreadName& thread) {
                m_shared.tracks.nameThread(m_start.pid, thread.thread, m_reader.text(thread.name));
            });
            return true;
        case spool::FrameKind::GaugeDefinitions:
            each(spool::GaugeDefinition());
            return true;
        case spool::FrameKind::StackNodes:
            each(spool::StackNode());
            return true;
        case spool::FrameKind::Collectives:
            frame.each<spool::Collective>([&](const spool::Collective& call) { m_collectives.add(call); });
            return true;
        case spool::FrameKind::Lanes:
            frame.each<spool::Lane>([&](const spool::Lane& lane) {
                m_lanes[lane.id] = lane;
                if (lane.thread != 0 && recordedKind(lane.kind) == TrackKind::LoaderActor)
                    m_shared.tracks.makeActor(m_start.pid, lane.thread, std::clamp(lane.sortOrder, 0, kMostActors));
            });
            return true;
        default:
            return false;
    }
}

void SpoolMerger::add(const spool::Device& device)
{
    if (device.id < kMostDevices)
        m_shared.tracks.nameDevice(m_number, device, m_reader.text(device.name));
}

void SpoolMerger::add(const spool::Context& context)
{
    if (context.device < kMostDevices)
        m_contextDevices[context.id] = context.device;
    if (context.defaultStream != spool::kNone)
        m_shared.tracks.nameDefaultStream(m_number, context.id, context.defaultStream);
}

void SpoolMerger::add(const spool::GaugeDefinition& gauge)
{
    const std::string_view text = m_reader.text(gauge.name);
    const CounterUnit unit = isCounterUnit(gauge.unit) ? static_cast<CounterUnit>(gauge.unit) : CounterUnit::Count;
    RecordingTracks& tracks = m_shared.tracks;
    if (gauge.device >= 0 && gauge.device < static_cast<std::int32_t>(kMostDevices))
        m_gauges[gauge.id] =
            tracks.deviceCounter(tracks.deviceId(m_number, static_cast<std::uint32_t>(gauge.device)), text, unit);
    else if (gauge.machineWide != 0)
        m_gauges[gauge.id] = tracks.machineCounter(text, unit);
    else
        m_gauges[gauge.id] = tracks.processCounter(m_start.pid, text, unit);
}

}  // namespace overlane
