// A training loop by hand: steps of 10 ms, each with a kernel that ends with the step, and whatever a
// test adds. Before the first step a kernel runs, so that no copy is the first batch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/steps.h"
#include "core/base/units.h"
#include "core/findings/findings.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane::test
{

constexpr std::int64_t kStepNs = 10 * kMs;

class LoopTrace
{
public:
    explicit LoopTrace(std::int64_t steps = 4, bool kernelBefore = true) : m_steps(steps)
    {
        if (kernelBefore)
            launch(-8 * kMs, 0);
    }

    SampleTrace& sample() { return m_sample; }

    // A kernel on a stream and the call that launches it, which ends right before it starts.
    void launch(std::int64_t startNs, std::int64_t endNs, std::int64_t stream = 7, std::int64_t callEndNs = -kStepNs)
    {
        const std::int64_t calledNs = callEndNs == -kStepNs ? startNs : callEndNs;
        const std::uint32_t id = ++m_correlation;
        m_sample.host(EventKind::RuntimeCall, calledNs - kUs, calledNs, "cudaLaunchKernel", id);
        m_sample.kernel(startNs, endNs, stream, id);
    }
    // A copy and its call.
    void copy(EventKind kind, Interval call, Interval work, MemoryKind memory, std::int64_t stream,
              AsyncFlag async = AsyncFlag::Async, std::int64_t bytes = 8 * kMiB)
    {
        const std::uint32_t id = ++m_correlation;
        m_sample.host(EventKind::RuntimeCall, call.startNs, call.endNs, "cudaMemcpyAsync", id);
        m_sample.copy(kind, work.startNs, work.endNs, memory, bytes, stream, async, id);
    }
    void call(std::string_view name, Interval interval)
    {
        m_sample.host(EventKind::RuntimeCall, interval.startNs, interval.endNs, name);
    }
    // What happens in every step, given its start and number.
    void eachStep(const std::function<void(std::int64_t startNs, std::int64_t step)>& add)
    {
        for (std::int64_t step = 0; step < m_steps; ++step)
            add(step * kStepNs, step);
    }
    Trace build()
    {
        eachStep([&](std::int64_t startNs, std::int64_t step) {
            m_sample.host(EventKind::Step, startNs, startNs + kStepNs, "ProfilerStep#" + std::to_string(step));
        });
        return m_sample.build();
    }
    Interval range() const { return {0, m_steps * kStepNs}; }
    FindingList findings() { return findingsOf(build(), range()); }

    static FindingList findingsOf(const Trace& trace, Interval range)
    {
        const Analysis analysis(trace);
        return overlane::findings(trace, analysis, findSteps(trace), range);
    }

private:
    SampleTrace m_sample;
    std::int64_t m_steps;
    std::uint32_t m_correlation = 0;
};

}  // namespace overlane::test
