#include <algorithm>

#include "core/replay/program_builder.h"

namespace overlane
{

Result<ReplayProgram> ProgramBuilder::build(Progress* progress)
{
    const auto report = [&](double fraction) {
        if (progress)
            progress->report(fraction);
        return progress && progress->cancelled();
    };
    const Error cancelled{Progress::kCancelled};
    m_steps = overlane::findSteps(m_trace);
    if (report(0.2))
        return cancelled;
    findCalls();
    addStepFetches();
    if (report(0.4))
        return cancelled;
    findTasks();
    if (m_program.tasks.empty())
        return Error{"The trace holds no work of a GPU, so there is nothing to replay; record kernels and copies."};
    if (m_program.calls.empty() || std::none_of(m_program.tasks.begin(), m_program.tasks.end(),
                                                [](const GpuTask& task) { return task.call != kNoIndex; }))
        return Error{
            "The trace links no GPU work to a call of a host thread, so nothing tells what a change would move; "
            "record the CUDA runtime calls too (torch.profiler: ProfilerActivity.CPU and CUDA)."};
    if (const Result<void> found = findSteps(); !found.ok())
        return Error{found.error()};
    if (report(0.6))
        return cancelled;
    findLoader();
    if (const Result<void> judged = judgeSteps(m_steps); !judged.ok())
        return Error{judged.error()};
    readWaits();
    findWaits();
    measureTypical();
    if (report(0.8))
        return cancelled;
    measureCalls();
    findRunAhead();
    measureTasks();
    storeWaits();
    measureGaps();
    if (report(1))
        return cancelled;
    return std::move(m_program);
}

}  // namespace overlane
