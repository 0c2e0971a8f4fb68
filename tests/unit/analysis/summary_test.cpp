#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "core/analysis/analysis.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

TEST(SummaryTest, AnEmptyTraceHasNoDevices)
{
    const Summary summary = summarize(TraceBuilder().build());
    EXPECT_TRUE(summary.devices.empty());
    EXPECT_EQ(summary.worst(), nullptr);
    EXPECT_EQ(summary.hostBlockedNs, 0);
}

TEST(SummaryTest, SerialCopiesAreAllExposed)
{
    const Summary summary = summarize(test::serialTrace());
    ASSERT_EQ(summary.devices.size(), 1u);
    const DeviceSummary& device = summary.devices[0];
    EXPECT_EQ(device.name, "Sample GPU");
    EXPECT_EQ(device.h2d, 4);
    EXPECT_EQ(device.h2dPageable, 4);
    EXPECT_EQ(device.h2dBytes, 4 << 20);
    EXPECT_EQ(device.h2dBusyNs, 160);
    EXPECT_EQ(device.kernelBusyNs, 200);
    EXPECT_EQ(device.h2dHiddenNs, 0);
    EXPECT_EQ(device.exposedCopyNs, 160);
    EXPECT_EQ(device.idleNs, 40);
    EXPECT_EQ(device.overlapShare, 0);
    EXPECT_EQ(device.wallNs, 400);
    EXPECT_EQ(device.idealNs, 200);
    EXPECT_DOUBLE_EQ(device.distance, 2);
    // A call that starts a pageable copy holds its thread: 4 x 45 ns.
    EXPECT_EQ(summary.hostBlockedNs, 180);
    EXPECT_EQ(summary.hostCriticalNs, 0);
}

TEST(SummaryTest, CountsWhatStartsInTheRangeAndClipsBusyTime)
{
    const Trace trace = test::serialTrace();
    const DeviceSummary device = summarize(trace, Interval{25, 60}).devices.at(0);
    EXPECT_EQ(device.h2d, 0);  // started at 5
    EXPECT_EQ(device.kernels, 1);
    EXPECT_EQ(device.h2dBusyNs, 20);
    EXPECT_EQ(device.kernelBusyNs, 10);
    EXPECT_EQ(device.wallNs, 35);
}

TEST(SummaryTest, RangesSideBySideAddUpToTheWhole)
{
    const Analysis analysis(test::overlappedTrace());
    const DeviceSummary whole = analysis.summarize().devices.at(0);
    DeviceSummary sum;
    for (std::int64_t startNs = 0; startNs < analysis.span().endNs; startNs += 13) {
        const Interval part{startNs, std::min(startNs + 13, analysis.span().endNs)};
        const DeviceSummary device = analysis.summarize(part).devices.at(0);
        sum.h2d += device.h2d;
        sum.kernels += device.kernels;
        sum.h2dBytes += device.h2dBytes;
        sum.h2dHiddenNs += device.h2dHiddenNs;
        sum.idleNs += device.idleNs;
        sum.wallNs += device.wallNs;
    }
    EXPECT_EQ(sum.h2d, whole.h2d);
    EXPECT_EQ(sum.kernels, whole.kernels);
    EXPECT_EQ(sum.h2dBytes, whole.h2dBytes);
    EXPECT_EQ(sum.h2dHiddenNs, whole.h2dHiddenNs);
    EXPECT_EQ(sum.idleNs, whole.idleNs);
    EXPECT_EQ(sum.wallNs, whole.wallNs);
}

TEST(SummaryTest, AnEventOfNoLengthAtTheVeryEndCounts)
{
    SampleTrace sample;
    sample.kernel(0, 100);
    sample.kernel(100, 100);
    EXPECT_EQ(summarize(sample.build()).devices.at(0).kernels, 2);
}

TEST(SummaryTest, AnEmptyOrReversedRangeIsZero)
{
    const Analysis analysis(test::serialTrace());
    for (const Interval range : {Interval{50, 50}, Interval{60, 50}, Interval{-20, -10}}) {
        const DeviceSummary device = analysis.summarize(range).devices.at(0);
        EXPECT_EQ(device.kernels, 0);
        EXPECT_EQ(device.h2dBusyNs, 0);
        EXPECT_EQ(device.distance, 0);
        EXPECT_GE(device.idleNs, 0);
    }
}

TEST(SummaryTest, MemsetsAndAnnotationsAreNoKernelsButAMemsetIsNotIdle)
{
    SampleTrace sample;
    const TrackId stream = sample.stream(TrackKind::EngineCompute, 7);
    sample.kernel(0, 10);
    sample.add(stream, EventKind::Memset, 10, 30, "Memset");
    sample.add(stream, EventKind::Annotation, 0, 100, "user range");
    const DeviceSummary device = summarize(sample.build()).devices.at(0);
    EXPECT_EQ(device.kernels, 1);
    EXPECT_EQ(device.kernelBusyNs, 10);
    EXPECT_EQ(device.idleNs, 70);
}

TEST(SummaryTest, MemoryKindsAreCountedOnTheHostsSide)
{
    SampleTrace sample;
    for (const MemoryKind kind : {MemoryKind::Pinned, MemoryKind::Pageable, MemoryKind::Unknown, MemoryKind::Managed})
        sample.copy(EventKind::CopyH2D, 0, 10, kind, 10);
    sample.copy(EventKind::CopyD2H, 20, 30, MemoryKind::Pinned, 5);
    sample.copy(EventKind::CopyD2D, 20, 30, MemoryKind::Device);
    const DeviceSummary device = summarize(sample.build()).devices.at(0);
    EXPECT_EQ(device.h2d, 4);
    EXPECT_EQ(device.h2dPinned, 1);
    EXPECT_EQ(device.h2dPageable, 1);
    EXPECT_EQ(device.h2dUnknown, 2);
    EXPECT_EQ(device.d2h, 1);
    EXPECT_EQ(device.d2hBytes, 5);
    EXPECT_EQ(device.otherCopies, 1);
}

TEST(SummaryTest, TheBusiestActorBoundsTheIdealAndItsWaitsDoNotCount)
{
    SampleTrace sample;
    const TrackId worker = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "worker 0");
    const TrackId consumer = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "consumer");
    sample.add(worker, EventKind::Loader, 0, 80, "produce");
    sample.add(worker, EventKind::LoaderWait, 80, 200, "index queue");
    sample.add(consumer, EventKind::Loader, 0, 200, "step");
    sample.add(consumer, EventKind::HostBlocked, 50, 150, "staging");
    sample.add(consumer, EventKind::LoaderWait, 150, 190, "result queue");
    sample.kernel(0, 20);
    const Summary summary = summarize(sample.build());
    EXPECT_EQ(summary.hostCriticalNs, 80);
    EXPECT_EQ(summary.devices.at(0).idealNs, 80);
    EXPECT_EQ(summary.hostBlockedNs, 100);
}

TEST(SummaryTest, ThreadsHeldAtTheSameTimeCountOnce)
{
    SampleTrace sample;
    const TrackId other = sample.builder().addTrack(sample.process(), TrackKind::Thread, "other", -1, 102);
    sample.host(EventKind::RuntimeCall, 0, 50, "cudaStreamSynchronize");
    sample.add(other, EventKind::Sync, 25, 75, "event");
    sample.host(EventKind::RuntimeCall, 100, 150, "cudaLaunchKernel");
    // A wait drawn on a stream is the device's, not a thread's.
    sample.add(sample.stream(TrackKind::EngineCompute, 7), EventKind::Sync, 200, 300, "Stream Wait Event");
    EXPECT_EQ(summarize(sample.build()).hostBlockedNs, 75);
}

TEST(SummaryTest, WorstIsTheDeviceWithTheMostExposedCopy)
{
    Summary summary;
    summary.devices.resize(3);
    summary.devices[0].kernelBusyNs = 500;
    summary.devices[1].exposedCopyNs = 10;
    summary.devices[2].exposedCopyNs = 5;
    EXPECT_EQ(summary.worst(), &summary.devices[1]);
    summary.devices[1].exposedCopyNs = summary.devices[2].exposedCopyNs = 0;
    EXPECT_EQ(summary.worst(), &summary.devices[0]);
}

// An oracle that asks every nanosecond of every event.
struct Oracle {
    std::set<std::int64_t> h2d, d2h, kernels, busy;
    std::int64_t h2dCount = 0, d2hCount = 0, kernelCount = 0;

    Oracle(const Trace& trace, Interval range)
    {
        for (std::uint32_t at = 0; at < trace.eventCount(); ++at) {
            const EventIndex index(at);
            const EventKind kind = trace.kind(index);
            const Interval interval = trace.interval(index);
            const bool starts = interval.startNs >= range.startNs &&
                                (interval.startNs < range.endNs || range.endNs >= trace.span().endNs);
            h2dCount += starts && kind == EventKind::CopyH2D;
            d2hCount += starts && kind == EventKind::CopyD2H;
            kernelCount += starts && kind == EventKind::Kernel;
            for (std::int64_t ns = interval.startNs; ns < interval.endNs; ++ns) {
                if (!range.contains(ns))
                    continue;
                busy.insert(ns);
                if (kind == EventKind::CopyH2D)
                    h2d.insert(ns);
                if (kind == EventKind::CopyD2H)
                    d2h.insert(ns);
                if (kind == EventKind::Kernel)
                    kernels.insert(ns);
            }
        }
    }
    std::int64_t under(const std::set<std::int64_t>& copies) const
    {
        return std::count_if(copies.begin(), copies.end(), [&](std::int64_t ns) { return kernels.count(ns) > 0; });
    }
};

TEST(SummaryTest, AgreesWithAskingEveryNanosecond)
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        std::mt19937 random(seed);
        SampleTrace sample(3);
        for (int i = 0; i < 40; ++i) {
            const auto startNs = static_cast<std::int64_t>(random() % 300);
            const auto endNs = startNs + static_cast<std::int64_t>(random() % 25);
            const auto stream = static_cast<std::int64_t>(random() % 3);
            switch (random() % 3) {
                case 0:
                    sample.kernel(startNs, endNs, stream);
                    break;
                case 1:
                    sample.copy(EventKind::CopyH2D, startNs, endNs, MemoryKind::Pinned, 1, stream);
                    break;
                default:
                    sample.copy(EventKind::CopyD2H, startNs, endNs, MemoryKind::Pageable, 1, stream);
            }
        }
        const Trace trace = sample.build();
        const Analysis analysis(trace);
        const auto first = static_cast<std::int64_t>(random() % 300);
        for (const Interval range :
             {trace.span(), Interval{first, first + static_cast<std::int64_t>(random() % 100)}}) {
            const Oracle oracle(trace, range);
            const DeviceSummary device = analysis.summarize(range).devices.at(0);
            ASSERT_EQ(device.id, 3);
            ASSERT_EQ(device.h2d, oracle.h2dCount) << "seed " << seed;
            ASSERT_EQ(device.d2h, oracle.d2hCount) << "seed " << seed;
            ASSERT_EQ(device.kernels, oracle.kernelCount) << "seed " << seed;
            ASSERT_EQ(device.h2dBusyNs, std::ssize(oracle.h2d)) << "seed " << seed;
            ASSERT_EQ(device.d2hBusyNs, std::ssize(oracle.d2h)) << "seed " << seed;
            ASSERT_EQ(device.kernelBusyNs, std::ssize(oracle.kernels)) << "seed " << seed;
            ASSERT_EQ(device.h2dHiddenNs, oracle.under(oracle.h2d)) << "seed " << seed;
            ASSERT_EQ(device.d2hHiddenNs, oracle.under(oracle.d2h)) << "seed " << seed;
            ASSERT_EQ(device.idleNs, range.lengthNs() - std::ssize(oracle.busy)) << "seed " << seed;
        }
    }
}

}  // namespace
}  // namespace overlane
