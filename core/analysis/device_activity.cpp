#include "core/analysis/device_activity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/analysis/communication.h"
#include "core/analysis/gpu_link.h"
#include "core/analysis/pageable_memory.h"
#include "core/analysis/stream_owners.h"
#include "core/base/saturated.h"
#include "core/trace/name_classes.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// What is kept of a row costs as much as so many events.
constexpr std::size_t kItemsOfARow = 16;

// What the names of GPU work and of the calls behind it tell, asked once per name.
enum class NameClass : std::uint8_t { NotAsked, Plain, CommunicationKernel, PeerCopy, Migration, GraphLaunch };
using Names = NameClasses<NameClass>;

NameClass classOf(std::string_view name)
{
    if (isCommunicationKernel(name))
        return NameClass::CommunicationKernel;
    if (isPeerCopy(name))
        return NameClass::PeerCopy;
    if (name.find("GraphLaunch") != std::string_view::npos)
        return NameClass::GraphLaunch;
    return name.starts_with("Unified memory") ? NameClass::Migration : NameClass::Plain;
}

struct Collector {
    DeviceActivity activity;
    // One set per row, united at the end.
    std::vector<IntervalSet> h2d, d2h, migrations, otherCopies, kernels, communication, graphKernels, memsets;
    std::vector<EventRange> rows;
    std::set<StreamKey> kernelStreams;
    std::set<StreamKey> streams;                            // all that have events
    std::map<StreamKey, StreamKey> namedDefaults;           // by StreamKey::first()
    bool areSeveralProcesses = false;                       // that use GPUs
    std::map<TrackId, std::vector<IntervalSet>> kernelsOf;  // by process, where there are several

    void noteStream(const Trace& trace, TrackId id, const StreamOwners& owners);
    void addRow(const Trace& trace, Names& names, const Track& track, StreamKey stream, EventRange row,
                const WorkMeter& work);
    void finish(const Trace& trace, Names& names, const WorkMeter& work);
    void findIdle(const Trace& trace, Names& names, const WorkMeter& work);
    void findDefaultStreams(const Trace& trace);
    void findProcessesAtOnce(const WorkMeter& work);
};

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

// "Stream 7 waits for event 3" names its stream, and its context where that is not the first; otherwise the row lies
// on the stream's own track.
StreamKey waitingStream(TrackId process, std::string_view name, const Track& track)
{
    constexpr std::string_view kPrefix = "Stream ";
    StreamKey stream{process, track.nativeId, contextOfName(track.name)};
    const char* const end = name.data() + name.size();
    if (name.starts_with(kPrefix) &&
        std::from_chars(name.data() + kPrefix.size(), end, stream.number).ec == std::errc())
        stream.context = contextOfName(name);
    return stream;
}

void Collector::noteStream(const Trace& trace, TrackId id, const StreamOwners& owners)
{
    const Track& track = trace.track(id);
    if (track.kind != TrackKind::Stream || track.events.empty())
        return;
    const StreamKey stream{owners.ownerOf(id), track.nativeId, contextOfName(track.name)};
    activity.streamTracks.emplace_back(id, stream);
    streams.insert(stream);
    if (track.name.find("(default)") != std::string::npos)
        namedDefaults.try_emplace(stream.first(), stream);
}

void Collector::findDefaultStreams(const Trace& trace)
{
    // Numbers that CUPTI and roctracer give the null stream of a context.
    constexpr std::array<std::int64_t, 2> kNullStreams{7, 0};
    const bool isNumbered = trace.origin().numbersNullStream;
    std::map<StreamKey, StreamKey> found = namedDefaults;
    for (const StreamKey& stream : streams)
        for (const std::int64_t number : kNullStreams)
            if (const StreamKey null{stream.process, number, stream.context}; isNumbered && streams.contains(null))
                found.try_emplace(stream.first(), null);
    for (const auto& [context, stream] : found)
        activity.defaultStreams.push_back(stream);
}

// "Stream Wait Event" and "Stream 7 waits for event 3" on the rows of a device; the host's own waits
// are named otherwise.
bool saysThatAStreamWaits(std::string_view name)
{
    return name.starts_with("Stream") &&
           (name.find("Wait") != std::string_view::npos || name.find("wait") != std::string_view::npos);
}

// Of unified memory: between managed memory and the device, by itself.
bool isMigration(const Trace& trace, Names& names, EventIndex copy)
{
    const CopyInfo* info = trace.copy(copy);
    const bool isManaged = info && (info->source == MemoryKind::Managed || info->destination == MemoryKind::Managed);
    return trace.kind(copy) == EventKind::CopyOther && (isManaged || names.of(copy) == NameClass::Migration);
}

// Whether a CUDA graph launched some GPU work: the name of its call says so, or the profiler's number of the graph,
// which also work has whose call is not in the trace.
bool isOfGraph(const Trace& trace, Names& names, EventIndex gpuWork)
{
    const EventIndex call = gpuWork.valid() ? trace.link(gpuWork) : EventIndex();
    return (call.valid() && names.of(call) == NameClass::GraphLaunch) || (gpuWork.valid() && trace.graph(gpuWork) != 0);
}

// Both ends of one launch of a CUDA graph: work of any other call has an id of its own.
bool insideGraph(const Trace& trace, Names& names, const IdleGap& gap)
{
    if (!gap.previous.valid() || !isOfGraph(trace, names, gap.next))
        return false;
    if (trace.link(gap.previous).valid() || trace.link(gap.next).valid())
        return trace.link(gap.previous) == trace.link(gap.next);
    const std::uint32_t launch = trace.columns().correlation[gap.next.index()];
    return launch != 0 && trace.columns().correlation[gap.previous.index()] == launch && trace.graph(gap.previous) != 0;
}

void Collector::addRow(const Trace& trace, Names& names, const Track& track, StreamKey stream, EventRange row,
                       const WorkMeter& work)
{
    rows.push_back(row);
    IntervalSet rowH2d, rowD2h, rowMigrations, rowOther, rowKernels, rowCommunication, rowGraphs, rowMemsets;
    const auto communicates = [&](Interval interval) {
        rowCommunication.add(interval);
        activity.communicationStartsNs.push_back(interval.startNs);
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
                if (names.of(index) == NameClass::CommunicationKernel) {
                    communicates(interval);
                } else {
                    rowKernels.add(interval);
                    activity.kernelStartsNs.push_back(interval.startNs);
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
                if (activity.readsPageable && record.hostMemory == MemoryKind::Pageable) {
                    record.hostMemory = MemoryKind::Unknown;
                    activity.hasPageableNotJudged = true;
                }
                (toDevice ? rowH2d : rowD2h).add(interval);
                (toDevice ? activity.h2dCopies : activity.d2hCopies).push_back(record);
                break;
            }
            case EventKind::CopyD2D:
            case EventKind::CopyOther:
                if (names.of(index) == NameClass::PeerCopy) {
                    communicates(interval);
                    break;
                }
                (isMigration(trace, names, index) ? rowMigrations : rowOther).add(interval);
                activity.otherCopyStartsNs.push_back(interval.startNs);
                break;
            default:
                break;
        }
    }
    if (hasKernels)
        kernelStreams.insert(stream);
    if (hasKernels && areSeveralProcesses && !rowKernels.empty())
        kernelsOf[stream.process].push_back(rowKernels);
    const auto keep = [](std::vector<IntervalSet>& sets, IntervalSet set) {
        if (!set.empty())
            sets.push_back(std::move(set));
    };
    keep(h2d, std::move(rowH2d));
    keep(d2h, std::move(rowD2h));
    keep(migrations, std::move(rowMigrations));
    keep(otherCopies, std::move(rowOther));
    keep(kernels, std::move(rowKernels));
    keep(communication, std::move(rowCommunication));
    keep(graphKernels, std::move(rowGraphs));
    keep(memsets, std::move(rowMemsets));
}

void Collector::finish(const Trace& trace, Names& names, const WorkMeter& work)
{
    work.look();
    activity.h2d = unite(std::move(h2d), work);
    activity.d2h = unite(std::move(d2h), work);
    activity.migrations = unite(std::move(migrations), work);
    activity.otherCopies = unite(std::move(otherCopies), work);
    activity.kernels = unite(std::move(kernels), work);
    activity.communication = unite(std::move(communication), work);
    activity.graphKernels = unite(std::move(graphKernels), work);
    work.look();
    activity.communicationHidden = intersect(activity.communication, activity.kernels);
    activity.h2dHidden = intersect(activity.h2d, activity.kernels);
    activity.d2hHidden = intersect(activity.d2h, activity.kernels);
    // The kernels last: they are most, and are gone through once.
    std::vector<IntervalSet> others{activity.h2d, activity.d2h, activity.migrations, activity.otherCopies,
                                    activity.communication};
    others.push_back(unite(std::move(memsets), work));
    activity.busy = unite(activity.kernels, unite(std::move(others), work));
    work.look();
    const auto ordered = [&](auto& values) {
        if (!std::is_sorted(values.begin(), values.end()))
            std::sort(values.begin(), values.end(), work.counting(std::less<>()));
    };
    ordered(activity.kernelStartsNs);
    ordered(activity.otherCopyStartsNs);
    ordered(activity.communicationStartsNs);
    const auto byStart = work.counting([](const CopyRecord& a, const CopyRecord& b) {
        return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
    });
    std::sort(activity.h2dCopies.begin(), activity.h2dCopies.end(), byStart);
    std::sort(activity.d2hCopies.begin(), activity.d2hCopies.end(), byStart);
    activity.kernelStreams.assign(kernelStreams.begin(), kernelStreams.end());
    findDefaultStreams(trace);
    findProcessesAtOnce(work);
    findIdle(trace, names, work);
}

void Collector::findProcessesAtOnce(const WorkMeter& work)
{
    // Clocks of several processes agree within microseconds.
    constexpr std::int64_t kLeastPart = 100;
    if (kernelsOf.size() < 2)
        return;
    const auto processes = static_cast<std::int64_t>(kernelsOf.size());
    std::int64_t eachNs = 0;
    for (auto& [process, sets] : kernelsOf)
        eachNs = saturatedSum(eachNs, unite(std::move(sets), work).measureNs());
    const std::int64_t allNs = activity.kernels.measureNs();
    if (eachNs - allNs > allNs / kLeastPart)
        activity.processesAtOnce = processes;
    kernelsOf.clear();
}

// Which work ends and begins every idle time.
void Collector::findIdle(const Trace& trace, Names& names, const WorkMeter& work)
{
    const std::vector<Interval>& busy = activity.busy.intervals();
    std::vector<IdleGap>& gaps = activity.idle;
    gaps.resize(busy.empty() ? 0 : busy.size() - 1);
    for (std::size_t at = 0; at < gaps.size(); ++at)
        gaps[at].interval = {busy[at].endNs, busy[at + 1].startNs};
    if (gaps.empty())
        return;
    for (const EventRange row : rows) {
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

}  // namespace

JudgedDevices judgedDevices(const Trace& trace, const WorkMeter& work)
{
    std::map<std::int32_t, std::size_t> sizes;
    for (const Track& track : trace.tracks()) {
        std::size_t size = 0;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            work.count();
            size += isDeviceWork(trace.kind(EventIndex(at)));
        }
        if (size > 0)
            sizes[track.device] += size;
    }
    std::vector<std::pair<std::int32_t, std::size_t>> bySize(sizes.begin(), sizes.end());
    const std::size_t kept = std::min(bySize.size(), kMostDevices);
    std::stable_sort(bySize.begin(), bySize.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    JudgedDevices judged;
    judged.leftOut = bySize.size() - kept;
    for (std::size_t at = 0; at < kept; ++at)
        judged.ids.push_back(bySize[at].first);
    std::sort(judged.ids.begin(), judged.ids.end());
    return judged;
}

std::vector<DeviceActivity> deviceActivities(const Trace& trace, const JudgedDevices& judged, const WorkMeter& work)
{
    std::vector<Collector> collectors(judged.ids.size());
    const auto placeOf = [&](std::int32_t id) {
        const auto found = std::lower_bound(judged.ids.begin(), judged.ids.end(), id);
        return found != judged.ids.end() && *found == id ? static_cast<std::size_t>(found - judged.ids.begin())
                                                         : judged.ids.size();
    };
    for (std::size_t place = 0; place < collectors.size(); ++place)
        collectors[place].activity.id = judged.ids[place];
    for (const DeviceInfo& device : trace.devices())
        if (const std::size_t place = placeOf(device.id); place < collectors.size()) {
            DeviceActivity& activity = collectors[place].activity;
            activity.name = device.name;
            activity.readsPageable = readsPageableMemory(device.name);
            activity.linkBytesPerSecond = device.linkBytesPerSecond * (trace.origin().isSimulated ? 1 : kPayloadShare);
            if (activity.linkBytesPerSecond <= 0)
                activity.linkBytesPerSecond = linkBytesPerSecondOf(device.name);
        }
    const StreamOwners owners(trace, work);
    for (Collector& collector : collectors)
        collector.areSeveralProcesses = owners.areSeveral();
    Names names(trace, classOf);
    for (std::size_t trackPlace = 0; trackPlace < trace.tracks().size(); ++trackPlace) {
        const TrackId id(trackPlace);
        const Track& track = trace.track(id);
        work.count();
        const std::size_t place = placeOf(track.device);
        if (place == collectors.size())
            continue;
        collectors[place].noteStream(trace, id, owners);
        const StreamKey stream = collectors[place].activity.streamOf(id);
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
                collectors[place].addRow(trace, names, track, stream, row, work);
    }
    std::vector<DeviceActivity> activities;
    activities.reserve(collectors.size());
    for (Collector& collector : collectors) {
        collector.finish(trace, names, work);
        activities.push_back(std::move(collector.activity));
        collector = {};
    }
    for (const Track& track : trace.tracks()) {
        const std::size_t place = track.device < 0 ? activities.size() : placeOf(track.device);
        if (place == activities.size())
            continue;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            work.count();
            if (const EventIndex index(at);
                trace.kind(index) == EventKind::Sync && saysThatAStreamWaits(trace.name(index)))
                activities[place].streamWaits.push_back(
                    {waitingStream(owners.ownerOfWait(trace, index), trace.name(index), track),
                     trace.interval(index).startNs, index});
        }
    }
    for (DeviceActivity& activity : activities)
        std::sort(activity.streamWaits.begin(), activity.streamWaits.end(),
                  work.counting([](const auto& a, const auto& b) {
                      return std::tie(a.timeNs, a.event) < std::tie(b.timeNs, b.event);
                  }));
    return activities;
}

std::vector<DeviceActivity> deviceActivities(const Trace& trace)
{
    return deviceActivities(trace, judgedDevices(trace));
}

bool DeviceActivity::hasKernels(StreamKey stream) const
{
    return stream.known() && std::binary_search(kernelStreams.begin(), kernelStreams.end(), stream);
}

bool DeviceActivity::hasKernelsBeside(StreamKey stream) const
{
    const auto first = std::lower_bound(kernelStreams.begin(), kernelStreams.end(), stream.first());
    return first != kernelStreams.end() && first->sharesContext(stream);
}

StreamKey DeviceActivity::defaultStreamOf(StreamKey stream) const
{
    const auto found = std::lower_bound(defaultStreams.begin(), defaultStreams.end(), stream.first());
    return found == defaultStreams.end() || !found->sharesContext(stream) ? StreamKey() : *found;
}

StreamKey DeviceActivity::streamOf(TrackId track) const
{
    const auto found =
        std::lower_bound(streamTracks.begin(), streamTracks.end(), std::pair(track, StreamKey()),
                         [](const auto& entry, const auto& sought) { return entry.first < sought.first; });
    return found == streamTracks.end() || found->first != track ? StreamKey() : found->second;
}

}  // namespace overlane
