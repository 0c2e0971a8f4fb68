// Loop evidence: what a trace shows of a loop beside the requests to the GPU: stacks, and code that is loaded.
//
// Pure; any thread; nanoseconds. TraceEvidence keeps references; a question goes through the events of the host once.
#pragma once

#include <span>

#include "core/analysis/loop_groups.h"
#include "core/base/interval.h"
#include "core/base/work_meter.h"
#include "core/trace/trace.h"

namespace overlane
{

class LoopEvidence
{
public:
    virtual ~LoopEvidence() = default;
    // Whether the host works in the pauses behind groups, and outside of what calls their iterations. What only waits,
    // for batches of a loader that come as its workers make them, is no loop around them.
    virtual bool hostWorksBetween(const LoopGroups& groups) const = 0;
    // Whether kernels are loaded in most iterations: a compiler tries what it has made. A program's loop loads its own
    // in the first few.
    virtual bool areTrials(std::span<const Interval> iterations) const = 0;
};

class TraceEvidence : public LoopEvidence
{
public:
    TraceEvidence(const Trace& trace, const WorkMeter& work) : m_trace(trace), m_work(work) {}
    bool hostWorksBetween(const LoopGroups& groups) const override;
    bool areTrials(std::span<const Interval> iterations) const override;

private:
    const Track* stacksOfLauncher(Interval range) const;

    const Trace& m_trace;
    const WorkMeter& m_work;
};

}  // namespace overlane
