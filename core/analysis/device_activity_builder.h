// DeviceActivityBuilder: makes the DeviceActivity of one device from its rows of a trace.
//
// Owned by deviceActivities() for as long as it runs; one thread. Linear in the events of the rows.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "core/analysis/device_activity.h"
#include "core/analysis/stream_owners.h"
#include "core/trace/name_classes.h"

namespace overlane
{

// What the name of GPU work or of the call behind it tells, asked once per name.
enum class GpuNameClass : std::uint8_t { NotAsked, Plain, CommunicationKernel, PeerCopy, Migration, GraphLaunch };
GpuNameClass gpuNameClass(std::string_view name);
using GpuNames = NameClasses<GpuNameClass>;

class DeviceActivityBuilder
{
public:
    // `activity` tells the device; several processes: that use GPUs, in the whole trace.
    DeviceActivityBuilder(DeviceActivity activity, bool areSeveralProcesses);

    void addTrack(const Trace& trace, GpuNames& names, TrackId id, const StreamOwners& owners, const WorkMeter& work);
    // Once, after all tracks.
    DeviceActivity finish(const Trace& trace, GpuNames& names, const WorkMeter& work);

private:
    void addRow(const Trace& trace, GpuNames& names, const Track& track, StreamKey stream, EventRange row,
                const WorkMeter& work);
    void noteStream(const Trace& trace, TrackId id, const StreamOwners& owners);
    void findIdle(const Trace& trace, GpuNames& names, const WorkMeter& work);
    void findDefaultStreams(const Trace& trace);
    void findProcessesAtOnce(const WorkMeter& work);

    DeviceActivity m_activity;
    bool m_areSeveralProcesses;
    // One set per row, united at the end.
    std::vector<IntervalSet> m_h2d, m_d2h, m_migrations, m_otherCopies, m_kernels, m_communication, m_graphKernels,
        m_memsets;
    std::vector<EventRange> m_rows;
    std::set<StreamKey> m_kernelStreams;
    std::set<StreamKey> m_streams;                            // all that have events
    std::map<StreamKey, StreamKey> m_namedDefaults;           // by StreamKey::first()
    std::map<TrackId, std::vector<IntervalSet>> m_kernelsOf;  // by process, where there are several
};

}  // namespace overlane
