// What the verdict calls the bound: a loader that works all the time, kernels that nearly fill the range.
#include <cstdint>
#include <gmock/gmock.h>
#include <string>

#include "core/analysis/verdict.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;
using testing::StartsWith;

constexpr std::int64_t kBoundSteps = 20;

// Steps of 10 ms: 2 wait for a batch, 4 pass between 80 short kernels that are launched too slowly, 4 compute.
Verdict judgeLoop(std::int64_t busyOfEachTenUs, const char* processors = nullptr)
{
    SampleTrace sample;
    std::uint32_t id = 0;
    const TrackId worker = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "worker 0");
    for (std::int64_t step = 0; step < kBoundSteps; ++step) {
        const std::int64_t startNs = step * 10 * kMs;
        sample.host(EventKind::Step, startNs, startNs + 10 * kMs, "ProfilerStep#" + std::to_string(step));
        sample.host(EventKind::LoaderWait, startNs, startNs + 2 * kMs - 10 * kUs, "wait for batch");
        sample.add(worker, EventKind::Loader, startNs, startNs + busyOfEachTenUs * kUs, "batch");
        for (std::int64_t at = 0; at < 80; ++at) {
            const std::int64_t atNs = startNs + 2 * kMs + at * 100 * kUs;
            sample.host(EventKind::RuntimeCall, atNs - 5 * kUs, atNs, "cudaLaunchKernel", ++id);
            sample.kernel(atNs, atNs + 15 * kUs, 7, id);
        }
    }
    if (processors)
        sample.builder().metadata().properties[kUsableProcessors] = processors;
    const Trace trace = sample.build();
    return verdict(trace, {0, kBoundSteps * 10 * kMs});
}

// No more workers are advised than there are processors.
TEST(WhatBoundsTest, WorkersAreNoMoreThanProcessors)
{
    test::expectText(judgeLoop(9'500).advice);
    test::expectText(judgeLoop(9'500, "16").advice);
    test::expectText(judgeLoop(9'500, "4").advice);
    test::expectText(judgeLoop(9'500, "1").advice);
}

TEST(WhatBoundsTest, ALoaderThatAlwaysWorksSetsThePace)
{
    const Verdict found = judgeLoop(9'500);
    ASSERT_TRUE(found.mainLoss);
    EXPECT_TRUE(found.loaderSetsPace) << found.sentence;
    EXPECT_EQ(*found.mainLoss, LostCause::Batches) << found.sentence;
    EXPECT_EQ(found.losses.front().cause, LostCause::Batches);
    test::expectText(found.sentence);
    test::expectText(found.advice);
}

TEST(WhatBoundsTest, ALoaderWithTimeToSpareDoesNot)
{
    const Verdict found = judgeLoop(5'000);
    ASSERT_TRUE(found.mainLoss);
    EXPECT_FALSE(found.loaderSetsPace);
    EXPECT_EQ(*found.mainLoss, LostCause::LaunchBound) << found.sentence;
    test::expectText(found.sentence);
}

// Steps of 10 ms with a kernel each, and the host's own work before it is launched.
Verdict judgeFilled(std::int64_t kernelUs)
{
    SampleTrace sample;
    std::uint32_t id = 0;
    for (std::int64_t step = 0; step <= kBoundSteps; ++step) {
        const std::int64_t endNs = step * 10 * kMs;
        const std::int64_t startNs = endNs - kernelUs * kUs;
        sample.host(EventKind::Step, endNs - 10 * kMs, endNs, "ProfilerStep#" + std::to_string(step));
        sample.host(EventKind::HostWork, endNs - 10 * kMs, startNs - 10 * kUs, "log");
        sample.host(EventKind::RuntimeCall, startNs - 10 * kUs, startNs, "cudaLaunchKernel", ++id);
        sample.kernel(startNs, endNs, 7, id);
    }
    const Trace trace = sample.build();
    return verdict(trace, {0, kBoundSteps * 10 * kMs});
}

TEST(WhatBoundsTest, KernelsThatNearlyFillTheTimeAreTheBound)
{
    const Verdict found = judgeFilled(8'900);
    EXPECT_TRUE(found.computeBound);
    test::expectText(found.sentence);
}

TEST(WhatBoundsTest, ALossThatIsWorthMoreIsTheHeadline)
{
    const Verdict found = judgeFilled(8'300);
    EXPECT_FALSE(found.computeBound);
    EXPECT_THAT(found.sentence, StartsWith("Host-bound: "));
}

}  // namespace
}  // namespace overlane
