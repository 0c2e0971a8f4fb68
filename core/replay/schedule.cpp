#include "core/replay/schedule.h"

#include <algorithm>

#include "core/replay/loader_schedule.h"
#include "core/replay/step_times.h"

namespace overlane
{
namespace
{

// When an engine that does one thing at a time is free. Work that becomes ready early may go before
// work that was asked for earlier and still waits: it takes the first hole that is long enough.
class EngineTime
{
public:
    std::int64_t place(std::int64_t readyNs, std::int64_t lengthNs)
    {
        auto next = std::upper_bound(m_busy.begin(), m_busy.end(), readyNs,
                                     [](std::int64_t time, Interval busy) { return time < busy.endNs; });
        std::int64_t startNs = readyNs;
        while (next != m_busy.end() && next->startNs < startNs + lengthNs) {
            startNs = std::max(startNs, next->endNs);
            ++next;
        }
        m_busy.insert(next, {startNs, startNs + lengthNs});
        if (m_busy.size() > 2 * kRemembered)
            m_busy.erase(m_busy.begin(), m_busy.begin() + kRemembered);
        return startNs;
    }

private:
    static constexpr std::ptrdiff_t kRemembered = 64;
    std::vector<Interval> m_busy;
};

// When what is measured on a stream or an engine ends, now and as it was.
class MovedEnd
{
public:
    // The earliest start after what was there before: beside it only where it was so.
    std::int64_t after(const GpuTask& task) const
    {
        if (m_measuredNs == INT64_MIN)
            return task.startNs;
        const std::int64_t besideNs = std::max<std::int64_t>(0, m_measuredNs - task.startNs);
        return std::max(task.startNs, m_movedNs - besideNs);
    }
    void take(const GpuTask& task, std::int64_t startNs, std::int64_t measuredEndNs)
    {
        m_measuredNs = std::max(m_measuredNs, measuredEndNs);
        m_movedNs = std::max(m_movedNs, startNs + task.lengthNs);
    }

private:
    std::int64_t m_measuredNs = INT64_MIN;
    std::int64_t m_movedNs = INT64_MIN;
};

class Scheduler
{
public:
    Scheduler(const ReplayProgram& program, const WorkMeter& work)
        : m_program(program),
          m_work(work),
          m_threadNs(program.threads, 0),
          m_streamEndNs(program.streams.size(), 0),
          m_engines(static_cast<std::size_t>(program.devices) * kLaneCount),
          m_loaders(program.loaders.begin(), program.loaders.end())
    {
        m_result.calls.resize(program.calls.size());
        m_result.taskStartNs.resize(program.tasks.size());
    }

    Schedule run();

private:
    void placeUncalled();
    void runCall(std::uint32_t at);
    std::int64_t startTask(std::uint32_t at, std::int64_t callNs);
    std::int64_t targetEndNs(const HostCall& call) const;

    const ReplayProgram& m_program;
    const WorkMeter& m_work;
    Schedule m_result;
    std::vector<std::int64_t> m_threadNs;
    std::vector<std::int64_t> m_streamEndNs;
    std::int64_t m_devicesEndNs = 0;  // of all work started so far
    std::vector<EngineTime> m_engines;
    std::vector<bool> m_started;
    std::vector<std::int64_t> m_queuedEndNs;  // of tasks with a call, in order of the calls
    std::vector<LoaderSchedule> m_loaders;
};

std::int64_t Scheduler::startTask(std::uint32_t at, std::int64_t callNs)
{
    const GpuTask& task = m_program.tasks[at];
    std::int64_t workNs = m_streamEndNs[task.stream];
    for (std::uint32_t wait = task.firstWait; wait < task.lastWait; ++wait) {
        const std::uint32_t waited = m_program.waits[wait];
        if (m_started[waited])
            workNs = std::max(workNs, m_result.taskStartNs[waited] + m_program.tasks[waited].lengthNs);
    }
    std::int64_t startNs = std::max(callNs + task.afterCallNs, workNs + (workNs > 0 ? task.afterWorkNs : 0));
    const std::size_t device = m_program.streams[task.stream].devicePlace;
    if (m_program.exclusive[static_cast<std::size_t>(task.lane)])
        startNs = m_engines[device * kLaneCount + static_cast<std::size_t>(task.lane)].place(startNs, task.lengthNs);
    m_result.taskStartNs[at] = startNs;
    m_started[at] = true;
    const std::int64_t endNs = startNs + task.lengthNs;
    m_streamEndNs[task.stream] = std::max(m_streamEndNs[task.stream], endNs);
    m_devicesEndNs = std::max(m_devicesEndNs, endNs);
    return endNs;
}

std::int64_t Scheduler::targetEndNs(const HostCall& call) const
{
    switch (call.target) {
        case WaitTarget::Task:
            return m_started[call.targetIndex]
                       ? m_result.taskStartNs[call.targetIndex] + m_program.tasks[call.targetIndex].lengthNs
                       : 0;
        case WaitTarget::Stream:
            return m_streamEndNs[call.targetIndex];
        case WaitTarget::Device:
            return m_devicesEndNs;
        case WaitTarget::None:
            break;
    }
    return 0;
}

// Work without a call starts as measured, or once longer work before it is done; nothing makes it earlier. What was
// queued before the trace began keeps its stream until it is done.
void Scheduler::placeUncalled()
{
    std::vector<std::int64_t> firstCalledNs(m_program.streams.size(), INT64_MAX);
    std::size_t called = m_program.tasks.size();
    while (called > 0 && m_program.tasks[called - 1].call == kNoIndex)
        --called;
    for (std::size_t at = 0; at < called; ++at) {
        std::int64_t& firstNs = firstCalledNs[m_program.tasks[at].stream];
        firstNs = std::min(firstNs, m_program.tasks[at].startNs);
    }
    std::vector<MovedEnd> streams(m_program.streams.size());
    std::vector<MovedEnd> engines(m_engines.size());
    for (std::size_t at = called; at < m_program.tasks.size(); ++at) {
        m_work.count();
        const GpuTask& task = m_program.tasks[at];
        const auto lane = static_cast<std::size_t>(task.lane);
        MovedEnd& engine = engines[m_program.streams[task.stream].devicePlace * std::size_t{kLaneCount} + lane];
        std::int64_t startNs = streams[task.stream].after(task);
        if (m_program.exclusive[lane])
            startNs = std::max(startNs, engine.after(task));
        m_result.taskStartNs[at] = startNs;
        const std::int64_t measuredEndNs = task.startNs + task.measuredNs;
        streams[task.stream].take(task, startNs, measuredEndNs);
        engine.take(task, startNs, measuredEndNs);
        if (task.startNs >= firstCalledNs[task.stream])
            continue;
        m_streamEndNs[task.stream] = std::max(m_streamEndNs[task.stream], startNs + task.lengthNs);
        m_devicesEndNs = std::max(m_devicesEndNs, startNs + task.lengthNs);
    }
}

void Scheduler::runCall(std::uint32_t at)
{
    const HostCall& call = m_program.calls[at];
    const std::int64_t startNs = m_threadNs[call.thread] + call.gapNs;
    std::int64_t endNs = startNs + call.costNs;
    switch (call.kind) {
        case CallKind::Launch: {
            // A full queue holds the call back until there is room again.
            std::int64_t roomNs = 0;
            const auto ahead = static_cast<std::size_t>(m_program.runAhead);
            if (ahead > 0 && m_queuedEndNs.size() >= ahead)
                roomNs = m_queuedEndNs[m_queuedEndNs.size() - ahead];
            const std::int64_t askedNs = std::max(startNs, roomNs);
            endNs = askedNs + call.costNs;
            std::int64_t workNs = 0;
            for (std::uint32_t task = call.firstTask; task < call.lastTask; ++task) {
                m_work.count();
                workNs = std::max(workNs, startTask(task, askedNs));
                m_queuedEndNs.push_back(workNs);
            }
            if (call.holds)
                endNs = std::max(endNs, workNs + call.tailNs);
            break;
        }
        case CallKind::Sync:
            if (const std::int64_t targetNs = targetEndNs(call); targetNs > 0)
                endNs = std::max(endNs, targetNs + call.tailNs);
            break;
        case CallKind::Fetch:
            if (call.batch >= 0) {
                LoaderSchedule& loader = m_loaders[m_program.loaderOf[call.thread]];
                const std::int64_t readyNs = loader.fetch(static_cast<std::size_t>(call.batch), startNs);
                endNs = std::max(endNs, readyNs + (readyNs > startNs ? call.tailNs : 0));
                loader.received(static_cast<std::size_t>(call.batch), endNs);
            }
            break;
        default:
            break;
    }
    m_result.calls[at] = {startNs, endNs};
    m_threadNs[call.thread] = endNs;
}

Schedule Scheduler::run()
{
    m_started.assign(m_program.tasks.size(), false);
    placeUncalled();
    for (std::uint32_t at = 0; at < m_program.calls.size(); ++at) {
        m_work.count();
        runCall(at);
    }
    for (const LoaderSchedule& loader : m_loaders)
        m_result.batches.push_back(loader.batches());
    fillStepTimes(m_program, m_result, m_work);
    return std::move(m_result);
}

}  // namespace

Schedule schedule(const ReplayProgram& program, const WorkMeter& work)
{
    return Scheduler(program, work).run();
}

Schedule measuredSchedule(const ReplayProgram& program, const WorkMeter& work)
{
    Schedule measured;
    for (const HostCall& call : program.calls)
        measured.calls.push_back({call.startNs, call.endNs});
    for (const GpuTask& task : program.tasks)
        measured.taskStartNs.push_back(task.startNs);
    for (const LoaderProgram& loader : program.loaders) {
        std::vector<Schedule::Batch>& batches = measured.batches.emplace_back();
        for (const LoaderBatch& batch : loader.batches)
            batches.push_back({batch.workStartNs, batch.pinStartNs, batch.readyNs, batch.worker});
    }
    fillStepTimes(program, measured, work);
    return measured;
}

}  // namespace overlane
