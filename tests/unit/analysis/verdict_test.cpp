#include "core/analysis/verdict.h"

#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/verdict_text.h"
#include "core/base/units.h"
#include "core/trace/trace_builder.h"
#include "tests/support/expect_text.h"
#include "tests/support/golden.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

std::string asText(const Verdict& verdict)
{
    std::string text =
        fmt::format("{}\n{}\ncopies {} hidden {} exposed {} ns\nnow {} ns, could be {} ns{}\n", verdict.sentence,
                    verdict.advice, verdict.copies, verdict.hiddenCopies, verdict.exposedNs, verdict.nowNs,
                    verdict.couldBeNs, verdict.perStep ? " per step" : "");
    for (const Verdict::Loss& loss : verdict.losses)
        text += fmt::format("lost to {}: {} ns\n", lostCauseName(loss.cause), loss.lostNs);
    for (const Verdict::CauseShare& share : verdict.causes)
        text += fmt::format("{}: {} copies, {} ns\n", causeName(share.cause), share.copies, share.exposedNs);
    return text;
}

TEST(VerdictTest, PageableCopiesOnTheKernelsStream)
{
    const Trace trace = test::serialTrace();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.tone, VerdictTone::Problem);
    EXPECT_EQ(found.cause, CopyCause::PageableMemory);
    EXPECT_EQ(found.nowNs, 100);
    EXPECT_EQ(found.couldBeNs, 56);  // pinned, no copy is staged
    test::expectGolden("analysis/verdict_serial.txt", asText(found));
}

TEST(VerdictTest, FirstCopyExposedTheOthersHidden)
{
    const Trace trace = test::overlappedTrace();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.hiddenCopies, 3);
    EXPECT_EQ(found.copies, 4);
    test::expectGolden("analysis/verdict_overlapped.txt", asText(found));
}

TEST(VerdictTest, ComputeBoundIsNeutralAndAdvisesNothing)
{
    SampleTrace sample;
    sample.kernel(0, 1000);
    sample.copy(EventKind::CopyH2D, 100, 200, MemoryKind::Pageable, 1, 20);
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.tone, VerdictTone::Neutral);
    EXPECT_EQ(found.advice, "");
    EXPECT_EQ(found.nowNs, found.couldBeNs);
    test::expectGolden("analysis/verdict_compute_bound.txt", asText(found));
}

TEST(VerdictTest, NoGpuWorkAtAll)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 100, "work");
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.tone, VerdictTone::Nothing);
    test::expectText(found.sentence);
}

// One kernel fills the range between its own start and its own end.
TEST(VerdictTest, OneShortKernelInALongTraceIsNoComputeBoundProgram)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 13'000'000'000, "work");
    sample.kernel(6'000'000'000, 6'000'001'800);
    const Trace trace = sample.build();
    const Analysis analysis(trace);
    const Verdict found = verdictOfTrace(analysis, {});
    EXPECT_FALSE(found.computeBound);
    EXPECT_EQ(found.tone, VerdictTone::Nothing);
    EXPECT_THAT(found.sentence,
                testing::StartsWith(fmt::format("Next to no GPU work: it takes {} of the {} in this trace",
                                                formatDuration(1800), formatDuration(13 * kNsPerS))));
    test::expectText(found.advice);
}

// GPU 0 copies without a kernel beside it for a tenth of the time; GPU 1 reads results back for most of it.
TEST(VerdictTest, OfSeveralDevicesItSpeaksOfTheOneThatLosesMost)
{
    TraceBuilder builder;
    const auto lane = [&](std::int32_t id, TrackKind kind) {
        const TrackId device = builder.addTrack({}, TrackKind::Device, "GPU", id, id);
        return builder.addTrack(builder.addTrack(device, kind, "engine", id), TrackKind::Stream, "stream", id, 7);
    };
    const auto add = [&](TrackId track, EventKind kind, std::int64_t startNs, std::int64_t endNs) {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = startNs;
        event.durationNs = endNs - startNs;
        event.name = builder.intern("work");
        if (kind == EventKind::CopyH2D)
            event.copy = CopyInfo{1 << 20, MemoryKind::Pageable, MemoryKind::Device, AsyncFlag::Async};
        if (kind == EventKind::CopyD2H)
            event.copy = CopyInfo{1 << 20, MemoryKind::Device, MemoryKind::Pinned, AsyncFlag::Async};
        builder.addEvent(event);
    };
    const TrackId kernels0 = lane(0, TrackKind::EngineCompute);
    const TrackId copies0 = lane(0, TrackKind::EngineH2D);
    const TrackId kernels1 = lane(1, TrackKind::EngineCompute);
    const TrackId results1 = lane(1, TrackKind::EngineD2H);
    add(kernels0, EventKind::Kernel, 0, 900);
    add(copies0, EventKind::CopyH2D, 900, 1100);
    add(kernels0, EventKind::Kernel, 1100, 2000);
    add(kernels1, EventKind::Kernel, 0, 100);
    add(results1, EventKind::CopyD2H, 100, 1900);
    add(kernels1, EventKind::Kernel, 1900, 2000);
    const Trace trace = builder.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.device, 1);
    EXPECT_EQ(found.mainLoss, LostCause::ReadBack);
    test::expectText(found.sentence);
}

TEST(VerdictTest, NoWorkOrNoCopyInTheRange)
{
    const Trace trace = test::serialTrace();
    test::expectText(verdict(trace, {46, 49}).sentence);
    const std::string computeOnly = verdict(trace, {60, 90}).sentence;
    test::expectText(computeOnly);
    EXPECT_EQ(verdict(trace, {60, 60}).tone, VerdictTone::Nothing);
}

TEST(VerdictTest, ARangeWithoutGpuWorkIsNotSaidToBeAbleToTakeNoTime)
{
    SampleTrace sample;
    sample.host(EventKind::RuntimeCall, 0, 1'000, "cudaLaunchKernel", 1);
    sample.kernel(1'000, 50'000, 7, 1);
    sample.host(EventKind::HostWork, 1'000, 890'000, "aten::embedding");
    sample.host(EventKind::RuntimeCall, 899'000, 900'000, "cudaLaunchKernel", 2);
    sample.kernel(900'000, 950'000, 7, 2);
    const Verdict found = verdict(sample.build(), {100'000, 800'000});
    EXPECT_EQ(found.mainLoss, LostCause::Host);
    EXPECT_EQ(found.nowNs, 700'000);
    EXPECT_EQ(found.couldBeNs, found.nowNs);
}

TEST(VerdictTest, ATraceOfMoreDevicesThanAnyMachineHasIsJudgedByThoseWithTheMostWork)
{
    TraceBuilder builder;
    constexpr auto kDevices = static_cast<std::int32_t>(kMostDevices) + 76;
    for (std::int32_t device = 0; device < kDevices; ++device) {
        const TrackId root = builder.addTrack({}, TrackKind::Device, "GPU", device, device);
        const TrackId stream = builder.addTrack(builder.addTrack(root, TrackKind::EngineCompute, "compute", device),
                                                TrackKind::Stream, "stream 7", device, 7);
        // Those in the middle have less to do.
        const int kernels = device >= 500 && device < 576 ? 1 : 2;
        for (int at = 0; at < kernels; ++at) {
            Event event;
            event.track = stream;
            event.startNs = std::int64_t{10'000} * at;
            event.durationNs = 5'000;
            event.name = builder.intern("gemm");
            event.kind = EventKind::Kernel;
            builder.addEvent(event);
        }
    }
    const Trace trace = builder.build();
    const Analysis analysis(trace);
    EXPECT_EQ(analysis.devices().size(), kMostDevices);
    EXPECT_EQ(analysis.devicesLeftOut(), 76u);
    EXPECT_NE(analysis.lost(499), nullptr);
    EXPECT_EQ(analysis.lost(500), nullptr);
    const std::string sentence = verdictOfTrace(analysis, {}).sentence;
    EXPECT_TRUE(sentence.find(fmt::format("Of {} GPUs the {} with the most work are judged.", formatCount(kDevices),
                                          formatCount(kMostDevices))) != std::string::npos)
        << sentence;
}

TEST(VerdictTest, ACopyWithoutAnyKernelAsksForALongerRange)
{
    const Trace trace = test::serialTrace();
    const Verdict found = verdict(trace, {0, 46});
    EXPECT_EQ(found.tone, VerdictTone::Neutral);
    test::expectText(found.advice);
}

TEST(VerdictTest, ACopyThatStartedBeforeTheRangeIsStillExposedInIt)
{
    const Trace trace = test::serialTrace();
    const Verdict found = verdict(trace, {20, 60});
    EXPECT_EQ(found.copies, 0);
    EXPECT_EQ(found.exposedNs, 25);
    EXPECT_EQ(found.tone, VerdictTone::Problem);
    test::expectText(found.sentence);
}

TEST(VerdictTest, TheLargestExposedTimeNamesTheCause)
{
    SampleTrace sample;
    sample.kernel(0, 10, 7);
    constexpr std::int64_t kBytes = 1 << 20;
    for (std::int64_t i = 0; i < 5; ++i)
        sample.copy(EventKind::CopyH2D, 100 + i * 10, 105 + i * 10, MemoryKind::Pageable, kBytes, 20);
    sample.copy(EventKind::CopyH2D, 200, 300, MemoryKind::Pinned, 1, 7);
    sample.kernel(300, 310, 7);
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.cause, CopyCause::SameStream);
    ASSERT_EQ(found.causes.size(), 2u);
    EXPECT_EQ(found.causes[0].exposedNs, 100);
    EXPECT_EQ(found.causes[1].copies, 5);
}

// Ten steps of a second: the launch of a kernel, the kernel, and what the launching thread does
// until the next step, which the GPU waits for.
class LostStepsTest : public testing::Test
{
protected:
    static constexpr std::int64_t kStepNs = 1000 * kMs;
    static constexpr int kSteps = 10;

    void steps(const std::function<void(std::int64_t startNs)>& then)
    {
        for (int step = 0; step < kSteps; ++step) {
            const std::int64_t startNs = step * kStepNs;
            const auto id = static_cast<std::uint32_t>(step + 1);
            m_sample.host(EventKind::Step, startNs, startNs + kStepNs, "ProfilerStep#" + std::to_string(step));
            m_sample.host(EventKind::RuntimeCall, startNs, startNs + kMs, "cudaLaunchKernel", id);
            m_sample.kernel(startNs + kMs, startNs + 400 * kMs, 7, id);
            then(startNs);
        }
        m_sample.host(EventKind::RuntimeCall, kSteps * kStepNs, kSteps * kStepNs + kMs, "cudaLaunchKernel", 100);
        m_sample.kernel(kSteps * kStepNs + kMs, kSteps * kStepNs + 2 * kMs, 7, 100);
    }
    void expect(const char* golden, LostCause cause)
    {
        const Trace trace = m_sample.build();
        const Verdict found = verdict(trace, {0, kSteps * kStepNs});
        EXPECT_EQ(found.mainLoss, cause);
        EXPECT_EQ(found.tone, VerdictTone::Problem);
        EXPECT_TRUE(found.perStep);
        EXPECT_EQ(found.nowNs, kStepNs);
        // Never more is promised than the time without kernels.
        EXPECT_GE(found.couldBeNs, 399 * kMs);
        test::expectGolden(golden, asText(found));
    }
    TrackId actor(std::string_view name)
    {
        return m_sample.builder().addTrack(m_sample.process(), TrackKind::LoaderActor, name);
    }
    void sample(std::string_view gauge, CounterUnit unit, std::int64_t timeNs, double value)
    {
        m_sample.builder().addSample(m_sample.builder().addCounter({}, gauge, unit), timeNs, value);
    }

    SampleTrace m_sample;
};

TEST_F(LostStepsTest, WaitingForBatches)
{
    for (const char* name : {"worker 0", "worker 1"})
        m_sample.add(actor(name), EventKind::Loader, 0, kSteps * kStepNs, "transform");
    steps([&](std::int64_t startNs) {
        m_sample.host(EventKind::LoaderWait, startNs + 300 * kMs, startNs + 980 * kMs, "wait for a batch");
    });
    expect("analysis/verdict_batches.txt", LostCause::Batches);
}

TEST_F(LostStepsTest, APinThreadThatHoldsTheLoaderUp)
{
    m_sample.add(actor("worker 0"), EventKind::Loader, 0, kStepNs, "transform");
    m_sample.add(actor("pin thread"), EventKind::Loader, 0, kSteps * kStepNs, "pin_memory");
    steps([&](std::int64_t startNs) {
        m_sample.host(EventKind::LoaderWait, startNs + 300 * kMs, startNs + 980 * kMs, "wait for a batch");
    });
    expect("analysis/verdict_pin_thread.txt", LostCause::Batches);
}

TEST_F(LostStepsTest, BatchesOfTheTrainingThread)
{
    steps([&](std::int64_t startNs) {
        m_sample.host(EventKind::Annotation, startNs + 400 * kMs, startNs + 990 * kMs,
                      "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    });
    expect("analysis/verdict_making_batches.txt", LostCause::MakingBatches);
}

TEST_F(LostStepsTest, PinningInTheTrainingThread)
{
    steps([&](std::int64_t startNs) {
        m_sample.host(EventKind::Loader, startNs + 400 * kMs, startNs + 990 * kMs, "pin_memory");
    });
    expect("analysis/verdict_pinning.txt", LostCause::Pinning);
}

TEST_F(LostStepsTest, Swap)
{
    sample("Swap traffic", CounterUnit::BytesPerSecond, 0, 450e6);
    sample("Swap used", CounterUnit::Bytes, 5 * kStepNs, 3e9);
    sample("Pinned memory", CounterUnit::Bytes, 0, 2e9);
    steps([&](std::int64_t startNs) {
        m_sample.copy(EventKind::CopyH2D, startNs + 100 * kMs, startNs + 120 * kMs, MemoryKind::Pinned, 256 << 20, 20);
        m_sample.host(EventKind::LoaderWait, startNs + 300 * kMs, startNs + 980 * kMs, "wait for a batch");
    });
    expect("analysis/verdict_swap.txt", LostCause::Swap);
}

TEST_F(LostStepsTest, ExplicitSynchronization)
{
    steps([&](std::int64_t startNs) {
        m_sample.host(EventKind::RuntimeCall, startNs + 10 * kMs, startNs + 401 * kMs, "cudaStreamSynchronize");
        m_sample.host(EventKind::HostWork, startNs + 500 * kMs, startNs + 990 * kMs, "aten::item");
    });
    expect("analysis/verdict_sync.txt", LostCause::Sync);
}

TEST_F(LostStepsTest, TheHostIsLate)
{
    steps([&](std::int64_t startNs) {
        m_sample.host(EventKind::HostWork, startNs + 300 * kMs, startNs + 700 * kMs, "aten::to");
    });
    expect("analysis/verdict_host.txt", LostCause::Host);
}

TEST_F(LostStepsTest, ResultsReadBack)
{
    steps([&](std::int64_t startNs) {
        m_sample.copy(EventKind::CopyD2H, startNs + 400 * kMs, startNs + 990 * kMs, MemoryKind::Pageable);
    });
    expect("analysis/verdict_read_back.txt", LostCause::ReadBack);
}

TEST(VerdictTest, ManyShortKernelsAreLaunchBound)
{
    SampleTrace sample;
    for (std::int64_t at = 0; at < 100; ++at) {
        const auto id = static_cast<std::uint32_t>(at + 1);
        sample.host(EventKind::RuntimeCall, at * 10'000, at * 10'000 + 9'000, "cudaLaunchKernel", id);
        sample.kernel(at * 10'000 + 9'000, at * 10'000 + 12'000, 7, id);
    }
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.mainLoss, LostCause::LaunchBound);
    test::expectGolden("analysis/verdict_launch_bound.txt", asText(found));
}

TEST(VerdictTest, WithoutHostRecordsItSaysThatTheCauseCannotBeTold)
{
    SampleTrace sample;
    for (std::int64_t at = 0; at < 10; ++at)
        sample.kernel(at * 1000, at * 1000 + 300);
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.tone, VerdictTone::Neutral);
    EXPECT_EQ(found.couldBeNs, found.nowNs);
    test::expectGolden("analysis/verdict_unknown.txt", asText(found));
}

TEST(VerdictTest, ATraceThatIsMostlyEmptySaysSo)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 10'000, "setup");
    sample.kernel(10'000, 11'000);
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.mainLoss, LostCause::Ends);
    EXPECT_EQ(found.tone, VerdictTone::Neutral);
    test::expectGolden("analysis/verdict_ends.txt", asText(found));
}

// One kernel of a long trace says nothing of the program, whatever fills the range around it.
TEST(VerdictTest, AFewKernelsInALongTraceAreNextToNoWork)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 1'000'000, "setup");
    for (std::int64_t at : {1'000'000, 1'004'000, 1'010'000}) {
        sample.host(EventKind::RuntimeCall, at - 10, at, "cudaLaunchKernel", static_cast<std::uint32_t>(at));
        sample.kernel(at, at + 30, 7, static_cast<std::uint32_t>(at));
    }
    const Trace trace = sample.build();
    const Verdict found = verdictOfTrace(Analysis(trace), {});
    EXPECT_TRUE(found.hardlyAnyWork);
    EXPECT_EQ(found.tone, VerdictTone::Nothing) << "which is neither good nor bad";
    EXPECT_FALSE(found.mainLoss.has_value());
}

// What a single kernel fills behind the last long pause is not what the program does.
TEST(VerdictTest, OneKernelBehindTheLastPauseIsNoComputeBoundProgram)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 1'000'000, "setup");
    for (std::int64_t at = 0; at < 6; ++at)
        sample.kernel(100'000 + at * 10, 100'000 + at * 10 + 5);
    sample.kernel(900'000, 930'000);
    const Trace trace = sample.build();
    const Verdict found = verdictOfTrace(Analysis(trace), {});
    EXPECT_FALSE(found.computeBound);
    EXPECT_TRUE(found.hardlyAnyWork);
}

// Weights are copied, and the first kernel waits until its library is loaded: the range begins behind that.
TEST(VerdictTest, WithoutStepsTheRangeBeginsBehindTheFirstUseOfALibrary)
{
    SampleTrace sample;
    for (std::int64_t copy = 0; copy < 10; ++copy)
        sample.copy(EventKind::CopyH2D, copy * 1000, copy * 1000 + 900, MemoryKind::Pageable, 1 << 20);
    sample.host(EventKind::RuntimeCall, 10'000, 500'000, "cudnnCreate");
    for (std::int64_t at = 0; at < 20; ++at)
        sample.kernel(500'000 + at * 100, 500'000 + at * 100 + 90);
    const Trace trace = sample.build();
    EXPECT_EQ(activeRange(Analysis(trace), {}).range.startNs, 500'000);
}

TEST(VerdictTest, WarmUpIsNotTheFinding)
{
    SampleTrace sample;
    std::int64_t timeNs = 0;
    for (std::int64_t step = 0; step < 40; ++step) {
        const auto id = static_cast<std::uint32_t>(step + 1);
        const std::int64_t waitNs = step < 4 ? 1000 : 1;
        sample.host(EventKind::LoaderWait, timeNs, timeNs + waitNs, "wait for a batch");
        sample.host(EventKind::RuntimeCall, timeNs + waitNs, timeNs + waitNs + 1, "cudaLaunchKernel", id);
        sample.kernel(timeNs + waitNs + 1, timeNs + waitNs + 500, 7, id);
        sample.host(EventKind::Step, timeNs, timeNs + waitNs + 500, "batch " + std::to_string(step));
        timeNs += waitNs + 500;
    }
    const Trace trace = sample.build();
    const Verdict found = verdict(trace, trace.span());
    EXPECT_EQ(found.mainLoss, std::nullopt);
    EXPECT_EQ(found.tone, VerdictTone::Neutral);
    EXPECT_GE(found.warmUpNs, 3000);
    test::expectText(found.sentence);
}

// No order of the copies takes less than the link needs, so their time stands for no error of the sum.
TEST(VerdictTest, WhereTheLinkIsTooSlowTheRestIsTheTimeOfTheCopies)
{
    Verdict verdict;
    verdict.mainLoss = LostCause::Host;
    EXPECT_EQ(withoutLossText(verdict), "without that");
    verdict.mainLoss = LostCause::Copies;
    const std::string hidden(withoutLossText(verdict));
    verdict.linkBound = true;
    EXPECT_NE(withoutLossText(verdict), hidden);
    test::expectText(std::string(withoutLossText(verdict)));
}

TEST(VerdictTest, AFifthOfIdleTimeIsNotComputeBound)
{
    SampleTrace sample;
    for (std::int64_t at = 0; at < 10; ++at)
        sample.kernel(at * 1000, at * 1000 + 800);
    const Trace trace = sample.build();
    EXPECT_EQ(verdict(trace, trace.span()).sentence.find("Compute-bound"), std::string::npos);
}

}  // namespace
}  // namespace overlane
