#include "core/analysis/host_activity.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/analysis/pageable_memory.h"
#include "core/trace/name_classes.h"

namespace overlane
{
namespace
{

// What is kept of a thread costs as much as so many events.
constexpr std::size_t kItemsOfAThread = 32;

// What the name of an event tells, asked once per name.
enum class HostNameClass : std::uint8_t {
    NotAsked,
    Plain,
    Synchronize,
    StreamWait,
    BatchWait,
    BatchWork,
    Pinning,
    PageLocking,
    ReadResult
};

HostNameClass hostNameClass(std::string_view name)
{
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (has("Synchronize"))
        return HostNameClass::Synchronize;
    if (isPageLockingCall(name))
        return HostNameClass::PageLocking;
    if (has("StreamWaitEvent"))
        return HostNameClass::StreamWait;
    // PyTorch's annotation "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", and the
    // frames of torch/utils/data/dataloader.py that a profile with stacks has.
    const bool loader = has("DataLoader") || has("dataloader.py");
    // Within them, those of a loader without workers, which makes the batch on the spot.
    if ((loader && has("SingleProcess")) || has("_utils/fetch.py"))
        return HostNameClass::BatchWork;
    if (loader && (has("__next__") || has("_next_data") || has("_get_data")))
        return HostNameClass::BatchWait;
    if (has("read result"))
        return HostNameClass::ReadResult;
    return has("pin_memory") ? HostNameClass::Pinning : HostNameClass::Plain;
}

// Asked once per name.
struct HostNames : NameClasses<HostNameClass> {
    explicit HostNames(const Trace& trace)
        : NameClasses<HostNameClass>(trace, hostNameClass), waits(trace, implicitClassOf)
    {
    }

    // ImplicitWait of a name, one more than its number: 0 is kept for "not asked yet".
    enum class WaitClass : std::uint8_t { NotAsked };
    static WaitClass implicitClassOf(std::string_view name)
    {
        return static_cast<WaitClass>(static_cast<std::uint8_t>(implicitWaitOf(name)) + 1);
    }
    ImplicitWait waitOf(EventIndex event)
    {
        return static_cast<ImplicitWait>(static_cast<std::uint8_t>(waits.of(event)) - 1);
    }
    NameClasses<WaitClass> waits;
};

bool isHostTrack(const Track& track)
{
    return track.device < 0 && (track.kind == TrackKind::Thread || track.kind == TrackKind::LoaderActor ||
                                track.kind == TrackKind::Process || track.kind == TrackKind::Group);
}

bool isBlockingCopy(const Trace& trace, EventIndex work)
{
    const EventKind kind = trace.kind(work);
    if (kind != EventKind::CopyH2D && kind != EventKind::CopyD2H)
        return false;
    const CopyInfo* info = trace.copy(work);
    return info && (info->async == AsyncFlag::Sync ||
                    (info->hostSide(kind) == MemoryKind::Pageable && !readsPageableMemory(trace, work)));
}

// One call may ask for many copies, of several kinds of memory (cudaMemcpyBatchAsync).
bool startedBlockingCopy(const Trace& trace, EventIndex call)
{
    const EventIndex first = trace.link(call);
    if (!first.valid())
        return false;
    if (isBlockingCopy(trace, first))
        return true;
    if (!isCopy(trace.kind(first)) || trace.name(call).find("Batch") == std::string_view::npos)
        return false;
    const std::vector<EventIndex> all = trace.linkedWork(call);
    return std::any_of(all.begin(), all.end(), [&](EventIndex work) { return isBlockingCopy(trace, work); });
}

// The waits that follow the call of a copy to the device and belong to it.
IntervalSet waitsOfCopies(const Trace& trace, const std::vector<GpuCall>& calls)
{
    IntervalSet waits;
    for (std::size_t at = 1; at < calls.size(); ++at) {
        const GpuCall& before = calls[at - 1];
        if (isWaitOfCopy(calls[at], before) && trace.kind(trace.link(before.event)) == EventKind::CopyH2D)
            waits.add({calls[at].startNs, calls[at].endNs});
    }
    return waits;
}

// One track, row by row; the rows are united at the end.
class TrackReader
{
public:
    TrackReader(const Trace& trace, HostNames& names, bool isActor, const WorkMeter& work)
        : m_trace(trace), m_names(names), m_isActor(isActor), m_work(work)
    {
    }

    void read(EventRange row);
    bool launches() const { return !m_devices.empty(); }
    IntervalSet blocked() { return unite(std::move(m_blocked), m_work); }
    IntervalSet loaderWaits() { return unite(std::move(m_loaderWaits), m_work); }
    IntervalSet loaderWork() { return unite(std::move(m_loaderWork), m_work); }
    HostActivity::LaunchingThread launchingThread(TrackId track);

private:
    // What a thread does in an event, where it is known to be anything.
    std::optional<HostDoing> doing(EventIndex index);
    void noteDevice(EventIndex call);
    void noteCall(EventIndex call, Interval interval);

    const Trace& m_trace;
    HostNames& m_names;
    bool m_isActor;
    const WorkMeter& m_work;
    std::vector<IntervalSet> m_blocked, m_loaderWaits, m_loaderWork;  // one set per row
    std::array<std::vector<IntervalSet>, kHostDoingCount> m_time;
    std::vector<GpuCall> m_calls;
    std::vector<ImplicitCall> m_implicitCalls;
    std::set<std::int32_t> m_devices;
    EventRange m_lastDeviceEvents;
    std::optional<Interval> m_span;
    bool m_launchesKernels = false;
};

std::optional<HostDoing> TrackReader::doing(EventIndex index)
{
    const EventKind kind = m_trace.kind(index);
    switch (kind) {
        case EventKind::Sync:
            return HostDoing::Sync;
        case EventKind::RuntimeCall:
            if (m_names.of(index) == HostNameClass::Synchronize)
                return HostDoing::Sync;
            if (m_names.of(index) == HostNameClass::PageLocking)
                return HostDoing::PageLocking;
            return startedBlockingCopy(m_trace, index) ? HostDoing::BlockingCopy : HostDoing::Work;
        case EventKind::LoaderWait:
            return HostDoing::BatchWait;
        case EventKind::Loader:
            if (m_names.of(index) == HostNameClass::ReadResult)
                return HostDoing::Work;
            return m_names.of(index) == HostNameClass::Pinning ? HostDoing::Pinning : HostDoing::BatchWork;
        case EventKind::HostWork:
        case EventKind::Annotation:
            if (m_names.of(index) == HostNameClass::BatchWait)
                return HostDoing::BatchWait;
            if (m_names.of(index) == HostNameClass::BatchWork)
                return HostDoing::BatchWork;
            if (m_names.of(index) == HostNameClass::Pinning)
                return HostDoing::Pinning;
            // A range that a person named says nothing of whether the thread worked.
            return kind == EventKind::HostWork ? std::optional(HostDoing::Work) : std::nullopt;
        case EventKind::Overhead:
            return HostDoing::Work;
        default:
            return std::nullopt;
    }
}

void TrackReader::noteDevice(EventIndex call)
{
    const EventIndex work = m_trace.link(call);
    if (!work.valid() || (work.value() >= m_lastDeviceEvents.first && work.value() < m_lastDeviceEvents.last))
        return;
    const Track& track = m_trace.track(m_trace.trackOf(work));
    m_lastDeviceEvents = track.events;
    m_devices.insert(track.device);
}

void TrackReader::noteCall(EventIndex call, Interval interval)
{
    const EventIndex work = m_trace.link(call);
    const HostNameClass name = m_names.of(call);
    if (name == HostNameClass::Synchronize || name == HostNameClass::StreamWait)
        m_calls.push_back({interval.startNs, interval.endNs, call,
                           name == HostNameClass::StreamWait ? GpuCallKind::StreamWait : GpuCallKind::Sync});
    else if (work.valid())
        m_calls.push_back({interval.startNs, interval.endNs, call,
                           isCopy(m_trace.kind(work)) ? GpuCallKind::Copy : GpuCallKind::Launch});
    m_launchesKernels = m_launchesKernels || (work.valid() && m_trace.kind(work) == EventKind::Kernel);
}

void TrackReader::read(EventRange row)
{
    IntervalSet blocked, loaderWaits, loaderWork;
    std::array<IntervalSet, kHostDoingCount> time;
    if (!row.empty()) {
        const std::int64_t startNs = m_trace.interval(EventIndex(row.first)).startNs;
        const std::int64_t endNs = m_trace.interval(EventIndex(row.last - 1)).endNs;
        m_span = {std::min(startNs, m_span.value_or(Interval{startNs, endNs}).startNs),
                  std::max(endNs, m_span.value_or(Interval{startNs, endNs}).endNs)};
    }
    for (std::uint32_t at = row.first; at < row.last; ++at) {
        m_work.count();
        const EventIndex index(at);
        const Interval interval = m_trace.interval(index);
        const EventKind kind = m_trace.kind(index);
        const std::optional<HostDoing> what = doing(index);
        if (kind == EventKind::RuntimeCall) {
            noteDevice(index);
            noteCall(index, interval);
        }
        if (kind == EventKind::RuntimeCall || kind == EventKind::Overhead)
            if (const ImplicitWait wait = m_names.waitOf(index); wait != ImplicitWait::None)
                m_implicitCalls.push_back({interval.startNs, interval.endNs, index, wait});
        if (what)
            time[static_cast<std::size_t>(*what)].add(interval);
        if (kind == EventKind::HostBlocked || what == HostDoing::Sync || what == HostDoing::BlockingCopy)
            blocked.add(interval);
        else if (kind == EventKind::LoaderWait)
            loaderWaits.add(interval);
        else if (m_isActor &&
                 (kind == EventKind::Loader || kind == EventKind::HostWork || kind == EventKind::RuntimeCall))
            loaderWork.add(interval);
    }
    const auto keep = [](std::vector<IntervalSet>& sets, IntervalSet set) {
        if (!set.empty())
            sets.push_back(std::move(set));
    };
    keep(m_blocked, std::move(blocked));
    keep(m_loaderWaits, std::move(loaderWaits));
    keep(m_loaderWork, std::move(loaderWork));
    for (std::size_t at = 0; at < time.size(); ++at)
        keep(m_time[at], std::move(time[at]));
}

HostActivity::LaunchingThread TrackReader::launchingThread(TrackId track)
{
    HostActivity::LaunchingThread thread;
    thread.track = track;
    const auto byStart = m_work.counting([](const GpuCall& a, const GpuCall& b) {
        return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
    });
    if (!std::is_sorted(m_calls.begin(), m_calls.end(), byStart))
        std::sort(m_calls.begin(), m_calls.end(), byStart);
    thread.calls = std::move(m_calls);
    std::sort(m_implicitCalls.begin(), m_implicitCalls.end(),
              m_work.counting([](const ImplicitCall& a, const ImplicitCall& b) {
                  return std::pair(a.startNs, a.event) < std::pair(b.startNs, b.event);
              }));
    thread.implicitCalls = std::move(m_implicitCalls);
    thread.devices.assign(m_devices.begin(), m_devices.end());
    thread.span = m_span.value_or(Interval{});
    thread.launchesKernels = m_launchesKernels;
    for (std::size_t at = 0; at < m_time.size(); ++at)
        thread.time[at] = unite(std::move(m_time[at]), m_work);
    thread.copyWaits = waitsOfCopies(m_trace, thread.calls);
    return thread;
}

}  // namespace

bool isWaitOfCopy(const GpuCall& call, const GpuCall& before)
{
    return call.kind == GpuCallKind::Sync && before.kind == GpuCallKind::Copy &&
           call.startNs - before.endNs <= kSameRequestNs;
}

bool isPageLockingCall(std::string_view name)
{
    // As they are called in traces: "cudaHostAlloc_v3020", too.
    constexpr std::array<std::string_view, 13> kCalls{
        "cudaHostAlloc",  "cudaMallocHost", "cudaFreeHost",    "cudaHostRegister",  "cudaHostUnregister",
        "cuMemHostAlloc", "cuMemAllocHost", "cuMemFreeHost",   "cuMemHostRegister", "cuMemHostUnregister",
        "hipHostMalloc",  "hipHostFree",    "hipHostRegister",
    };
    return std::any_of(kCalls.begin(), kCalls.end(), [&](std::string_view call) { return name.starts_with(call); });
}

std::int64_t HostActivity::criticalNs(Interval range) const
{
    std::int64_t longestNs = 0;
    for (const Actor& actor : actors)
        longestNs = std::max(longestNs, actor.work.measureNs(range));
    return longestNs;
}

const HostActivity::LaunchGroup& HostActivity::group(std::int32_t device) const
{
    static const LaunchGroup kNone;
    const auto found = std::lower_bound(groupOf.begin(), groupOf.end(), std::pair(device, std::uint32_t{0}));
    return found == groupOf.end() || found->first != device ? kNone : groups[found->second];
}

const HostTime& HostActivity::launching(std::int32_t device) const
{
    const LaunchGroup& launch = group(device);
    return launch.threads.size() == 1 ? launchingThreads[launch.threads.front()].time : launch.time;
}

const IntervalSet& HostActivity::copyWaits(std::int32_t device) const
{
    const LaunchGroup& launch = group(device);
    return launch.threads.size() == 1 ? launchingThreads[launch.threads.front()].copyWaits : launch.copyWaits;
}

const HostActivity::LaunchingThread* HostActivity::threadOf(TrackId track) const
{
    const auto found =
        std::lower_bound(launchingThreads.begin(), launchingThreads.end(), track,
                         [](const LaunchingThread& thread, TrackId sought) { return thread.track < sought; });
    return found == launchingThreads.end() || found->track != track ? nullptr : &*found;
}

namespace
{

HostActivity::LaunchGroup together(const std::vector<HostActivity::LaunchingThread>& all,
                                   std::vector<std::uint32_t> threads, const WorkMeter& work)
{
    HostActivity::LaunchGroup group;
    if (threads.size() == 1) {
        group.span = IntervalSet({all[threads.front()].span});
        group.threads = std::move(threads);
        return group;
    }
    std::vector<Interval> spans;
    std::vector<IntervalSet> waits;
    std::array<std::vector<IntervalSet>, kHostDoingCount> times;
    for (const std::uint32_t place : threads) {
        const HostActivity::LaunchingThread& thread = all[place];
        work.count(thread.calls.size() + kItemsOfAThread);
        spans.push_back(thread.span);
        waits.push_back(thread.copyWaits);
        for (std::size_t at = 0; at < times.size(); ++at)
            if (!thread.time[at].empty())
                times[at].push_back(thread.time[at]);
    }
    group.threads = std::move(threads);
    group.span = IntervalSet(std::move(spans));
    group.copyWaits = unite(std::move(waits), work);
    for (std::size_t at = 0; at < times.size(); ++at) {
        work.look();
        group.time[at] = unite(std::move(times[at]), work);
    }
    return group;
}

void findGroups(HostActivity& host, const JudgedDevices* judged, const WorkMeter& work)
{
    std::map<std::int32_t, std::vector<std::uint32_t>> threadsOf;
    for (std::size_t place = 0; place < host.launchingThreads.size(); ++place)
        for (const std::int32_t device : host.launchingThreads[place].devices) {
            work.count();
            if (!judged || judged->contains(device))
                threadsOf[device].push_back(static_cast<std::uint32_t>(place));
        }
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    for (const auto& [device, threads] : threadsOf) {
        const auto [group, isNew] = known.try_emplace(threads, static_cast<std::uint32_t>(host.groups.size()));
        if (isNew)
            host.groups.push_back(together(host.launchingThreads, threads, work));
        host.groupOf.emplace_back(device, group->second);
    }
}

HostActivity readHost(const Trace& trace, const JudgedDevices* judged, const WorkMeter& work)
{
    HostActivity host;
    HostNames names(trace);
    std::vector<IntervalSet> allBlocked;
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const Track& track = trace.tracks()[place];
        if (!isHostTrack(track) || track.rows.empty())
            continue;
        work.count(kItemsOfAThread);
        const bool isActor = track.kind == TrackKind::LoaderActor;
        TrackReader reader(trace, names, isActor, work);
        for (const EventRange row : track.rows)
            reader.read(row);
        IntervalSet blocked = reader.blocked();
        if (isActor) {
            host.actors.push_back({TrackId(place), track.name, loaderRole(track),
                                   subtract(reader.loaderWork(), unite(blocked, reader.loaderWaits()))});
        }
        if (!blocked.empty())
            allBlocked.push_back(std::move(blocked));
        if (reader.launches())
            host.launchingThreads.push_back(reader.launchingThread(TrackId(place)));
    }
    work.look();
    host.blocked = unite(std::move(allBlocked), work);
    findGroups(host, judged, work);
    return host;
}

}  // namespace

HostActivity hostActivity(const Trace& trace)
{
    return readHost(trace, nullptr, {});
}

HostActivity hostActivity(const Trace& trace, const JudgedDevices& judged, const WorkMeter& work)
{
    return readHost(trace, &judged, work);
}

}  // namespace overlane
