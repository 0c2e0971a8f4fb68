#include <algorithm>

#include "core/replay/program_builder.h"

namespace overlane
{

// What reading a program adds up stays far below what times can count.
bool ProgramBuilder::eventsAddUp() const
{
    constexpr double kMostNs = 0x1p61;
    double sumNs = static_cast<double>(m_trace.span().lengthNs());
    for (const std::int64_t durationNs : m_trace.columns().durationNs)
        sumNs += static_cast<double>(durationNs);
    return sumNs <= kMostNs;
}

// A range that begins with a copy begins with the call that asked for it, which the copy may hold for as long as it
// takes; not where the GPU did other work since that call.
std::int64_t ProgramBuilder::startOfRange(std::int64_t startNs) const
{
    const GpuTask* first = nullptr;
    for (const GpuTask& task : m_program.tasks) {
        m_work.count();
        if (task.call != kNoIndex && task.startNs >= startNs && (!first || task.startNs < first->startNs))
            first = &task;
    }
    if (!first || first->lane == Lane::Compute)
        return startNs;
    const std::int64_t askedNs = std::min(startNs, m_program.calls[first->call].startNs);
    const bool isFree = std::none_of(m_program.tasks.begin(), m_program.tasks.end(), [&](const GpuTask& task) {
        m_work.count();
        return task.startNs < startNs && task.startNs + task.lengthNs > askedNs;
    });
    return isFree ? askedNs : startNs;
}

Result<ReplayProgram> ProgramBuilder::build(Progress* progress)
{
    const auto report = [&](double fraction) {
        if (progress)
            progress->report(fraction);
        m_work.look();
    };
    const Error tooLong{
        "The times of this trace add up to many years, so they cannot be right and nothing is predicted from them."};
    if (!eventsAddUp())
        return tooLong;
    if (m_steps.size() < 2 && m_options.range && !m_options.range->empty()) {
        m_program.wholeRange = true;
        m_steps = {Step{}};
        m_steps.front().interval = *m_options.range;
        m_stepsOfDevice = false;
    }
    report(0.2);
    findCalls();
    addStepFetches();
    report(0.4);
    findTasks();
    if (m_program.tasks.empty())
        return Error{"The trace holds no work of a GPU, so there is nothing to replay; record kernels and copies."};
    if (m_program.calls.empty() || std::none_of(m_program.tasks.begin(), m_program.tasks.end(),
                                                [](const GpuTask& task) { return task.call != kNoIndex; }))
        return Error{
            "The trace links no GPU work to a call of a host thread, so nothing shows what a change would move; "
            "record the CUDA runtime calls too (torch.profiler: ProfilerActivity.CPU and CUDA)."};
    if (m_program.wholeRange)
        m_steps.front().interval.startNs = startOfRange(m_steps.front().interval.startNs);
    RETURN_IF_ERROR(findSteps());
    report(0.6);
    findLoaders();
    RETURN_IF_ERROR(judgeSteps(m_steps));
    readWaits();
    findWaits();
    measureTypical();
    report(0.8);
    measureCalls();
    findRunAhead();
    measureTasks();
    storeWaits();
    measureGaps();
    report(1);
    if (!timesAddUp(m_program))
        return tooLong;
    return std::move(m_program);
}

}  // namespace overlane
