// The host's own time with the memory of copies: staging by a library, and giving back what results came to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

// Steps of `pauseUs` of the host and 771 us of a call for a page-locked copy of 8 MiB, an event behind it, a kernel of
// 600 us, and a wait for the device.
struct Staging {
    const char* kernel = "cupy_multiply__float32";
    std::int64_t pauseUs = 1000;  // 8.4 GB/s
    bool recordsEvent = true;
};

std::shared_ptr<const Trace> stagedTrace(const Staging& program)
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    std::uint32_t correlation = 0;
    for (int step = 0; step < 8; ++step) {
        const std::int64_t stepNs = (program.pauseUs + 771) * kUs;
        const std::int64_t at = stepNs * step;
        sample.add(steps, EventKind::Step, at, at + stepNs, "step " + std::to_string(step));
        std::int64_t nowNs = at + program.pauseUs * kUs;
        sample.host(EventKind::RuntimeCall, nowNs, nowNs + 10 * kUs, "cudaMemcpyAsync", ++correlation);
        sample.copy(EventKind::CopyH2D, nowNs + 10 * kUs, nowNs + 160 * kUs, MemoryKind::Pinned, 8 << 20, 7,
                    AsyncFlag::Async, correlation);
        nowNs += 12 * kUs;
        if (program.recordsEvent)
            sample.host(EventKind::RuntimeCall, nowNs, nowNs + 2 * kUs, "cudaEventRecord", ++correlation);
        nowNs += 4 * kUs;
        sample.host(EventKind::RuntimeCall, nowNs, nowNs + 4 * kUs, "cuLaunchKernel", ++correlation);
        sample.add(sample.stream(TrackKind::EngineCompute, 7), EventKind::Kernel, nowNs + 150 * kUs, nowNs + 750 * kUs,
                   program.kernel, correlation);
        sample.host(EventKind::RuntimeCall, nowNs + 6 * kUs, nowNs + 755 * kUs, "cudaDeviceSynchronize", ++correlation);
    }
    return std::make_shared<const Trace>(sample.build());
}

Prediction pinned(std::shared_ptr<const Trace> trace)
{
    ReplayOptions options;
    options.device = findDeviceProfile("h200");
    const Result<Replay> replay = test::builtReplay(std::move(trace), options);
    EXPECT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> made = replay.value().predict(std::vector<Change>{parseChange("pin").value()});
    EXPECT_TRUE(made.ok()) << made.error();
    return made.value();
}

TEST(HostMemory, StagingByALibraryGoesWithPageLockedSources)
{
    const Prediction prediction = pinned(stagedTrace({}));
    // 60 us of the pause stay.
    EXPECT_NEAR(prediction.stepNsPredicted, (771 + 60) * kUs, 5 * kUs);
    EXPECT_EQ(prediction.direction(), Direction::Faster);
    test::expectText(prediction.notes);
    EXPECT_LT(prediction.highNs, 1000 * kUs);
    EXPECT_TRUE(prediction.needless.empty());
}

// A pause before a page-locked copy is the program's own work where its framework does not stage.
TEST(HostMemory, AProgramsOwnWorkBeforeAPageLockedCopyStays)
{
    for (const Staging& program : {Staging{"at::native::elementwise"}, Staging{"cupy_multiply__float32", 1000, false},
                                   Staging{"cupy_multiply__float32", 200}}) {
        const Prediction prediction = pinned(stagedTrace(program));
        EXPECT_EQ(prediction.stepNsPredicted, prediction.stepNsReplayed) << program.kernel << ", " << program.pauseUs;
        EXPECT_EQ(prediction.needless.size(), 1U);
    }
}

// Much longer than a copy in memory takes: what it takes at a usual rate goes, the rest is the program's own.
TEST(HostMemory, OfALongPauseOnlyTheStagingGoes)
{
    const Prediction prediction = pinned(stagedTrace({.pauseUs = 4000}));
    EXPECT_NEAR(prediction.stepNsReplayed - prediction.stepNsPredicted, 1 << 20, 60 * kUs);
}

// Where nothing tells the framework, it may be staging, and the range says what it is otherwise.
TEST(HostMemory, WhereTheLibraryIsUnknownTheRangeReachesToNoChange)
{
    const Prediction prediction = pinned(stagedTrace({.kernel = "multiply"}));
    EXPECT_NEAR(prediction.stepNsPredicted, (771 + 60) * kUs, 5 * kUs);
    EXPECT_GE(prediction.highNs, 1771 * kUs);
    EXPECT_EQ(prediction.direction(), Direction::Unclear);
    test::expectText(prediction.rangeOrigins);
}

// Steps of 20 ms: a kernel of 2 ms, 32 MiB back to the host in `copyUs`, and 1500 us of the host behind it.
std::shared_ptr<const Trace> traceOfResults(std::int64_t copyUs)
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    std::uint32_t correlation = 0;
    for (int step = 0; step < 8; ++step) {
        const std::int64_t at = 20000 * kUs * step;
        sample.add(steps, EventKind::Step, at, at + 20000 * kUs, "step " + std::to_string(step));
        const std::int64_t nowNs = at + (20000 - copyUs - 2100) * kUs;
        sample.host(EventKind::RuntimeCall, at + 1500 * kUs, at + 1504 * kUs, "cudaLaunchKernel", ++correlation);
        sample.kernel(nowNs, nowNs + 2000 * kUs, 7, correlation);
        sample.host(EventKind::RuntimeCall, nowNs + 10 * kUs, at + 20000 * kUs, "cudaMemcpyAsync", ++correlation);
        sample.copy(EventKind::CopyD2H, nowNs + 2010 * kUs, nowNs + (2010 + copyUs) * kUs, MemoryKind::Pageable,
                    32 << 20, 7, AsyncFlag::Async, correlation);
    }
    return std::make_shared<const Trace>(sample.build());
}

TEST(HostMemory, MemoryThatIsNewForEachResultIsNotGivenBackWhereItIsKept)
{
    const auto keeps = testing::Contains(testing::HasSubstr("pinned memory that is kept"));
    const Prediction fresh = pinned(traceOfResults(12000));  // 2.8 GB/s: touched for the first time
    EXPECT_THAT(fresh.notes, keeps);
    EXPECT_LT(fresh.lowNs, fresh.stepNsPredicted);
    const Prediction kept = pinned(traceOfResults(3000));  // 11 GB/s
    EXPECT_THAT(kept.notes, testing::Not(keeps));
}

// Steps of 60 ms: 2 ms of kernels, 32 MiB back to the host in `copyUs`, 40 ms of the host's own work with them, and
// 32 MiB to the device again in 4 ms: an optimizer on the host, or activations that come back.
std::shared_ptr<const Trace> traceOfRoundTrips(std::int64_t copyUs)
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    std::uint32_t correlation = 0;
    for (int step = 0; step < 8; ++step) {
        const std::int64_t at = 60000 * kUs * step;
        sample.add(steps, EventKind::Step, at, at + 60000 * kUs, "step " + std::to_string(step));
        sample.host(EventKind::RuntimeCall, at, at + 4 * kUs, "cudaLaunchKernel", ++correlation);
        sample.kernel(at + 10 * kUs, at + 2000 * kUs, 7, correlation);
        const std::int64_t backNs = at + 2010 * kUs, backEndNs = backNs + copyUs * kUs;
        sample.host(EventKind::RuntimeCall, at + 10 * kUs, backEndNs, "cudaMemcpyAsync", ++correlation);
        sample.copy(EventKind::CopyD2H, backNs, backEndNs, MemoryKind::Pageable, 32 << 20, 7, AsyncFlag::Async,
                    correlation);
        const std::int64_t inNs = backEndNs + 40000 * kUs;
        sample.host(EventKind::RuntimeCall, inNs, inNs + 4010 * kUs, "cudaMemcpyAsync", ++correlation);
        sample.copy(EventKind::CopyH2D, inNs + 10 * kUs, inNs + 4000 * kUs, MemoryKind::Pageable, 32 << 20, 7,
                    AsyncFlag::Async, correlation);
    }
    return std::make_shared<const Trace>(sample.build());
}

// What the host computes between copies back and copies in is no freeing of memory.
TEST(HostMemory, WhatTheHostComputesBetweenCopiesStays)
{
    const Prediction kept = pinned(traceOfRoundTrips(3000));
    EXPECT_GE(kept.stepNsPredicted, 40000 * kUs);
    EXPECT_GE(kept.lowNs, 35000 * kUs) << "no more than what warm caches win";
    test::expectText(kept.notes);
    const Prediction fresh = pinned(traceOfRoundTrips(12000));  // touched for the first time
    test::expectText(fresh.notes);
    EXPECT_GE(fresh.stepNsPredicted, 35000 * kUs) << "no more than giving back takes";
}

}  // namespace
}  // namespace overlane
