#include "core/analysis/settled_work.h"

#include <gtest/gtest.h>

#include "core/analysis/verdict.h"
#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

// Ten steps of 100 ns, kernels in all of each; of the last ones the kernels are not recorded yet.
Trace growing(int recorded, bool secondDevice = false, int recordedOfSecond = 0)
{
    TraceBuilder builder;
    const TrackId host = builder.addTrack({}, TrackKind::Thread, "main", -1, 1);
    const TrackId steps = builder.addTrack({}, TrackKind::Annotations, "steps");
    std::vector<TrackId> engines;
    for (int device = 0; device < (secondDevice ? 2 : 1); ++device) {
        const TrackId gpu = builder.addTrack({}, TrackKind::Device, "GPU", device);
        engines.push_back(builder.addTrack(gpu, TrackKind::EngineCompute, "compute", device));
    }
    std::uint32_t correlation = 0;
    const auto add = [&](TrackId track, EventKind kind, const std::string& name, Interval interval,
                         std::uint32_t linked) {
        Event event;
        event.track = track;
        event.kind = kind;
        event.name = builder.intern(name);
        event.startNs = interval.startNs;
        event.durationNs = interval.lengthNs();
        event.correlation = linked;
        builder.addEvent(event);
    };
    for (int step = 0; step < 10; ++step) {
        const std::int64_t startNs = std::int64_t{step} * 100;
        add(steps, EventKind::Step, "step " + std::to_string(step), {startNs, startNs + 100}, 0);
        for (std::size_t device = 0; device < engines.size(); ++device) {
            ++correlation;
            add(host, EventKind::RuntimeCall, "cudaLaunchKernel",
                {startNs + 2 * static_cast<std::int64_t>(device), startNs + 2 * static_cast<std::int64_t>(device) + 1},
                correlation);
            if (step < (device == 0 ? recorded : recordedOfSecond))
                add(engines[device], EventKind::Kernel, "kernel", {startNs + 4, startNs + 99}, correlation);
        }
    }
    return builder.build();
}

TEST(SettledWorkTest, StepsBehindTheLastRecordAreNotJudged)
{
    const Trace trace = growing(5);
    const Analysis analysis(trace);
    const std::vector<Step> steps = findSteps(trace);
    ASSERT_EQ(steps.size(), 10u);
    // As a whole trace it would say that the GPU idles for half of the time.
    EXPECT_GT(verdictOfTrace(analysis, steps).endsNs, 400);

    const SettledWork settled = settledWork(analysis, steps);
    EXPECT_EQ(settled.steps.size(), 4u);
    EXPECT_LE(settled.range.endNs, 499);
    const Verdict soFar = verdict(analysis, settled.steps, settled.range);
    EXPECT_TRUE(soFar.computeBound) << soFar.sentence;
    EXPECT_LT(soFar.endsNs, 10);
}

TEST(SettledWorkTest, TheDeviceFurthestBehindDecides)
{
    const Trace trace = growing(9, true, 4);
    const Analysis analysis(trace);
    const SettledWork settled = settledWork(analysis, findSteps(trace));
    EXPECT_EQ(settled.steps.size(), 3u);
    EXPECT_EQ(settled.range.endNs, 300);
}

TEST(SettledWorkTest, WithoutARecordNothingIsSettled)
{
    const Trace trace = growing(0);
    const SettledWork settled = settledWork(Analysis(trace), findSteps(trace));
    EXPECT_TRUE(settled.range.empty());
    EXPECT_TRUE(settled.steps.empty());
}

}  // namespace
}  // namespace overlane
