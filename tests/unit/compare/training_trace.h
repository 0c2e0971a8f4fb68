// Hand-made training runs for comparisons: every step copies, then computes on the same stream.
#pragma once

#include <string>
#include <vector>

#include "tests/support/sample_traces.h"

namespace overlane::test
{

struct TrainingRun {
    std::vector<std::int64_t> copyNs;  // of each step
    std::int64_t kernelNs = 500'000;
    MemoryKind memory = MemoryKind::Pageable;
    std::string kernelName = "gemm";
    std::int64_t bytes = 1 << 20;
    std::int64_t startNs = 0;
    std::int32_t device = 0;
    bool steps = true;
    TraceMetadata metadata;
};

// A step: 10 us until the copy starts, the copy, 10 us, the kernel, 10 us.
inline Trace trainingTrace(const TrainingRun& run)
{
    constexpr std::int64_t kGapNs = 10'000;
    SampleTrace sample(run.device);
    sample.builder().metadata() = run.metadata;
    std::int64_t timeNs = run.startNs;
    for (std::size_t step = 0; step < run.copyNs.size(); ++step) {
        const std::int64_t startNs = timeNs;
        timeNs += kGapNs;
        sample.copy(EventKind::CopyH2D, timeNs, timeNs + run.copyNs[step], run.memory, run.bytes);
        timeNs += run.copyNs[step] + kGapNs;
        sample.add(sample.stream(TrackKind::EngineCompute, 7), EventKind::Kernel, timeNs, timeNs + run.kernelNs,
                   run.kernelName);
        timeNs += run.kernelNs + kGapNs;
        if (run.steps)
            sample.host(EventKind::Step, startNs, timeNs, "ProfilerStep#" + std::to_string(step + 3));
    }
    return sample.build();
}

// Times around `ns` that differ a little and never tie.
inline std::vector<std::int64_t> around(std::int64_t ns, std::size_t count, std::int64_t stepNs = 1'000)
{
    std::vector<std::int64_t> times;
    for (std::size_t i = 0; i < count; ++i)
        times.push_back(ns + static_cast<std::int64_t>((i * 11) % count) * stepNs);
    return times;
}

}  // namespace overlane::test
