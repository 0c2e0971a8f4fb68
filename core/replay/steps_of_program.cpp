#include <algorithm>
#include <fmt/format.h>

#include "core/base/statistics.h"
#include "core/replay/program_builder.h"

namespace overlane
{
namespace
{

constexpr std::size_t kFewSteps = 4;
// First use takes the host at least so many times as long for its own work as usual, ...
constexpr std::int64_t kFirstUse = 2;
// ... and a part of the first steps only.
constexpr std::size_t kFirstPart = 4;

}  // namespace

Result<void> ProgramBuilder::findSteps()
{
    if (m_steps.size() < 2 && !m_program.wholeRange)
        return Error{
            "The trace marks fewer than two steps and none are seen in its GPU work, so there is no step time "
            "to predict; record with --pytorch, torch.profiler's schedule, or NVTX ranges named 'step N'."};
    std::vector<std::uint32_t> mainCalls;
    for (std::size_t at = 0; at < m_program.calls.size(); ++at)
        if (m_program.calls[at].thread == m_program.mainThread)
            mainCalls.push_back(static_cast<std::uint32_t>(at));
    std::vector<std::uint32_t> tasksByStart(m_program.tasks.size());
    for (std::size_t at = 0; at < tasksByStart.size(); ++at)
        tasksByStart[at] = static_cast<std::uint32_t>(at);
    std::sort(tasksByStart.begin(), tasksByStart.end(), m_work.counting([this](std::uint32_t a, std::uint32_t b) {
        return m_program.tasks[a].startNs < m_program.tasks[b].startNs;
    }));
    const auto mark = [&](std::int64_t startNs, std::int64_t number) {
        ProgramStep made;
        made.startNs = startNs;
        made.number = number;
        if (m_stepsOfDevice || mainCalls.empty()) {
            const auto task = std::lower_bound(
                tasksByStart.begin(), tasksByStart.end(), startNs,
                [this](std::uint32_t at, std::int64_t time) { return m_program.tasks[at].startNs < time; });
            made.task = task == tasksByStart.end() ? kNoIndex : *task;
            if (made.task != kNoIndex)
                made.beforeNs = m_program.tasks[made.task].startNs - startNs;
        } else {
            const auto call = std::lower_bound(
                mainCalls.begin(), mainCalls.end(), startNs,
                [this](std::uint32_t at, std::int64_t time) { return m_program.calls[at].startNs < time; });
            made.call = call == mainCalls.end() ? kNoIndex : *call;
            if (made.call != kNoIndex)
                made.beforeNs = m_program.calls[made.call].startNs - startNs;
        }
        return made;
    };
    for (const Step& step : m_steps)
        m_program.steps.push_back(mark(step.interval.startNs, step.number));
    m_program.steps.push_back(mark(m_steps.back().interval.endNs, m_steps.back().number + 1));
    // A call belongs to the step that had begun by then.
    std::size_t step = 0;
    for (HostCall& call : m_program.calls) {
        while (step < m_steps.size() && m_steps[step].interval.startNs <= call.startNs)
            ++step;
        const bool after = step == m_steps.size() && call.startNs >= m_steps.back().interval.endNs;
        call.step = after ? static_cast<std::int32_t>(m_steps.size()) : static_cast<std::int32_t>(step) - 1;
    }
    return {};
}

// The first step, from this one on, in which the main thread is not busy with first use.
std::size_t ProgramBuilder::firstWarmStep(std::size_t first) const
{
    // Its own time: between calls, and in those that neither copy nor wait.
    std::vector<std::int64_t> ownNs(m_steps.size());
    std::int64_t doneNs = m_program.calls.empty() ? 0 : m_program.calls.front().startNs;
    for (const HostCall& call : m_program.calls) {
        if (call.thread != m_program.mainThread)
            continue;
        const bool copies = call.kind == CallKind::Launch && m_program.tasks[call.firstTask].lane != Lane::Compute;
        const bool waits = call.kind == CallKind::Sync || call.kind == CallKind::Fetch;
        const std::int64_t ownEndNs = copies || waits ? call.startNs : call.endNs;
        if (call.step >= 0 && static_cast<std::size_t>(call.step) < ownNs.size())
            ownNs[static_cast<std::size_t>(call.step)] += std::max<std::int64_t>(0, ownEndNs - doneNs);
        doneNs = std::max(doneNs, call.endNs);
    }
    const std::size_t count = ownNs.size() - first;
    const std::int64_t usualNs = median(std::vector(ownNs.begin() + static_cast<std::ptrdiff_t>(first), ownNs.end()));
    std::size_t warm = first;
    while (warm < ownNs.size() && ownNs[warm] / kFirstUse > usualNs)
        ++warm;
    return warm - first <= count / kFirstPart ? warm : first;
}

Result<void> ProgramBuilder::judgeSteps(const std::vector<Step>& steps)
{
    if (m_program.wholeRange) {
        m_program.firstStep = 0;
        m_program.lastStep = 1;
        if (m_program.steps.front().call == kNoIndex && m_program.steps.front().task == kNoIndex)
            return Error{"No call of a host thread lies in the range, so there is nothing to replay."};
        return {};
    }
    std::size_t first = 0, last = steps.size();
    while (first + 2 < steps.size() && steps[first].warmUp)
        ++first;
    // Where waits for slow copies fill the steps, first use of the host's code does not show in their length; once a
    // change takes the waits away it would.
    if (const std::size_t warm = firstWarmStep(first); warm > first && !m_options.firstStep) {
        first = warm;
        m_program.leftOut.push_back(
            fmt::format("those before step {}, in which the host uses its code for the first time", first));
    }
    // While a loader's first batches last, steps go faster than it can: judged is what comes after them,
    // where enough is left.
    std::int64_t drawn = 0;
    for (const LoaderBatch& batch : m_program.loader().batches)
        if (batch.firstOfEpoch && &batch == &m_program.loader().batches.front())
            drawn = m_program.calls[batch.fetch].step + m_program.loader().outstanding + 1;
    if (m_program.loader().kind == LoaderKind::Lanes && static_cast<std::size_t>(drawn) > first &&
        static_cast<std::size_t>(drawn) < steps.size() / 2) {
        first = static_cast<std::size_t>(drawn);
        if (!m_options.firstStep)
            m_program.leftOut.push_back(
                fmt::format("those before step {}, which use batches that the loader had made before", first));
    }
    // The last one has no successor whose start would end it, unless there are too few.
    if (last - first >= kFewSteps || m_program.steps[last].call == kNoIndex) {
        --last;
        if (!m_options.lastStep)
            m_program.leftOut.emplace_back("the last one, which no later step ends");
    }
    for (const std::optional<std::size_t> asked : {m_options.firstStep, m_options.lastStep})
        if (asked && *asked >= steps.size())
            return Error{fmt::format("The trace has no step {}; it has {}, counted from 0.", *asked, steps.size())};
    if (m_options.firstStep)
        first = *m_options.firstStep;
    if (m_options.lastStep)
        last = *m_options.lastStep + 1;
    while (last > first && m_program.steps[last].call == kNoIndex && m_program.steps[last].task == kNoIndex)
        --last;
    if (first >= last)
        return Error{"No whole step is left to judge; choose more with --steps FIRST-LAST."};
    m_program.firstStep = first;
    m_program.lastStep = last;
    return {};
}

}  // namespace overlane
