#include "core/analysis/lost_time.h"

#include <gtest/gtest.h>
#include <numeric>

#include "core/analysis/analysis.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

// What is lost to each cause in a whole trace of one device.
std::int64_t lost(const Trace& trace, LostCause cause)
{
    return Analysis(trace).summarize().devices.at(0).lostNs[static_cast<std::size_t>(cause)];
}

// A launch of a kernel that runs from startNs to endNs; the call lies before it.
void launchKernel(SampleTrace& sample, std::int64_t startNs, std::int64_t endNs, std::uint32_t id)
{
    sample.host(EventKind::RuntimeCall, startNs - 2, startNs, "cudaLaunchKernel", id);
    sample.kernel(startNs, endNs, 7, id);
}

TEST(LostTimeTest, CausesAreDisjointAndAddUpToTheTimeWithoutKernels)
{
    for (const Trace& trace : {test::serialTrace(), test::overlappedTrace()}) {
        const Analysis analysis(trace);
        for (const Interval range : {trace.span(), Interval{20, 130}, Interval{-50, 1000}, Interval{30, 30}}) {
            const DeviceSummary device = analysis.summarize(range).devices.at(0);
            EXPECT_EQ(std::accumulate(device.lostNs.begin(), device.lostNs.end(), std::int64_t{0}),
                      device.wallNs - device.kernelBusyNs);
        }
    }
}

TEST(LostTimeTest, AWaitForTheLoaderExplainsTheGapItCovers)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    sample.host(EventKind::LoaderWait, 40, 180, "wait for a batch");
    launchKernel(sample, 200, 300, 2);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::Batches), 80);      // 100 to 180: before, a kernel ran
    EXPECT_EQ(lost(trace, LostCause::Host), 2);          // the launch
    EXPECT_EQ(lost(trace, LostCause::HostBetween), 18);  // 180 to 198
    EXPECT_EQ(lost(trace, LostCause::Ends), 2);          // the launch of the first kernel
}

TEST(LostTimeTest, PyTorchsAnnotationsAreWaitsForTheLoader)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    sample.host(EventKind::Annotation, 100, 190, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    launchKernel(sample, 200, 300, 2);
    sample.host(EventKind::Annotation, 300, 350, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    sample.host(EventKind::HostWork, 360, 380, "torch/utils/data/dataloader.py(701): __next__");
    launchKernel(sample, 400, 500, 3);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::Batches), 110);
    EXPECT_EQ(lost(trace, LostCause::MakingBatches), 50);
}

TEST(LostTimeTest, WaitsOfThreadsThatLaunchNothingExplainNothing)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    const TrackId worker = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "worker 0");
    sample.add(worker, EventKind::LoaderWait, 100, 200, "wait for an index");
    launchKernel(sample, 200, 300, 2);
    EXPECT_EQ(lost(sample.build(), LostCause::Batches), 0);
}

TEST(LostTimeTest, SwapComesBeforeTheWaitItCauses)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    sample.host(EventKind::LoaderWait, 100, 200, "wait for a batch");
    launchKernel(sample, 200, 300, 2);
    const TrackId traffic = sample.builder().addCounter({}, "Swap traffic", CounterUnit::BytesPerSecond);
    for (const auto& [timeNs, value] : {std::pair(0, 0.0), std::pair(120, 4e8), std::pair(170, 0.0)})
        sample.builder().addSample(traffic, timeNs, value);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::Swap), 50);
    EXPECT_EQ(lost(trace, LostCause::Batches), 50);
}

TEST(LostTimeTest, ATrickleOfSwapIsNoCause)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    launchKernel(sample, 200, 300, 2);
    const TrackId traffic = sample.builder().addCounter({}, "Swap traffic", CounterUnit::BytesPerSecond);
    sample.builder().addSample(traffic, 0, 1e5);
    EXPECT_EQ(lost(sample.build(), LostCause::Swap), 0);
}

TEST(LostTimeTest, AGapThatBeginsInASyncIsTheSyncs)
{
    SampleTrace sample;
    launchKernel(sample, 10 * kUs, 100 * kUs, 1);
    sample.host(EventKind::RuntimeCall, 20 * kUs, 105 * kUs, "cudaStreamSynchronize");
    sample.host(EventKind::HostWork, 110 * kUs, 190 * kUs, "aten::item");
    launchKernel(sample, 200 * kUs, 300 * kUs, 2);
    sample.host(EventKind::HostWork, 310 * kUs, 390 * kUs, "forward");  // late without a sync
    launchKernel(sample, 400 * kUs, 500 * kUs, 3);
    const Trace trace = sample.build();
    // No more than the wait of 85 us lasted: without it the host would have been that much earlier.
    EXPECT_EQ(lost(trace, LostCause::Sync), 85 * kUs);
    EXPECT_EQ(lost(trace, LostCause::Host), 85 * kUs + 4);
    EXPECT_EQ(lost(trace, LostCause::HostBetween), 30 * kUs - 4);
    EXPECT_EQ(lost(trace, LostCause::LaunchBound), 0);  // the kernels are long
}

TEST(LostTimeTest, AWaitThatBelongsToACopyIsTheCopys)
{
    SampleTrace sample;
    launchKernel(sample, 10 * kUs, 100 * kUs, 1);
    sample.host(EventKind::RuntimeCall, 20 * kUs, 25 * kUs, "cudaMemcpyAsync", 2);
    sample.copy(EventKind::CopyH2D, 100 * kUs, 110 * kUs, MemoryKind::Pinned, 1 << 20, 7, AsyncFlag::Async, 2);
    sample.host(EventKind::RuntimeCall, 26 * kUs, 112 * kUs, "cudaStreamSynchronize");
    launchKernel(sample, 150 * kUs, 200 * kUs, 3);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::Sync), 0);
    EXPECT_EQ(lost(trace, LostCause::Copies), 10 * kUs);
    EXPECT_EQ(lost(trace, LostCause::Staging), 40 * kUs);
}

TEST(LostTimeTest, ACopyThatCameLateWithItsBatchIsTheBatchs)
{
    SampleTrace sample;
    launchKernel(sample, 0, 100 * kUs, 1);
    sample.host(EventKind::LoaderWait, 100 * kUs, 400 * kUs, "wait for a batch");
    sample.host(EventKind::RuntimeCall, 400 * kUs, 402 * kUs, "cudaMemcpyAsync", 2);
    sample.copy(EventKind::CopyH2D, 402 * kUs, 602 * kUs, MemoryKind::Pinned, 1 << 20, 20, AsyncFlag::Async, 2);
    sample.host(EventKind::RuntimeCall, 410 * kUs, 412 * kUs, "cudaLaunchKernel", 3);
    sample.kernel(602 * kUs, 700 * kUs, 7, 3);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::Batches), 500 * kUs);
    EXPECT_EQ(lost(trace, LostCause::Copies), 0);
    const Analysis analysis(trace);
    EXPECT_EQ(delayOf(*analysis.lost(0), analysis.devices()[0].h2dCopies[0]), LostCause::Batches);
}

TEST(LostTimeTest, PageLockingComesBeforeWhatItIsPartOf)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    sample.host(EventKind::HostWork, 100, 190, "aten::pin");
    sample.host(EventKind::RuntimeCall, 120, 180, "cudaHostAlloc");
    launchKernel(sample, 200, 300, 2);
    EXPECT_EQ(lost(sample.build(), LostCause::Pinning), 60);
}

TEST(LostTimeTest, ShortGapsBehindShortKernelsAreLaunchBound)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    launchKernel(sample, 150, 200, 2);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::LaunchBound), 50);
}

TEST(LostTimeTest, OnceTheNextWorkWasAskedForTheHostIsNotLate)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    sample.host(EventKind::RuntimeCall, 20, 30, "cudaLaunchKernel", 2);
    sample.host(EventKind::LoaderWait, 30, 190, "wait for a batch");
    sample.kernel(150, 200, 7, 2);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::Dependency), 50);
    EXPECT_EQ(lost(trace, LostCause::Batches), 0);
}

TEST(LostTimeTest, ACallThatStagesACopyIsTheCopys)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    sample.host(EventKind::RuntimeCall, 100, 180, "cudaMemcpyAsync", 2);
    sample.copy(EventKind::CopyH2D, 150, 180, MemoryKind::Pageable, 1000, 7, AsyncFlag::Async, 2);
    launchKernel(sample, 200, 300, 3);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::Copies), 30);
    EXPECT_EQ(lost(trace, LostCause::Staging), 50);  // of the call, before the copy
}

TEST(LostTimeTest, ResultsAndOtherWorkOutsideKernels)
{
    SampleTrace sample;
    launchKernel(sample, 10, 100, 1);
    sample.copy(EventKind::CopyD2H, 90, 120, MemoryKind::Pinned);
    sample.copy(EventKind::CopyD2D, 120, 130, MemoryKind::Device);
    launchKernel(sample, 130, 200, 2);
    const Trace trace = sample.build();
    EXPECT_EQ(lost(trace, LostCause::ReadBack), 20);
    EXPECT_EQ(lost(trace, LostCause::OtherWork), 10);
}

TEST(LostTimeTest, WithoutHostRecordsTheCauseIsUnknown)
{
    SampleTrace sample;
    sample.kernel(0, 100);
    sample.kernel(200, 300);
    EXPECT_EQ(lost(sample.build(), LostCause::Unknown), 100);
}

// The training thread launches short kernels with its own code between them; another thread copies each result
// back and waits for its own copy.
Trace withReader()
{
    SampleTrace sample;
    const TrackId reader = sample.builder().addTrack(sample.process(), TrackKind::Thread, "reader", -1, 102);
    for (std::int64_t step = 0; step < 8; ++step) {
        const std::int64_t startNs = step * 1000 * kUs;
        const auto id = static_cast<std::uint32_t>(2 * step + 1);
        launchKernel(sample, startNs + 10 * kUs, startNs + 510 * kUs, id);
        sample.add(reader, EventKind::RuntimeCall, startNs + 20 * kUs, startNs + 25 * kUs, "cudaMemcpyAsync", id + 1);
        sample.copy(EventKind::CopyD2H, startNs + 510 * kUs, startNs + 530 * kUs, MemoryKind::Pinned, 1 << 20, 20,
                    AsyncFlag::Async, id + 1);
        sample.add(reader, EventKind::RuntimeCall, startNs + 26 * kUs, startNs + 532 * kUs, "cudaEventSynchronize");
    }
    return sample.build();
}

TEST(LostTimeTest, AnotherThreadsWaitForItsOwnEventIsNotWhatTheTrainingThreadWasLateFor)
{
    const Trace trace = withReader();
    EXPECT_EQ(lost(trace, LostCause::Sync), 0);
    EXPECT_EQ(lost(trace, LostCause::Host) + lost(trace, LostCause::HostBetween), 7 * 480'000);
}

TEST(LostTimeTest, AWaitForABatchCountsForTheThreadThatLaunchesNext)
{
    SampleTrace sample;
    const TrackId other = sample.builder().addTrack(sample.process(), TrackKind::Thread, "other", -1, 102);
    launchKernel(sample, 10, 100, 1);
    sample.add(other, EventKind::RuntimeCall, 90, 91, "cudaMemcpyAsync", 2);
    sample.copy(EventKind::CopyD2H, 100, 110, MemoryKind::Pinned, 1000, 20, AsyncFlag::Async, 2);
    sample.add(other, EventKind::LoaderWait, 105, 195, "wait for a batch");
    launchKernel(sample, 200, 300, 3);
    EXPECT_EQ(lost(sample.build(), LostCause::Batches), 0);
}

TEST(LostTimeTest, AThreadThatHandsItsLaunchesOverExplainsWhatTheOtherDoesNot)
{
    // As PyTorch: the training thread reads the loss, then the thread of the backward pass launches.
    SampleTrace sample;
    const TrackId backward = sample.builder().addTrack(sample.process(), TrackKind::Thread, "backward", -1, 102);
    launchKernel(sample, 10 * kUs, 100 * kUs, 1);
    sample.host(EventKind::RuntimeCall, 20 * kUs, 105 * kUs, "cudaStreamSynchronize");
    sample.add(backward, EventKind::RuntimeCall, 150 * kUs, 155 * kUs, "cudaLaunchKernel", 2);
    sample.kernel(155 * kUs, 300 * kUs, 7, 2);
    EXPECT_EQ(lost(sample.build(), LostCause::Sync), 50 * kUs);  // but for the launch itself
}

TEST(LostTimeTest, WithoutTheCallOfTheNextWorkAllThreadsThatLaunchMayExplainAGap)
{
    SampleTrace sample;
    const TrackId other = sample.builder().addTrack(sample.process(), TrackKind::Thread, "other", -1, 102);
    launchKernel(sample, 10, 100, 1);
    sample.add(other, EventKind::RuntimeCall, 20, 22, "cudaLaunchKernel", 2);
    sample.kernel(100, 120, 8, 2);
    sample.add(other, EventKind::LoaderWait, 120, 180, "wait for a batch");
    sample.kernel(200, 300);
    EXPECT_EQ(lost(sample.build(), LostCause::Batches), 60);
}

TEST(LostTimeTest, EveryCauseHasANameOfItsOwn)
{
    for (int a = 0; a < kLostCauseCount; ++a)
        for (int b = a + 1; b < kLostCauseCount; ++b)
            EXPECT_NE(lostCauseName(static_cast<LostCause>(a)), lostCauseName(static_cast<LostCause>(b)));
}

}  // namespace
}  // namespace overlane
