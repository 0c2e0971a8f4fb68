// What each wait waited for: as the trace names it, else as the times tell.
#include <algorithm>
#include <charconv>
#include <map>

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
// So late after work a wait may return and still have waited for that work.
constexpr std::int64_t kReturnNs = 200 * kNsPerUs;
// Of the waits of one stream for another, how many may contradict a depth that explains the others.
constexpr double kContradictions = 0.02;
constexpr std::size_t kMostDepth = 64;

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
                m_namedWaits.emplace(correlation, wait);
        }
    }
}

const ProgramBuilder::NamedWait* ProgramBuilder::namedWait(const HostCall& call) const
{
    if (m_namedWaits.empty() || !call.event.valid())
        return nullptr;
    const auto [first, last] = m_namedWaits.equal_range(m_trace.columns().correlation[call.event.index()]);
    for (auto found = first; found != last; ++found) {
        const Interval at = found->second.interval;
        // Correlation ids are those of one process only; the time tells whose.
        if (at.startNs >= call.startNs - kClockNs && at.startNs <= call.endNs + kClockNs)
            return &found->second;
    }
    return nullptr;
}

// Goes through the calls in their order, with what had been queued by then.
void ProgramBuilder::findWaits()
{
    readNamedWaits();
    m_taskWaits.resize(m_program.tasks.size());
    std::vector<std::uint32_t> lastOnStream(m_program.streams.size(), kNoIndex);
    std::map<std::pair<std::uint16_t, std::int64_t>, std::uint32_t> recorded;  // (thread's process, event) -> task
    std::vector<std::vector<std::uint32_t>> pending(m_program.streams.size());
    std::vector<OpenWait> open;
    const auto streamWithId = [&](std::int64_t nativeId) {
        for (std::size_t at = 0; at < m_program.streams.size(); ++at)
            if (m_program.streams[at].nativeId == nativeId)
                return static_cast<std::uint16_t>(at);
        return ReplayProgram::kNoStream;
    };
    for (std::uint32_t at = 0; at < m_program.calls.size(); ++at) {
        HostCall& call = m_program.calls[at];
        const NamedWait* named =
            call.kind == CallKind::Plain || call.kind == CallKind::Launch ? nullptr : namedWait(call);
        switch (call.kind) {
            case CallKind::Record:
                if (named && named->event >= 0) {
                    const std::uint16_t stream = streamWithId(named->stream);
                    recorded[{call.thread, named->event}] =
                        stream == ReplayProgram::kNoStream ? kNoIndex : lastOnStream[stream];
                }
                break;
            case CallKind::StreamWait: {
                if (!named || named->event < 0) {
                    open.push_back({at, kNoIndex, lastOnStream});
                    break;
                }
                ++m_program.recordedWaits;
                const auto record = recorded.find({call.thread, named->event});
                const std::uint16_t stream = streamWithId(named->stream);
                if (record != recorded.end() && record->second != kNoIndex && stream != ReplayProgram::kNoStream)
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
                        const std::uint16_t stream = streamWithId(named->stream);
                        call.target = stream == ReplayProgram::kNoStream ? WaitTarget::None : WaitTarget::Stream;
                        call.targetIndex = stream;
                    }
                }
                resolveSync(at, lastOnStream);
                break;
            case CallKind::Launch:
                for (std::uint32_t task = call.firstTask; task < call.lastTask; ++task) {
                    const std::uint16_t stream = m_program.tasks[task].stream;
                    for (const std::uint32_t waited : pending[stream])
                        m_taskWaits[task].push_back(waited);
                    pending[stream].clear();
                    // A wait without a name is taken to be one of the stream that gets work next.
                    for (OpenWait& wait : open) {
                        wait.task = task;
                        m_openWaits.push_back(std::move(wait));
                    }
                    open.clear();
                    lastOnStream[stream] = task;
                }
                break;
            default:
                break;
        }
    }
    inferStreamWaits();
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
    std::uint32_t nearest = kNoIndex;
    for (std::uint32_t stream = 0; stream < lastOnStream.size(); ++stream) {
        const auto& tasks = m_streamTasks[stream];
        if (lastOnStream[stream] == kNoIndex)
            continue;
        const auto end = std::upper_bound(tasks.begin(), tasks.end(), lastOnStream[stream]);
        const std::size_t depth = name == NameClass::SyncStream ? 1 : kMostDepth;
        for (std::size_t back = 1; back <= depth && tasks.begin() + static_cast<std::ptrdiff_t>(back) <= end; ++back) {
            const std::uint32_t task = *(end - static_cast<std::ptrdiff_t>(back));
            const std::int64_t endNs = m_program.tasks[task].endNs();
            if (endNs > call.endNs + kClockNs || endNs < call.startNs || call.endNs - endNs > kReturnNs)
                continue;
            if (nearest == kNoIndex || m_program.tasks[nearest].endNs() < endNs)
                nearest = task;
        }
    }
    if (nearest == kNoIndex) {
        ++m_program.unknownWaits;
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
    std::map<std::pair<std::uint16_t, std::uint16_t>, Pair> pairs;  // (waited for, waiting)
    for (const OpenWait& wait : m_openWaits) {
        const std::uint16_t waiting = m_program.tasks[wait.task].stream;
        for (std::size_t other = 0; other < wait.lastOnStream.size(); ++other) {
            const std::uint32_t last = wait.lastOnStream[other];
            if (other == waiting || last == kNoIndex ||
                m_program.streams[other].device != m_program.streams[waiting].device)
                continue;
            Pair& pair = pairs[{static_cast<std::uint16_t>(other), waiting}];
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
        std::vector<std::size_t> depths;
        for (const Instance& instance : pair.instances)
            depths.push_back(instance.depth);
        const auto place = static_cast<std::size_t>(static_cast<double>(depths.size() - 1) * (1 - kContradictions));
        std::nth_element(depths.begin(), depths.begin() + static_cast<std::ptrdiff_t>(place), depths.end());
        const std::size_t depth = depths[place];
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
