#include "core/replay/step_times.h"

#include <algorithm>
#include <array>

#include "core/base/saturated.h"

namespace overlane
{
namespace
{

// Something fills a step when it is busy for this share of it.
constexpr double kFills = 0.9;
// From this part of the judged time on, work without a call is more than what a lead of the host leaves.
constexpr double kMuchWithoutCall = 0.1;

std::int64_t markNs(const ReplayProgram& program, const Schedule& schedule, const ProgramStep& mark)
{
    if (mark.call != kNoIndex) {
        const HostCall& call = program.calls[mark.call];
        // Within the host's time before the call, which a change may have made shorter.
        const std::int64_t beforeNs = std::min(mark.beforeNs, std::max<std::int64_t>(0, call.gapNs));
        return schedule.calls[mark.call].startNs - beforeNs;
    }
    if (mark.task != kNoIndex)
        return schedule.taskStartNs[mark.task] - mark.beforeNs;
    return INT64_MIN;
}

// Steps in which a loader starts anew say nothing of the others.
std::vector<bool> judgedSteps(const ReplayProgram& program)
{
    std::vector<bool> judged(program.steps.size(), false);
    for (std::size_t step = program.firstStep; step < program.lastStep; ++step)
        judged[step] = true;
    std::vector<bool> kept = judged;
    for (const LoaderBatch& batch : program.loader().batches) {
        const std::int32_t step = program.calls[batch.fetch].step;
        if (batch.firstOfEpoch && step >= 0 && static_cast<std::size_t>(step) < kept.size())
            kept[static_cast<std::size_t>(step)] = false;
    }
    return std::find(kept.begin(), kept.end(), true) == kept.end() ? judged : kept;
}

// How much of the time lies in any of some intervals. Most schedules start their work in order.
std::int64_t unionNs(std::vector<Interval>& intervals, const WorkMeter& work)
{
    const auto byStart = work.counting([](Interval a, Interval b) { return a.startNs < b.startNs; });
    if (!std::is_sorted(intervals.begin(), intervals.end(), byStart))
        std::sort(intervals.begin(), intervals.end(), byStart);
    std::int64_t sumNs = 0;
    std::int64_t endNs = INT64_MIN;
    for (const Interval interval : intervals) {
        work.count();
        if (interval.endNs > endNs) {
            sumNs += interval.endNs - std::max(interval.startNs, endNs);
            endNs = interval.endNs;
        }
    }
    return sumNs;
}

// Host time that waits for nothing: calls without the part in which they are held, and what lies
// between them. What lies before the first of several judged steps is of no step, also where a thread makes its first
// call in a later one.
std::int64_t hostBusyNs(const ReplayProgram& program, const Schedule& schedule, const std::vector<bool>& judged)
{
    std::vector<std::int64_t> busyNs(program.threads, 0);
    std::vector<std::int64_t> firstNs(judged.size());  // where the judged steps up to each began
    for (std::size_t step = 0; step < judged.size(); ++step)
        firstNs[step] = step > 0 && judged[step - 1] ? firstNs[step - 1] : schedule.stepStartNs[step];
    for (std::size_t at = 0; at < program.calls.size(); ++at) {
        const HostCall& call = program.calls[at];
        const auto step = static_cast<std::size_t>(call.step);
        if (call.step < 0 || step >= judged.size() || !judged[step])
            continue;
        const std::int64_t gapNs = std::min(call.gapNs, schedule.calls[at].startNs - firstNs[step]);
        busyNs[call.thread] += std::max<std::int64_t>(0, gapNs) + call.costNs;
    }
    return busyNs.empty() ? 0 : *std::max_element(busyNs.begin(), busyNs.end());
}

}  // namespace

double deviceBusyShare(const ReplayProgram& program, const Schedule& schedule, const WorkMeter& work)
{
    const std::vector<bool> judged = judgedSteps(program);
    std::vector<Interval> all;
    for (std::size_t at = 0; at < program.tasks.size(); ++at) {
        work.count();
        const GpuTask& task = program.tasks[at];
        const std::int32_t step = task.call == kNoIndex ? -1 : program.calls[task.call].step;
        const bool counts =
            task.lane == Lane::Compute || task.lane == Lane::OtherCopy || task.hostMemory == MemoryKind::Pinned;
        if (counts && step >= 0 && static_cast<std::size_t>(step) < judged.size() &&
            judged[static_cast<std::size_t>(step)])
            all.push_back({schedule.taskStartNs[at], schedule.taskStartNs[at] + task.lengthNs});
    }
    const auto stepsNs = static_cast<double>(schedule.stepNs) * static_cast<double>(schedule.stepTimesNs.size());
    return stepsNs > 0 ? std::min(1.0, static_cast<double>(unionNs(all, work)) / stepsNs) : 0;
}

void fillStepTimes(const ReplayProgram& program, Schedule& schedule, const WorkMeter& work)
{
    const std::size_t marks = program.steps.size();
    for (const ProgramStep& mark : program.steps)
        schedule.stepStartNs.push_back(markNs(program, schedule, mark));
    schedule.gpuDoneNs.assign(marks + 1, 0);
    const std::vector<bool> judged = judgedSteps(program);
    std::array<std::vector<Interval>, kLaneCount> workOfLane;  // of the judged steps
    // What was asked for before the recording began: no change moves it, but it fills its engine.
    std::array<std::vector<Interval>, kLaneCount> withoutCall;
    const Interval judgedRange{program.steps[program.firstStep].startNs, program.steps[program.lastStep].startNs};
    for (std::size_t at = 0; at < program.tasks.size(); ++at) {
        work.count();
        const GpuTask& task = program.tasks[at];
        if (task.call == kNoIndex) {
            if (judgedRange.contains(task.startNs))
                withoutCall[static_cast<std::size_t>(task.lane)].push_back(
                    Interval{task.startNs, task.endNs()}.intersected(judgedRange));
            continue;
        }
        const std::int32_t step = program.calls[task.call].step;
        const auto place =
            static_cast<std::size_t>(std::clamp<std::int64_t>(step + 1, 0, static_cast<std::int64_t>(marks)));
        const Interval runs{schedule.taskStartNs[at], schedule.taskStartNs[at] + task.lengthNs};
        schedule.gpuDoneNs[place] = std::max(schedule.gpuDoneNs[place], runs.endNs);
        if (step >= 0 && static_cast<std::size_t>(step) < marks && judged[static_cast<std::size_t>(step)])
            workOfLane[static_cast<std::size_t>(task.lane)].push_back(runs);
    }
    for (std::size_t at = 1; at < schedule.gpuDoneNs.size(); ++at)
        schedule.gpuDoneNs[at] = std::max(schedule.gpuDoneNs[at], schedule.gpuDoneNs[at - 1]);

    std::int64_t hostNs = 0, gpuNs = 0, steps = 0;
    for (std::size_t step = program.firstStep; step < program.lastStep; ++step) {
        if (!judged[step])
            continue;
        // Of nested marks a later one may end first; a whole range may end after the last call.
        const std::int64_t onHostNs =
            std::max(schedule.stepStartNs[step], schedule.stepStartNs[step + 1]) - schedule.stepStartNs[step];
        // What a device does in the first step begins with it, however long it was idle before.
        const std::int64_t onGpuNs =
            schedule.gpuDoneNs[step + 1] - (step == program.firstStep
                                                ? std::max(schedule.gpuDoneNs[step], schedule.stepStartNs[step])
                                                : schedule.gpuDoneNs[step]);
        hostNs += onHostNs;
        gpuNs += onGpuNs;
        ++steps;
        schedule.stepTimesNs.push_back(onHostNs);
    }
    if (steps == 0)
        return;
    schedule.stepNs = std::max(hostNs, gpuNs) / steps;

    const auto set = [&](Bottleneck what, std::int64_t sumNs) {
        schedule.busyNs[static_cast<std::size_t>(what)] = sumNs / steps;
    };
    const auto laneNs = [&](Lane lane) {
        const std::int64_t ns = unionNs(workOfLane[static_cast<std::size_t>(lane)], work);
        const std::int64_t apartNs = unionNs(withoutCall[static_cast<std::size_t>(lane)], work);
        // A little of it is what the last judged step leaves behind likewise.
        const bool isMuch =
            static_cast<double>(apartNs) >= kMuchWithoutCall * static_cast<double>(judgedRange.lengthNs());
        return isMuch ? saturatedSum(ns, apartNs) : ns;
    };
    set(Bottleneck::Compute, laneNs(Lane::Compute));
    set(Bottleneck::H2D, laneNs(Lane::H2D));
    set(Bottleneck::D2H, laneNs(Lane::D2H));
    set(Bottleneck::Host, hostBusyNs(program, schedule, judged));
    std::int64_t mostWorkNs = 0, mostPinNs = 0;
    for (const LoaderProgram& loader : program.loaders) {
        std::int64_t workNs = 0, pinNs = 0;
        for (const LoaderBatch& batch : loader.batches) {
            const std::int32_t step = program.calls[batch.fetch].step;
            if (step < 0 || static_cast<std::size_t>(step) >= judged.size() || !judged[static_cast<std::size_t>(step)])
                continue;
            workNs += batch.workNs;
            pinNs += batch.pinNs;
        }
        if (loader.kind == LoaderKind::Lanes)
            mostWorkNs = std::max(mostWorkNs, workNs / std::max<std::int64_t>(1, loader.workers));
        mostPinNs = std::max(mostPinNs, pinNs);
    }
    set(Bottleneck::Workers, mostWorkNs);
    set(Bottleneck::PinThread, mostPinNs);
    if (program.loader().kind == LoaderKind::Waits && program.loader().bound)
        schedule.busyNs[static_cast<std::size_t>(Bottleneck::Loader)] =
            program.loader().paceNs > 0 ? program.loader().paceNs : schedule.stepNs;
    const auto longest = std::max_element(schedule.busyNs.begin(), schedule.busyNs.end());
    if (static_cast<double>(*longest) >= kFills * static_cast<double>(schedule.stepNs))
        schedule.bottleneck = static_cast<Bottleneck>(longest - schedule.busyNs.begin());
}

}  // namespace overlane
