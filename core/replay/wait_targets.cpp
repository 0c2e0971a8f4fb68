// What each wait waited for: as the trace names it, else as the times tell.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/replay/program_builder.h"

namespace overlane
{
namespace
{

// Clocks of host and device agree within this.
constexpr std::int64_t kClockNs = 2 * kNsPerUs;
// A wait for a stream this soon after a copy's call belongs to the copy: what a blocking copy consists of.
constexpr std::int64_t kOfCopyNs = 200 * kNsPerUs;
// So soon behind a copy back its library waits itself: 2 µs in PyTorch, 13 in CuPy; a line of Python later it is 90.
constexpr std::int64_t kOfBlockingCallNs = 40 * kNsPerUs;
// So late after work a wait may return and still have waited for that work.
constexpr std::int64_t kReturnNs = 200 * kNsPerUs;
// Streams that take turns get as much work, up to this.
constexpr double kTakingTurns = 0.5;
// Of the waits of one stream for another, how many may contradict a depth that explains the others.
constexpr double kContradictions = 0.02;
constexpr std::size_t kMostDepth = 64;
// More streams of one device than any program keeps at work at once: what one of them waits for is sought
// among those that got work last.
constexpr std::size_t kMostOtherStreams = 32;
// Work that ends about when a wait returns is looked at up to here.
constexpr std::size_t kMostCallsLookedAt = 4096;

std::int64_t numberAfter(std::string_view text, std::string_view word)
{
    const std::size_t at = text.find(word);
    std::int64_t number = -1;
    if (at != std::string_view::npos)
        std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
    return number;
}

}  // namespace

// "Stream 13 waits for event 10", "Host waits for stream 7", "Event 25, stream 7" of recorded traces.
void ProgramBuilder::readNamedWaits()
{
    for (const Track& track : m_trace.tracks()) {
        if (track.device < 0 || track.kind != TrackKind::Group)
            continue;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            const EventIndex index(at);
            const std::uint32_t correlation = m_trace.columns().correlation[at];
            const EventKind kind = m_trace.kind(index);
            if (correlation == 0 || (kind != EventKind::Sync && kind != EventKind::Instant))
                continue;
            const std::string_view name = m_trace.name(index);
            NamedWait wait;
            wait.correlation = correlation;
            wait.interval = m_trace.interval(index);
            if (name.starts_with("Event ")) {
                wait.event = numberAfter(name, "Event ");
                wait.stream = numberAfter(name, "stream ");
            } else if (name.starts_with("Stream ")) {
                wait.stream = numberAfter(name, "Stream ");
                wait.event = numberAfter(name, "event ");
            } else {
                wait.event = numberAfter(name, "waits for event ");
                wait.stream = numberAfter(name, "waits for stream ");
                wait.device = name.find("waits for the device") != std::string_view::npos;
            }
            if (wait.device || wait.event >= 0 || wait.stream >= 0)
                m_namedWaits.push_back(wait);
        }
    }
    std::stable_sort(
        m_namedWaits.begin(), m_namedWaits.end(), m_work.counting([](const NamedWait& a, const NamedWait& b) {
            return std::pair(a.correlation, a.interval.startNs) < std::pair(b.correlation, b.interval.startNs);
        }));
}

const ProgramBuilder::NamedWait* ProgramBuilder::namedWait(const HostCall& call) const
{
    if (m_namedWaits.empty() || !call.event.valid())
        return nullptr;
    // Correlation ids are those of one process only; the time tells whose.
    const std::uint32_t correlation = m_trace.columns().correlation[call.event.index()];
    const auto found =
        std::lower_bound(m_namedWaits.begin(), m_namedWaits.end(), std::pair(correlation, call.startNs - kClockNs),
                         [](const NamedWait& wait, const auto& sought) {
                             return std::pair(wait.correlation, wait.interval.startNs) < sought;
                         });
    return found != m_namedWaits.end() && found->correlation == correlation &&
                   found->interval.startNs <= call.endNs + kClockNs
               ? &*found
               : nullptr;
}

namespace
{

// The streams of each device, those that got work last in front.
class RecentStreams
{
public:
    explicit RecentStreams(const ReplayProgram& program)
        : m_program(program), m_links(program.streams.size()), m_front(program.devices, kNoIndex)
    {
    }

    void gotWork(std::uint32_t stream)
    {
        std::uint32_t& front = m_front[m_program.streams[stream].devicePlace];
        if (front == stream)
            return;
        Link& link = m_links[stream];
        if (link.before != kNoIndex)
            m_links[link.before].behind = link.behind;
        if (link.behind != kNoIndex)
            m_links[link.behind].before = link.before;
        link = {kNoIndex, front};
        if (front != kNoIndex)
            m_links[front].before = stream;
        front = stream;
    }
    std::uint32_t front(std::uint32_t device) const { return m_front[device]; }
    std::uint32_t behind(std::uint32_t stream) const { return m_links[stream].behind; }

private:
    struct Link {
        std::uint32_t before = kNoIndex;
        std::uint32_t behind = kNoIndex;
    };
    const ReplayProgram& m_program;
    std::vector<Link> m_links;
    std::vector<std::uint32_t> m_front;  // by device
};

}  // namespace

// Goes through the calls in their order, with what had been queued by then.
void ProgramBuilder::findWaits()
{
    readNamedWaits();
    m_taskWaits.resize(m_program.tasks.size());
    std::vector<std::uint32_t> lastOnStream(m_program.streams.size(), kNoIndex);
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> recorded;  // (thread's process, event) -> task
    std::vector<std::vector<std::uint32_t>> pending(m_program.streams.size());
    RecentStreams recent(m_program);
    std::size_t open = 0;  // waits whose stream is not known yet
    bool tooMany = false;
    // What was last on other streams of the device.
    const auto queuedBeside = [&](std::uint32_t stream) {
        std::vector<std::uint32_t> last;
        std::uint32_t other = recent.front(m_program.streams[stream].devicePlace);
        for (; other != kNoIndex && last.size() < kMostOtherStreams; other = recent.behind(other))
            if (other != stream)
                last.push_back(lastOnStream[other]);
        tooMany = tooMany || (other != kNoIndex && (other != stream || recent.behind(other) != kNoIndex));
        return last;
    };
    for (std::uint32_t at = 0; at < m_program.calls.size(); ++at) {
        m_work.count();
        HostCall& call = m_program.calls[at];
        const NamedWait* named =
            call.kind == CallKind::Plain || call.kind == CallKind::Launch ? nullptr : namedWait(call);
        switch (call.kind) {
            case CallKind::Record:
                if (named && named->event >= 0) {
                    const std::uint32_t stream = streamWithId(named->stream);
                    recorded[{call.thread, named->event}] = stream == kNoIndex ? kNoIndex : lastOnStream[stream];
                }
                break;
            case CallKind::StreamWait: {
                if (!named || named->event < 0) {
                    ++open;
                    break;
                }
                ++m_program.recordedWaits;
                const auto record = recorded.find({call.thread, named->event});
                const std::uint32_t stream = streamWithId(named->stream);
                if (record != recorded.end() && record->second != kNoIndex && stream != kNoIndex)
                    pending[stream].push_back(record->second);
                break;
            }
            case CallKind::Sync:
                if (named) {
                    ++m_program.recordedWaits;
                    if (named->device) {
                        call.target = WaitTarget::Device;
                    } else if (named->event >= 0) {
                        const auto record = recorded.find({call.thread, named->event});
                        call.target = record == recorded.end() || record->second == kNoIndex ? WaitTarget::None
                                                                                             : WaitTarget::Task;
                        call.targetIndex = call.target == WaitTarget::Task ? record->second : kNoIndex;
                    } else {
                        const std::uint32_t stream = streamWithId(named->stream);
                        call.target = stream == kNoIndex ? WaitTarget::None : WaitTarget::Stream;
                        call.targetIndex = stream;
                    }
                }
                resolveSync(at, lastOnStream);
                break;
            case CallKind::Launch:
                for (std::uint32_t task = call.firstTask; task < call.lastTask; ++task) {
                    m_work.count();
                    const std::uint32_t stream = m_program.tasks[task].stream;
                    for (const std::uint32_t waited : pending[stream])
                        m_taskWaits[task].push_back(waited);
                    pending[stream].clear();
                    // A wait without a name is taken to be one of the stream that gets work next.
                    if (open > 0)
                        m_queued.push_back(queuedBeside(stream));
                    for (; open > 0; --open)
                        m_openWaits.push_back({task, m_queued.size() - 1});
                    lastOnStream[stream] = task;
                    recent.gotWork(stream);
                }
                break;
            default:
                break;
        }
    }
    if (tooMany)
        m_program.limits.push_back(
            fmt::format("More than {} streams of one GPU are at work; what a stream waits for was sought among the {} "
                        "that got work last.",
                        kMostOtherStreams + 1, kMostOtherStreams));
    giveIdleWaitsToStreamsInTurn();
    inferStreamWaits();
}

// Where streams with kernels take turns, a wait behind a call for one of them that finds its work done is for the one
// whose turn comes next: before it gets new work, what it did is read. Pageable copies leave nothing to wait for either
// way, so that the times do not tell. Of several such waits in a row each is for another stream.
void ProgramBuilder::giveIdleWaitsToStreamsInTurn()
{
    if (m_idleWaits.empty())
        return;
    std::vector<std::int64_t> kernels(m_program.streams.size(), 0);
    for (const GpuTask& task : m_program.tasks)
        kernels[task.stream] += task.lane == Lane::Compute;
    const auto takeTurns = [&](std::uint32_t a, std::uint32_t b) {
        const auto [fewer, more] = std::minmax(kernels[a], kernels[b]);
        return m_program.streams[a].devicePlace == m_program.streams[b].devicePlace &&
               static_cast<double>(fewer) >= kTakingTurns * static_cast<double>(more);
    };
    for (const IdleWaits& row : m_idleWaits) {
        const std::vector<std::uint32_t> next = nextStreams(row.calls.back(), row.calls.size());
        for (std::size_t at = 0; at < next.size(); ++at)
            if (takeTurns(row.stream, next[at]))
                m_program.calls[row.calls[at]].targetIndex = next[at];
    }
}

// Up to so many streams, in the order in which the thread of a call gives them work behind it.
std::vector<std::uint32_t> ProgramBuilder::nextStreams(std::uint32_t call, std::size_t most) const
{
    std::vector<std::uint32_t> streams;
    const std::size_t end = std::min<std::size_t>(m_program.calls.size(), call + 1 + kMostCallsLookedAt);
    for (std::size_t at = call + 1; at < end && streams.size() < most; ++at) {
        m_work.count();
        const HostCall& later = m_program.calls[at];
        if (later.kind != CallKind::Launch || later.thread != m_program.calls[call].thread)
            continue;
        const std::uint32_t stream = m_program.tasks[later.firstTask].stream;
        if (std::find(streams.begin(), streams.end(), stream) == streams.end())
            streams.push_back(stream);
    }
    return streams;
}

// The work that ends last in [ends.startNs, ends.endNs] and is among the last `depth` that had been queued on
// its stream; kNoIndex where there is none.
std::uint32_t ProgramBuilder::endingWithin(Interval ends, std::size_t depth,
                                           const std::vector<std::uint32_t>& lastOnStream) const
{
    auto after = std::partition_point(m_tasksByEnd.begin(), m_tasksByEnd.end(),
                                      [&](std::uint32_t task) { return m_program.tasks[task].endNs() <= ends.endNs; });
    for (std::size_t looked = 0; after != m_tasksByEnd.begin() && looked < kMostCallsLookedAt; ++looked) {
        const std::uint32_t task = *--after;
        if (m_program.tasks[task].endNs() < ends.startNs)
            break;
        m_work.count();
        const std::uint32_t last = lastOnStream[m_program.tasks[task].stream];
        if (last != kNoIndex && task <= last && m_placeOnStream[last] - m_placeOnStream[task] < depth)
            return task;
    }
    return kNoIndex;
}

void ProgramBuilder::resolveSync(std::uint32_t at, const std::vector<std::uint32_t>& lastOnStream)
{
    HostCall& call = m_program.calls[at];
    const NameClass name = nameClass(call.event);
    const HostCall* before = nullptr;
    for (std::uint32_t other = at; other-- > 0 && !before && at - other < 64;)
        if (m_program.calls[other].thread == call.thread)
            before = &m_program.calls[other];
    if (before && before->kind == CallKind::Launch && call.startNs - before->endNs < kOfCopyNs &&
        name == NameClass::SyncStream) {
        const GpuTask& task = m_program.tasks[before->lastTask - 1];
        call.ofCopy = task.lane == Lane::H2D;
        if (call.target == WaitTarget::None) {
            call.target = WaitTarget::Stream;
            call.targetIndex = task.stream;
            ++m_program.inferredWaits;
            if (task.endNs() <= call.startNs && call.startNs - before->endNs > kOfBlockingCallNs)
                m_idleWaits.push_back({task.stream, {at}});
        }
        return;
    }
    if (call.target != WaitTarget::None)
        return;
    if (name == NameClass::SyncDevice) {
        call.target = WaitTarget::Device;
        ++m_program.inferredWaits;
        return;
    }
    // The queue whose end the return follows, among what had been asked for before.
    const std::uint32_t nearest = endingWithin({std::max(call.startNs, call.endNs - kReturnNs), call.endNs + kClockNs},
                                               name == NameClass::SyncStream ? 1 : kMostDepth, lastOnStream);
    if (nearest == kNoIndex) {
        const bool inRow = !m_idleWaits.empty() && before == &m_program.calls[m_idleWaits.back().calls.back()];
        if (!inRow || name != NameClass::SyncStream) {
            ++m_program.unknownWaits;
            return;
        }
        m_idleWaits.back().calls.push_back(at);
        call.target = WaitTarget::Stream;
        call.targetIndex = m_idleWaits.back().stream;
        ++m_program.inferredWaits;
        return;
    }
    ++m_program.inferredWaits;
    call.target = name == NameClass::SyncStream ? WaitTarget::Stream : WaitTarget::Task;
    call.targetIndex = name == NameClass::SyncStream ? m_program.tasks[nearest].stream : nearest;
}

// Which of another stream's work a wait was for: the latest that the times allow, looking equally far
// back at all waits of the one stream for the other.
void ProgramBuilder::inferStreamWaits()
{
    struct Instance {
        std::uint32_t task;
        std::size_t groups;  // of the other stream's work by then
        std::size_t depth;   // how far back at least
    };
    struct Pair {
        std::vector<std::uint32_t> groupEnds;
        std::vector<Instance> instances;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Pair> pairs;  // (waited for, waiting)
    for (const OpenWait& wait : m_openWaits) {
        const std::uint32_t waiting = m_program.tasks[wait.task].stream;
        for (const std::uint32_t last : m_queued[wait.queued]) {
            m_work.count();
            Pair& pair = pairs[{m_program.tasks[last].stream, waiting}];
            if (pair.groupEnds.empty() || pair.groupEnds.back() != last)
                pair.groupEnds.push_back(last);
            std::size_t depth = 0;
            const std::int64_t startNs = m_program.tasks[wait.task].startNs + kClockNs;
            while (depth < std::min(kMostDepth, pair.groupEnds.size()) &&
                   m_program.tasks[pair.groupEnds[pair.groupEnds.size() - 1 - depth]].endNs() > startNs)
                ++depth;
            pair.instances.push_back({wait.task, pair.groupEnds.size(), depth});
        }
    }
    for (auto& [streams, pair] : pairs) {
        m_work.count(pair.instances.size());
        std::vector<std::size_t> depths;
        for (const Instance& instance : pair.instances)
            depths.push_back(instance.depth);
        const std::size_t depth = lowerQuantile(std::move(depths), 1 - kContradictions);
        for (const Instance& instance : pair.instances) {
            const std::size_t back = std::max(depth, instance.depth);
            if (back >= instance.groups || back >= kMostDepth)
                continue;
            m_taskWaits[instance.task].push_back(pair.groupEnds[instance.groups - 1 - back]);
            ++m_program.inferredWaits;
        }
    }
}

void ProgramBuilder::storeWaits()
{
    for (std::size_t at = 0; at < m_program.tasks.size(); ++at) {
        m_program.tasks[at].firstWait = static_cast<std::uint32_t>(m_program.waits.size());
        m_program.waits.insert(m_program.waits.end(), m_taskWaits[at].begin(), m_taskWaits[at].end());
        m_program.tasks[at].lastWait = static_cast<std::uint32_t>(m_program.waits.size());
    }
}

}  // namespace overlane
