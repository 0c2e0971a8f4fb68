#include "core/analysis/device_activity_builder.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "core/analysis/communication.h"
#include "core/base/saturated.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// What is kept of a row costs as much as so many events.
constexpr std::size_t kItemsOfARow = 16;

// The first gap at or after `from` that does not end (or start) before a time. Events and gaps both
// advance, so the search doubles its steps from where the last one ended.
template <typename Before>
std::size_t gallop(const std::vector<IdleGap>& gaps, std::size_t from, Before before)
{
    std::size_t step = 1;
    std::size_t low = from;
    while (low + step < gaps.size() && before(gaps[low + step])) {
        low += step;
        step *= 2;
    }
    const auto first = gaps.begin() + static_cast<std::ptrdiff_t>(low);
    const auto last = gaps.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, gaps.size()));
    return static_cast<std::size_t>(std::partition_point(first, last, before) - gaps.begin());
}

// Of unified memory: between managed memory and the device, by itself.
bool isMigration(const Trace& trace, GpuNames& names, EventIndex copy)
{
    const CopyInfo* info = trace.copy(copy);
    const bool isManaged = info && (info->source == MemoryKind::Managed || info->destination == MemoryKind::Managed);
    return trace.kind(copy) == EventKind::CopyOther && (isManaged || names.of(copy) == GpuNameClass::Migration);
}

// Whether a CUDA graph launched some GPU work: the name of its call says so, or the profiler's number of the graph,
// which also work has whose call is not in the trace.
bool isOfGraph(const Trace& trace, GpuNames& names, EventIndex gpuWork)
{
    const EventIndex call = gpuWork.valid() ? trace.link(gpuWork) : EventIndex();
    return (call.valid() && names.of(call) == GpuNameClass::GraphLaunch) ||
           (gpuWork.valid() && trace.graph(gpuWork) != 0);
}

// Both ends of one launch of a CUDA graph: work of any other call has an id of its own.
bool insideGraph(const Trace& trace, GpuNames& names, const IdleGap& gap)
{
    if (!gap.previous.valid() || !isOfGraph(trace, names, gap.next))
        return false;
    if (trace.link(gap.previous).valid() || trace.link(gap.next).valid())
        return trace.link(gap.previous) == trace.link(gap.next);
    const std::uint32_t launch = trace.columns().correlation[gap.next.index()];
    return launch != 0 && trace.columns().correlation[gap.previous.index()] == launch && trace.graph(gap.previous) != 0;
}

}  // namespace

GpuNameClass gpuNameClass(std::string_view name)
{
    if (isCommunicationKernel(name))
        return GpuNameClass::CommunicationKernel;
    if (isPeerCopy(name))
        return GpuNameClass::PeerCopy;
    if (name.find("GraphLaunch") != std::string_view::npos)
        return GpuNameClass::GraphLaunch;
    return name.starts_with("Unified memory") ? GpuNameClass::Migration : GpuNameClass::Plain;
}

DeviceActivityBuilder::DeviceActivityBuilder(DeviceActivity activity, bool areSeveralProcesses)
    : m_activity(std::move(activity)), m_areSeveralProcesses(areSeveralProcesses)
{
}

void DeviceActivityBuilder::addTrack(const Trace& trace, GpuNames& names, TrackId id, const StreamOwners& owners,
                                     const WorkMeter& work)
{
    noteStream(trace, id, owners);
    const StreamKey stream = m_activity.streamOf(id);
    const Track& track = trace.track(id);
    const auto hasGpuWork = [&](EventRange row) {
        for (std::uint32_t at = row.first; at < row.last; ++at) {
            work.count();
            if (isDeviceWork(trace.kind(EventIndex(at))))
                return true;
        }
        return false;
    };
    for (const EventRange row : track.rows)
        if (work.count(kItemsOfARow); hasGpuWork(row))
            addRow(trace, names, track, stream, row, work);
}

void DeviceActivityBuilder::noteStream(const Trace& trace, TrackId id, const StreamOwners& owners)
{
    const Track& track = trace.track(id);
    if (track.kind != TrackKind::Stream || track.events.empty())
        return;
    const StreamKey stream{owners.ownerOf(id), track.nativeId, contextOfName(track.name)};
    m_activity.streamTracks.emplace_back(id, stream);
    m_streams.insert(stream);
    if (track.name.find("(default)") != std::string::npos)
        m_namedDefaults.try_emplace(stream.first(), stream);
}

void DeviceActivityBuilder::findDefaultStreams(const Trace& trace)
{
    // Numbers that CUPTI and roctracer give the null stream of a context.
    constexpr std::array<std::int64_t, 2> kNullStreams{7, 0};
    const bool isNumbered = trace.origin().numbersNullStream;
    std::map<StreamKey, StreamKey> found = m_namedDefaults;
    for (const StreamKey& stream : m_streams)
        for (const std::int64_t number : kNullStreams)
            if (const StreamKey null{stream.process, number, stream.context}; isNumbered && m_streams.contains(null))
                found.try_emplace(stream.first(), null);
    for (const auto& [context, stream] : found)
        m_activity.defaultStreams.push_back(stream);
}

void DeviceActivityBuilder::addRow(const Trace& trace, GpuNames& names, const Track& track, StreamKey stream,
                                   EventRange row, const WorkMeter& work)
{
    m_rows.push_back(row);
    IntervalSet rowH2d, rowD2h, rowMigrations, rowOther, rowKernels, rowCommunication, rowGraphs, rowMemsets;
    const auto communicates = [&](Interval interval) {
        rowCommunication.add(interval);
        m_activity.communicationStartsNs.push_back(interval.startNs);
    };
    bool hasKernels = false;
    for (std::uint32_t at = row.first; at < row.last; ++at) {
        work.count();
        const EventIndex index(at);
        const Interval interval = trace.interval(index);
        switch (trace.kind(index)) {
            case EventKind::Kernel:
                if (isOfGraph(trace, names, index))
                    rowGraphs.add(interval);
                if (names.of(index) == GpuNameClass::CommunicationKernel) {
                    communicates(interval);
                } else {
                    rowKernels.add(interval);
                    m_activity.kernelStartsNs.push_back(interval.startNs);
                }
                hasKernels = track.kind == TrackKind::Stream;
                break;
            case EventKind::Memset:
                rowMemsets.add(interval);
                break;
            case EventKind::CopyH2D:
            case EventKind::CopyD2H: {
                const bool toDevice = trace.kind(index) == EventKind::CopyH2D;
                const CopyInfo* info = trace.copy(index);
                CopyRecord record;
                record.event = index;
                record.call = trace.link(index);
                record.stream = stream;
                record.async = info ? info->async : AsyncFlag::Unknown;
                record.startNs = interval.startNs;
                record.durationNs = interval.lengthNs();
                record.bytes = info ? info->bytes : 0;
                record.hostMemory = info ? info->hostSide(trace.kind(index)) : MemoryKind::Unknown;
                if (m_activity.readsPageable && record.hostMemory == MemoryKind::Pageable) {
                    record.hostMemory = MemoryKind::Unknown;
                    m_activity.hasPageableNotJudged = true;
                }
                (toDevice ? rowH2d : rowD2h).add(interval);
                (toDevice ? m_activity.h2dCopies : m_activity.d2hCopies).push_back(record);
                break;
            }
            case EventKind::CopyD2D:
            case EventKind::CopyOther:
                if (names.of(index) == GpuNameClass::PeerCopy) {
                    communicates(interval);
                    break;
                }
                (isMigration(trace, names, index) ? rowMigrations : rowOther).add(interval);
                m_activity.otherCopyStartsNs.push_back(interval.startNs);
                break;
            default:
                break;
        }
    }
    if (hasKernels)
        m_kernelStreams.insert(stream);
    if (hasKernels && m_areSeveralProcesses && !rowKernels.empty())
        m_kernelsOf[stream.process].push_back(rowKernels);
    const auto keep = [](std::vector<IntervalSet>& sets, IntervalSet set) {
        if (!set.empty())
            sets.push_back(std::move(set));
    };
    keep(m_h2d, std::move(rowH2d));
    keep(m_d2h, std::move(rowD2h));
    keep(m_migrations, std::move(rowMigrations));
    keep(m_otherCopies, std::move(rowOther));
    keep(m_kernels, std::move(rowKernels));
    keep(m_communication, std::move(rowCommunication));
    keep(m_graphKernels, std::move(rowGraphs));
    keep(m_memsets, std::move(rowMemsets));
}

DeviceActivity DeviceActivityBuilder::finish(const Trace& trace, GpuNames& names, const WorkMeter& work)
{
    work.look();
    m_activity.h2d = unite(std::move(m_h2d), work);
    m_activity.d2h = unite(std::move(m_d2h), work);
    m_activity.migrations = unite(std::move(m_migrations), work);
    m_activity.otherCopies = unite(std::move(m_otherCopies), work);
    m_activity.kernels = unite(std::move(m_kernels), work);
    m_activity.communication = unite(std::move(m_communication), work);
    m_activity.graphKernels = unite(std::move(m_graphKernels), work);
    work.look();
    m_activity.communicationHidden = intersect(m_activity.communication, m_activity.kernels);
    m_activity.h2dHidden = intersect(m_activity.h2d, m_activity.kernels);
    m_activity.d2hHidden = intersect(m_activity.d2h, m_activity.kernels);
    // The kernels last: they are most, and are gone through once.
    std::vector<IntervalSet> others{m_activity.h2d, m_activity.d2h, m_activity.migrations, m_activity.otherCopies,
                                    m_activity.communication};
    others.push_back(unite(std::move(m_memsets), work));
    m_activity.busy = unite(m_activity.kernels, unite(std::move(others), work));
    work.look();
    const auto ordered = [&](auto& values) {
        if (!std::is_sorted(values.begin(), values.end()))
            std::sort(values.begin(), values.end(), work.counting(std::less<>()));
    };
    ordered(m_activity.kernelStartsNs);
    ordered(m_activity.otherCopyStartsNs);
    ordered(m_activity.communicationStartsNs);
    const auto byStart = work.counting([](const CopyRecord& a, const CopyRecord& b) {
        return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
    });
    std::sort(m_activity.h2dCopies.begin(), m_activity.h2dCopies.end(), byStart);
    std::sort(m_activity.d2hCopies.begin(), m_activity.d2hCopies.end(), byStart);
    m_activity.kernelStreams.assign(m_kernelStreams.begin(), m_kernelStreams.end());
    findDefaultStreams(trace);
    findProcessesAtOnce(work);
    findIdle(trace, names, work);
    return std::move(m_activity);
}

void DeviceActivityBuilder::findProcessesAtOnce(const WorkMeter& work)
{
    // Clocks of several processes agree within microseconds.
    constexpr std::int64_t kLeastPart = 100;
    if (m_kernelsOf.size() < 2)
        return;
    const auto processes = static_cast<std::int64_t>(m_kernelsOf.size());
    std::int64_t eachNs = 0;
    for (auto& [process, sets] : m_kernelsOf)
        eachNs = saturatedSum(eachNs, unite(std::move(sets), work).measureNs());
    const std::int64_t allNs = m_activity.kernels.measureNs();
    if (eachNs - allNs > allNs / kLeastPart)
        m_activity.processesAtOnce = processes;
    m_kernelsOf.clear();
}

// Which work ends and begins every idle time.
void DeviceActivityBuilder::findIdle(const Trace& trace, GpuNames& names, const WorkMeter& work)
{
    const std::vector<Interval>& busy = m_activity.busy.intervals();
    std::vector<IdleGap>& gaps = m_activity.idle;
    gaps.resize(busy.empty() ? 0 : busy.size() - 1);
    for (std::size_t at = 0; at < gaps.size(); ++at)
        gaps[at].interval = {busy[at].endNs, busy[at + 1].startNs};
    if (gaps.empty())
        return;
    for (const EventRange row : m_rows) {
        std::size_t at = 0;
        for (std::uint32_t event = row.first; event < row.last && at < gaps.size(); ++event) {
            work.count();
            const EventIndex index(event);
            const EventKind kind = trace.kind(index);
            const Interval interval = trace.interval(index);
            if (!isDeviceWork(kind) || interval.empty())
                continue;
            at = gallop(gaps, at, [&](const IdleGap& gap) { return gap.interval.endNs < interval.startNs; });
            // Of works that begin at once a kernel stands for them.
            if (at < gaps.size() && gaps[at].interval.endNs == interval.startNs && !gaps[at].beforeKernel) {
                const EventIndex call = trace.link(index);
                gaps[at].next = index;
                gaps[at].beforeKernel = kind == EventKind::Kernel;
                gaps[at].queuedNs = call.valid() ? trace.interval(call).endNs : IdleGap().queuedNs;
            }
            at = gallop(gaps, at, [&](const IdleGap& gap) { return gap.interval.startNs < interval.endNs; });
            if (at < gaps.size() && gaps[at].interval.startNs == interval.endNs) {
                gaps[at].previous = index;
                gaps[at].afterShortKernel = kind == EventKind::Kernel && interval.lengthNs() <= kShortKernelNs;
            }
        }
    }
    const auto askerOf = [&](EventIndex gpuWork) {
        const EventIndex call = gpuWork.valid() ? trace.link(gpuWork) : EventIndex();
        return call.valid() ? trace.trackOf(call) : TrackId();
    };
    for (IdleGap& gap : gaps) {
        work.count();
        gap.asker = askerOf(gap.next);
        gap.askerBefore = askerOf(gap.previous);
        gap.insideGraph = insideGraph(trace, names, gap);
    }
}

}  // namespace overlane
