// How long after what it waits for a thing happened: lags as measured, and what is typical where the
// trace shows none because something else came later.
#include <algorithm>

#include <queue>

#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"
#include "core/replay/program_builder.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kDefaultLaunchNs = 4 * kNsPerUs;
constexpr std::int64_t kDefaultGapNs = kNsPerUs;
constexpr std::int64_t kDefaultReturnNs = 5 * kNsPerUs;
constexpr std::int64_t kDefaultCallNs = 5 * kNsPerUs;
// A lag of more than this beyond the typical one has a reason of its own.
constexpr std::int64_t kUnexplainedNs = 50 * kNsPerUs;
// Work that ends within this before another starts may be what that waited for.
constexpr std::int64_t kCoincidenceNs = 15 * kNsPerUs;
// Work that ends about when another starts is looked at up to here.
constexpr std::size_t kMostLookedAt = 4096;
// A launch that takes longer waits for something: for room in the queue, where that many are queued.
constexpr std::int64_t kLongLaunchNs = 100 * kNsPerUs;
constexpr std::size_t kLeastQueue = 256;
// When the driver frees places in the queue is known to one part in so many.
constexpr std::size_t kQueueTolerance = 16;

std::int64_t medianOr(const std::vector<std::int64_t>& values, std::int64_t otherwise)
{
    return values.empty() ? otherwise : median(values);
}

}  // namespace

void ProgramBuilder::measureTypical()
{
    std::vector<std::int64_t> launches, gaps, calls;
    for (const auto& tasks : m_streamTasks) {
        std::int64_t previousEndNs = INT64_MIN;
        for (const std::uint32_t at : tasks) {
            const GpuTask& task = m_program.tasks[at];
            if (task.call != kNoIndex && m_taskWaits[at].empty()) {
                const HostCall& call = m_program.calls[task.call];
                const std::int64_t sinceCallNs = task.startNs - call.startNs;
                const std::int64_t sinceWorkNs = previousEndNs == INT64_MIN ? INT64_MAX : task.startNs - previousEndNs;
                if (previousEndNs <= call.startNs && sinceCallNs >= 0 && task.lane == Lane::Compute)
                    launches.push_back(sinceCallNs);
                else if (previousEndNs > call.endNs && sinceWorkNs >= 0)
                    gaps.push_back(sinceWorkNs);
                const bool quick = task.hostMemory == MemoryKind::Pinned && task.lane == Lane::H2D;
                if (quick && call.endNs - call.startNs < task.lengthNs)
                    calls.push_back(call.endNs - call.startNs);
            }
            previousEndNs = std::max(previousEndNs, task.endNs());
        }
    }
    if (calls.empty())  // as an asynchronous copy costs about what another launch does
        for (const HostCall& call : m_program.calls)
            if (call.kind == CallKind::Launch && m_program.tasks[call.firstTask].lane == Lane::Compute)
                calls.push_back(call.endNs - call.startNs);
    m_program.typicalLaunchNs = std::min(medianOr(launches, kDefaultLaunchNs), 10 * kDefaultLaunchNs);
    m_program.typicalGapNs = std::min(medianOr(gaps, kDefaultGapNs), 10 * kDefaultGapNs);
    m_program.typicalCallNs = medianOr(calls, kDefaultCallNs);
    std::vector<std::int64_t> returns;
    for (const HostCall& call : m_program.calls) {
        if (call.kind != CallKind::Sync || call.target != WaitTarget::Task)
            continue;
        const std::int64_t endNs = m_program.tasks[call.targetIndex].endNs();
        if (endNs > call.startNs && endNs <= call.endNs)
            returns.push_back(call.endNs - endNs);
    }
    m_program.typicalReturnNs = medianOr(returns, kDefaultReturnNs);
}

// The work on another stream that ended just before this one started, and that its stream started last by then.
std::uint32_t ProgramBuilder::endingJustBefore(const GpuTask& task) const
{
    auto after = std::partition_point(m_tasksByEnd.begin(), m_tasksByEnd.end(), [&](std::uint32_t other) {
        return m_program.tasks[other].endNs() <= task.startNs;
    });
    for (std::size_t looked = 0; after != m_tasksByEnd.begin() && looked < kMostLookedAt; ++looked) {
        const std::uint32_t at = *--after;
        const GpuTask& other = m_program.tasks[at];
        if (task.startNs - other.endNs() > kCoincidenceNs)
            break;
        m_work.count();
        if (other.stream == task.stream || other.startNs >= task.startNs ||
            m_program.streams[other.stream].devicePlace != m_program.streams[task.stream].devicePlace)
            continue;
        const std::vector<std::uint32_t>& tasks = m_streamTasks[other.stream];
        const std::size_t next = m_placeOnStream[at] + std::size_t{1};
        const bool last = next == tasks.size() || m_program.tasks[tasks[next]].startNs >= task.startNs;
        if (last && (task.call == kNoIndex || other.call < task.call))
            return at;
    }
    return kNoIndex;
}

void ProgramBuilder::measureTasks()
{
    // What was last on each engine, by device and lane, in order of start.
    std::vector<std::uint32_t> order(m_program.tasks.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        order[at] = static_cast<std::uint32_t>(at);
    std::sort(order.begin(), order.end(), m_work.counting([this](std::uint32_t a, std::uint32_t b) {
        return m_program.tasks[a].startNs < m_program.tasks[b].startNs;
    }));
    std::vector<std::int64_t> streamEndNs(m_program.streams.size(), INT64_MIN);
    std::vector<std::array<std::int64_t, kLaneCount>> engineEndNs(m_program.devices);
    for (auto& ends : engineEndNs)
        ends.fill(INT64_MIN);
    const Interval judged{m_program.steps[m_program.firstStep].startNs, m_program.steps[m_program.lastStep].startNs};
    for (const std::uint32_t at : order) {
        GpuTask& task = m_program.tasks[at];
        const auto lane = static_cast<std::size_t>(task.lane);
        const std::size_t device = m_program.streams[task.stream].devicePlace;
        m_work.count(1 + m_taskWaits[at].size());
        std::erase_if(m_taskWaits[at], [&](std::uint32_t waited) {
            const bool contradicted = m_program.tasks[waited].endNs() > task.startNs + kCoincidenceNs;
            m_program.unknownWaits += contradicted;
            return contradicted;
        });
        std::int64_t workNs = streamEndNs[task.stream];
        for (const std::uint32_t waited : m_taskWaits[at])
            workNs = std::max(workNs, m_program.tasks[waited].endNs());
        if (m_program.exclusive[lane])
            workNs = std::max(workNs, std::min(engineEndNs[device][lane], task.startNs));
        const HostCall* call = task.call == kNoIndex ? nullptr : &m_program.calls[task.call];
        const bool afterCall = call && (workNs == INT64_MIN ||
                                        call->startNs + m_program.typicalLaunchNs >= workNs + m_program.typicalGapNs);
        if (afterCall) {
            task.afterCallNs = std::max<std::int64_t>(0, task.startNs - call->startNs);
            task.afterWorkNs = workNs == INT64_MIN
                                   ? m_program.typicalGapNs
                                   : std::clamp<std::int64_t>(task.startNs - workNs, 0, m_program.typicalGapNs);
        } else {
            task.afterWorkNs = workNs == INT64_MIN ? 0 : std::max<std::int64_t>(0, task.startNs - workNs);
            task.afterCallNs =
                call ? std::clamp<std::int64_t>(task.startNs - call->startNs, 0, m_program.typicalLaunchNs) : 0;
        }
        const std::int64_t lateNs =
            afterCall ? task.afterCallNs - m_program.typicalLaunchNs : task.afterWorkNs - m_program.typicalGapNs;
        // The head of a staged copy is the host's work.
        const bool staged = isCopy(m_trace.kind(task.event)) && task.hostMemory != MemoryKind::Pinned;
        if (call && !staged && lateNs > kUnexplainedNs) {
            const std::uint32_t waited = endingJustBefore(task);
            if (waited != kNoIndex) {
                m_taskWaits[at].push_back(waited);
                task.afterWorkNs = task.startNs - m_program.tasks[waited].endNs();
                task.afterCallNs = std::min(task.afterCallNs, m_program.typicalLaunchNs);
                ++m_program.inferredWaits;
            } else if (judged.contains(task.startNs)) {
                m_program.unexplainedNs += lateNs;
            }
        }
        streamEndNs[task.stream] = std::max(streamEndNs[task.stream], task.endNs());
        engineEndNs[device][lane] = std::max(engineEndNs[device][lane], task.endNs());
    }
}

void ProgramBuilder::measureCalls()
{
    std::vector<std::int64_t> queuedEndNs(m_program.streams.size(), INT64_MIN);
    std::int64_t lastEndNs = INT64_MIN;  // of all streams
    for (HostCall& call : m_program.calls) {
        m_work.count();
        const std::int64_t lengthNs = call.endNs - call.startNs;
        if (call.kind == CallKind::Fetch)
            continue;
        call.costNs = lengthNs;
        if (call.kind == CallKind::Launch) {
            const GpuTask& task = m_program.tasks[call.lastTask - 1];
            for (std::uint32_t at = call.firstTask; at < call.lastTask; ++at) {
                std::int64_t& endNs = queuedEndNs[m_program.tasks[at].stream];
                endNs = std::max(endNs, m_program.tasks[at].endNs());
                lastEndNs = std::max(lastEndNs, endNs);
            }
            const CopyInfo* copy = m_trace.copy(task.event);
            const bool free = copy && task.hostMemory == MemoryKind::Pinned && copy->async == AsyncFlag::Async;
            call.synchronous = copy && (copy->async == AsyncFlag::Sync ||
                                        (copy->async == AsyncFlag::Unknown &&
                                         m_trace.name(call.event).find("Async") == std::string_view::npos));
            const bool toOrFromHost = task.lane == Lane::H2D || task.lane == Lane::D2H;
            if (toOrFromHost && !free && call.endNs > task.startNs + task.lengthNs / 2) {
                call.holds = true;
                call.costNs = std::min(lengthNs, m_program.typicalCallNs);
                call.tailNs = call.endNs - task.endNs();
            }
            continue;
        }
        if (call.kind != CallKind::Sync)
            continue;
        std::int64_t targetEndNs = INT64_MIN;
        if (call.target == WaitTarget::Task)
            targetEndNs = m_program.tasks[call.targetIndex].endNs();
        else if (call.target == WaitTarget::Stream)
            targetEndNs = queuedEndNs[call.targetIndex];
        else if (call.target == WaitTarget::Device)
            targetEndNs = lastEndNs;
        if (call.target == WaitTarget::None)
            continue;
        if (targetEndNs > call.endNs + kCoincidenceNs) {  // it returned before that: it was for something else
            call.target = WaitTarget::None;
            ++m_program.unknownWaits;
            continue;
        }
        call.tailNs = m_program.typicalReturnNs;
        if (targetEndNs > call.startNs) {
            call.tailNs = call.endNs - targetEndNs;
            call.costNs = std::min(lengthNs, m_program.typicalReturnNs);
        } else {
            // It had nothing to wait for, nothing at all in a stream that was never used; its tail must not make it
            // longer than it was.
            call.tailNs = std::min(call.tailNs, saturatedDifference(call.endNs, targetEndNs));
        }
    }
}

// Host time between calls, from what is left of each thread's time.
void ProgramBuilder::measureGaps()
{
    std::vector<std::int64_t> endNs(m_program.threads, INT64_MIN);
    for (HostCall& call : m_program.calls) {
        std::int64_t& threadEndNs = endNs[call.thread];
        call.gapNs = threadEndNs == INT64_MIN ? call.startNs : call.startNs - threadEndNs;
        threadEndNs = call.endNs;
    }
}

// Launches that took long while very many were queued: the queue was full. It was not where others went
// through quickly with clearly more in it: that launch was slow for a reason of its own.
void ProgramBuilder::findRunAhead()
{
    struct Blocked {
        std::uint32_t call;
        std::size_t queued;
    };
    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> queuedEnds;
    std::vector<Blocked> blocked;
    std::size_t mostAtOnce = 0;
    for (std::uint32_t at = 0; at < m_program.calls.size(); ++at) {
        const HostCall& call = m_program.calls[at];
        if (call.kind != CallKind::Launch)
            continue;
        const bool isLong = call.endNs - call.startNs > kLongLaunchNs && !call.holds;
        while (!queuedEnds.empty() && queuedEnds.top() <= (isLong ? call.endNs : call.startNs))
            queuedEnds.pop();
        if (isLong)
            blocked.push_back({at, queuedEnds.size()});
        else if (!call.holds)
            mostAtOnce = std::max(mostAtOnce, queuedEnds.size());
        for (std::uint32_t task = call.firstTask; task < call.lastTask; ++task)
            queuedEnds.push(m_program.tasks[task].endNs());
    }
    const std::size_t full = std::max(kLeastQueue, mostAtOnce - mostAtOnce / kQueueTolerance);
    std::erase_if(blocked, [full](const Blocked& launch) { return launch.queued < full; });
    if (blocked.empty())
        return;
    const auto least = std::min_element(blocked.begin(), blocked.end(),
                                        [](const Blocked& a, const Blocked& b) { return a.queued < b.queued; });
    m_program.runAhead = static_cast<std::int64_t>(std::max(least->queued, mostAtOnce)) + 1;
    for (const Blocked& launch : blocked) {
        std::int64_t& costNs = m_program.calls[launch.call].costNs;
        costNs = std::min(costNs, m_program.typicalCallNs);
    }
    m_program.inferredWaits += static_cast<std::int64_t>(blocked.size());
}

}  // namespace overlane
