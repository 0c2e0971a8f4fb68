// A seeded rank of a job: steps of 1000 ns with random compute, communication and copies, small enough to be summed
// nanosecond by nanosecond.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "core/judgement/judged_trace.h"
#include "tests/support/sample_traces.h"

namespace overlane::test
{

constexpr std::int64_t kRankStepNs = 1000;

struct RankTraceOptions {
    std::int64_t steps = 12;
    std::int64_t firstStep = 3;
    std::int64_t scale = 1;  // of all times
    std::int64_t startEpochNs = 1'700'000'000'000'000'000;
    std::map<std::string, std::string> properties;
    std::string communication = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
};

inline Trace rankTrace(std::uint32_t seed, const RankTraceOptions& options = {})
{
    std::mt19937 random(seed);
    const auto upTo = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit + 1));
    };
    SampleTrace sample;
    sample.builder().metadata().startEpochNs = options.startEpochNs;
    sample.builder().metadata().properties = options.properties;
    std::uint32_t call = 0;
    for (std::int64_t step = 0; step < options.steps; ++step) {
        const std::int64_t stepNs = step * kRankStepNs;
        const auto at = [&](std::int64_t ns) { return (stepNs + ns) * options.scale; };
        sample.host(EventKind::Step, at(0), at(kRankStepNs),
                    "ProfilerStep#" + std::to_string(options.firstStep + step));
        std::int64_t ns = upTo(50);
        sample.copy(EventKind::CopyH2D, at(ns), at(ns + 40 + upTo(60)), MemoryKind::Pageable, 1 << 16, 7,
                    AsyncFlag::Async);
        for (ns += 20 + upTo(100); ns < 600; ns += 40 + upTo(150)) {
            const std::int64_t endNs = ns + 20 + upTo(80);
            ++call;
            sample.host(EventKind::RuntimeCall, at(ns - 10), at(ns - 5), "cudaLaunchKernel", call);
            sample.kernel(at(ns), at(endNs), 7, call);
        }
        const std::int64_t communicationNs = 300 + upTo(300);
        sample.add(sample.stream(TrackKind::EngineCompute, 20), EventKind::Kernel, at(communicationNs),
                   at(communicationNs + 50 + upTo(250)), options.communication);
    }
    return sample.build();
}

inline std::unique_ptr<const JudgedTrace> judgedRank(Trace trace)
{
    return JudgedTrace::make(std::move(trace), "rank").value();
}

}  // namespace overlane::test
