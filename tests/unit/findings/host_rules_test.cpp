// Each rule about the host and the loader, and the hazards: where it holds, with its cost to the
// nanosecond, and a near miss.
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"
#include "tests/unit/findings/loop_trace.h"

namespace overlane
{
namespace
{

using test::kStepNs;
using test::LoopTrace;

bool isNotChecked(const FindingList& list, RuleId rule)
{
    return std::any_of(list.notChecked.begin(), list.notChecked.end(),
                       [rule](const NotChecked& each) { return each.rule == rule && !each.reason.empty(); });
}

// Something on the training thread for the first 3 ms of each step, then the kernel.
FindingList threadIsHeld(EventKind kind, std::string_view name, std::int64_t steps = 4, std::int64_t heldSteps = 4)
{
    LoopTrace loop(steps);
    loop.eachStep([&](std::int64_t at, std::int64_t step) {
        if (step < heldSteps)
            loop.sample().host(kind, at, at + 3 * kMs - kUs, name);
        loop.launch(at + (step < heldSteps ? 3 * kMs : 0), at + kStepNs);
    });
    return loop.findings();
}

constexpr std::int64_t kHeldNs = 4 * (3 * kMs - kUs);

TEST(PinInTrainingThread, HoldsWhereTheLaunchingThreadPins)
{
    const FindingList list = threadIsHeld(EventKind::HostWork, "aten::pin_memory");
    const Finding* finding = list.find(RuleId::PinInTrainingThread);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, kHeldNs);
    EXPECT_EQ(finding->cost.hostBlockedNs, kHeldNs);
    EXPECT_EQ(threadIsHeld(EventKind::HostWork, "aten::cat").find(RuleId::PinInTrainingThread), nullptr);
}

TEST(PinnedAllocation, HoldsInTheLoopAndNotAtItsBeginning)
{
    const FindingList list = threadIsHeld(EventKind::RuntimeCall, "cudaHostAlloc");
    const Finding* finding = list.find(RuleId::PinnedAllocation);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, kHeldNs);
    EXPECT_EQ(finding->cost.hostBlockedNs, kHeldNs);
    EXPECT_EQ(finding->evidenceCount, 4);
    EXPECT_EQ(list.find(RuleId::HostLate), nullptr);
    EXPECT_EQ(threadIsHeld(EventKind::RuntimeCall, "cudaHostAlloc", 8, 3).find(RuleId::PinnedAllocation), nullptr);
}

TEST(HostLate, NamesWhatTheThreadDid)
{
    const FindingList list = threadIsHeld(EventKind::HostWork, "parse_labels");
    const Finding* finding = list.find(RuleId::HostLate);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, 12 * kMs);
    EXPECT_NE(finding->sentence.find("parse_labels"), std::string::npos) << finding->sentence;
    EXPECT_EQ(threadIsHeld(EventKind::LoaderWait, "wait for a batch").find(RuleId::HostLate), nullptr);
}

TEST(HostLate, BeginsWithThePlaceThatStacksName)
{
    LoopTrace loop;
    const TrackId stacks =
        loop.sample().builder().addTrack(loop.sample().process(), TrackKind::Stacks, "stacks of main", -1, 101);
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        for (std::int64_t look = 0; look < 3; ++look)
            loop.sample().add(stacks, EventKind::ProgramFrame, at + look * kMs, at + (look + 1) * kMs,
                              look < 2 ? "train.py:88 augment" : "train.py:30 log");
        loop.launch(at + 3 * kMs, at + kStepNs);
    });
    const FindingList list = loop.findings();
    const Finding* finding = list.find(RuleId::HostLate);
    ASSERT_NE(finding, nullptr);
    test::expectText(finding->sentence);
    test::expectText(finding->change);
    test::expectText(finding->sentence);
    ASSERT_EQ(finding->places.size(), 2u);
    EXPECT_EQ(finding->places[1].place, "train.py:30 log");
    EXPECT_NEAR(finding->places[1].share, 1. / 3, 1e-9);
    EXPECT_NEAR(static_cast<double>(finding->places[0].ns), finding->places[0].share * 12 * kMs, 1);
}

TEST(ExposedCommunication, HoldsWhereNoComputeRunsBesideIt)
{
    const auto allReduce = [](std::int64_t afterComputeNs) {
        LoopTrace loop;
        loop.eachStep([&](std::int64_t at, std::int64_t) {
            loop.launch(at, at + 4 * kMs);
            test::SampleTrace& sample = loop.sample();
            sample.add(sample.stream(TrackKind::EngineCompute, 9), EventKind::Kernel, at + afterComputeNs,
                       at + afterComputeNs + 2 * kMs, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
        });
        return loop.findings();
    };
    const FindingList exposed = allReduce(4 * kMs);
    const Finding* finding = exposed.find(RuleId::ExposedCommunication);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, 8 * kMs);
    EXPECT_EQ(finding->severity, FindingSeverity::Problem);
    EXPECT_EQ(finding->evidenceCount, 4);
    test::expectText(finding->sentence);
    EXPECT_EQ(allReduce(kMs).find(RuleId::ExposedCommunication), nullptr);
}

TEST(SyncPerStep, DoesNotHoldWhereAnotherThreadWaitsForItsOwnCopyBack)
{
    LoopTrace loop;
    test::SampleTrace& sample = loop.sample();
    const TrackId reader = sample.builder().addTrack(sample.process(), TrackKind::Thread, "reader", -1, 102);
    loop.eachStep([&](std::int64_t at, std::int64_t step) {
        loop.launch(at + 3 * kMs, at + 9 * kMs);
        const auto id = static_cast<std::uint32_t>(1000 + step);
        sample.add(reader, EventKind::RuntimeCall, at + 4 * kMs, at + 4 * kMs + kUs, "cudaMemcpyAsync", id);
        sample.copy(EventKind::CopyD2H, at + 9 * kMs, at + kStepNs, MemoryKind::Pinned, 8 << 20, 20, AsyncFlag::Async,
                    id);
        sample.add(reader, EventKind::RuntimeCall, at + 5 * kMs, at + kStepNs, "cudaEventSynchronize");
    });
    const FindingList list = loop.findings();
    EXPECT_EQ(list.find(RuleId::SyncPerStep), nullptr);
    ASSERT_NE(list.find(RuleId::HostLate), nullptr);
    EXPECT_EQ(list.find(RuleId::HostLate)->cost.gpuIdleNs, 12 * kMs);
}

TEST(LoaderStarved, HoldsWhereTheThreadWaitsForABatch)
{
    const FindingList list = threadIsHeld(EventKind::LoaderWait, "wait for a batch");
    const Finding* finding = list.find(RuleId::LoaderStarved);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, kHeldNs);
    EXPECT_TRUE(isNotChecked(threadIsHeld(EventKind::HostWork, "parse_labels"), RuleId::LoaderStarved));
}

// A loader whose worker and pin thread are busy for parts of each wait of 3 ms.
std::string starvedBy(std::int64_t workerNs, std::int64_t pinThreadNs)
{
    LoopTrace loop;
    TraceBuilder& builder = loop.sample().builder();
    const TrackId worker = builder.addTrack(loop.sample().process(), TrackKind::LoaderActor, "worker 0");
    const TrackId pin = builder.addTrack(loop.sample().process(), TrackKind::LoaderActor, "pin thread");
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.sample().host(EventKind::LoaderWait, at, at + 3 * kMs - kUs, "wait for a batch");
        loop.sample().add(worker, EventKind::Loader, at, at + workerNs, "batch");
        loop.sample().add(pin, EventKind::Loader, at, at + pinThreadNs, "pin_memory");
        loop.launch(at + 3 * kMs, at + kStepNs);
    });
    const FindingList list = loop.findings();
    const Finding* finding = list.find(RuleId::LoaderStarved);
    return finding ? finding->sentence + finding->changePyTorch : std::string();
}

TEST(LoaderStarved, TellsWhichPartIsNarrowest)
{
    test::expectText(starvedBy(29 * kMs / 10, kMs));
    test::expectText(starvedBy(kMs, 29 * kMs / 10));
    test::expectText(starvedBy(29 * kMs / 10, 29 * kMs / 10));
    test::expectText(starvedBy(kMs, kMs / 2));
}

// The kernel ends 2 ms before the step, while the host waits for it; the next launch comes 2 ms later.
FindingList waits(std::int64_t waitNs, std::int64_t every)
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t step) {
        loop.launch(at, at + 8 * kMs);
        if (step % every == 0)
            loop.call("cudaDeviceSynchronize", {at + 8 * kMs - waitNs, at + 8 * kMs});
    });
    loop.launch(4 * kStepNs, 4 * kStepNs + kMs);
    return loop.findings();
}

TEST(SyncPerStep, CostsNoMoreThanTheHostWaited)
{
    const Finding* finding = nullptr;
    const FindingList all = waits(5 * kMs, 1);
    ASSERT_NE(finding = all.find(RuleId::SyncPerStep), nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, 8 * kMs);
    EXPECT_EQ(finding->cost.hostBlockedNs, 20 * kMs);
    EXPECT_EQ(finding->evidenceCount, 4);
    EXPECT_EQ(all.find(RuleId::HostLate), nullptr);

    const FindingList part = waits(kMs / 2, 1);
    ASSERT_NE(finding = part.find(RuleId::SyncPerStep), nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, 2 * kMs);
    ASSERT_NE(finding = part.find(RuleId::HostLate), nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, 6 * kMs);
}

TEST(SyncPerStep, DoesNotHoldForAWaitNowAndThen)
{
    EXPECT_EQ(waits(5 * kMs, 4).find(RuleId::SyncPerStep), nullptr);
}

// Kernels ever longer, which make no iterations: the host waits for the first of them, and is later behind the others.
FindingList waitsWithoutSteps(std::int64_t waits)
{
    LoopTrace loop(0, false);
    std::int64_t at = 0;
    for (std::int64_t turn = 0; turn < 8; ++turn) {
        const std::int64_t endNs = at + (8 + 3 * turn * turn) * kMs;
        loop.launch(at, endNs);
        if (turn < waits)
            loop.call("cudaDeviceSynchronize", {endNs - 5 * kMs, endNs});
        at = endNs + (turn < waits ? 4 : 30) * kMs;
    }
    return LoopTrace::findingsOf(loop.build(), {0, at});
}

TEST(SyncPerStep, NeedsThreeWaitsWhereNoStepsAreKnown)
{
    for (const std::int64_t few : {1, 2})
        EXPECT_EQ(waitsWithoutSteps(few).find(RuleId::SyncPerStep), nullptr) << few;
    const FindingList list = waitsWithoutSteps(3);
    const Finding* finding = list.find(RuleId::SyncPerStep);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->evidenceCount, 3);
    EXPECT_EQ(list.findings.front().rule, RuleId::HostLate);  // a headline would be named whatever its count
}

// The host launches, and calls something that returns when the kernel is done.
FindingList endsWithTheKernel(std::string_view call, EventKind kind = EventKind::RuntimeCall)
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.launch(at + 4 * kMs, at + kStepNs - 1 * kMs);
        loop.sample().host(kind, at + 5 * kMs, at + kStepNs - kMs + 10 * kUs, call);
    });
    return loop.findings();
}

TEST(SyncPerStep, NamesCallsThatWaitThoughTheyAreNotCalledSo)
{
    for (const auto& [call, advised] :
         {std::pair("cudaFree", "cudaMallocAsync"), std::pair("cudaMalloc", "cudaMallocAsync"),
          std::pair("cuMemFree_v2", "cudaFreeAsync"), std::pair("cuModuleUnload", "CUDA_MODULE_LOADING=EAGER")}) {
        const FindingList list = endsWithTheKernel(call);
        const Finding* finding = list.find(RuleId::SyncPerStep);
        ASSERT_NE(finding, nullptr) << call;
        EXPECT_NE(finding->sentence.find(std::string(call) + " waits until"), std::string::npos) << finding->sentence;
        test::expectText(finding->sentence);
        EXPECT_NE(finding->changeCuda.find(advised), std::string::npos) << finding->changeCuda;
        EXPECT_GT(finding->cost.hostBlockedNs, 0) << call;
        EXPECT_EQ(finding->evidenceCount, 3) << call;  // behind the last one nothing runs
    }
    const FindingList loading = endsWithTheKernel("module loading", EventKind::Overhead);
    ASSERT_NE(loading.find(RuleId::SyncPerStep), nullptr);
    EXPECT_NE(loading.find(RuleId::SyncPerStep)->change.find("EAGER"), std::string::npos);
    // Stream-ordered calls wait for nothing: the host was late.
    for (const char* call : {"cudaFreeAsync", "cudaMallocAsync", "cuMemFreeAsync", "cudaMallocFromPoolAsync"}) {
        EXPECT_EQ(endsWithTheKernel(call).find(RuleId::SyncPerStep), nullptr) << call;
        EXPECT_NE(endsWithTheKernel(call).find(RuleId::HostLate), nullptr) << call;
    }
    const Finding* explicitly = endsWithTheKernel("cudaDeviceSynchronize").find(RuleId::SyncPerStep);
    EXPECT_NE(explicitly, nullptr);
}

TEST(HostLate, AdvisesToAllocateOnceWhereTheHostAllocates)
{
    const FindingList list = threadIsHeld(EventKind::RuntimeCall, "cudaMalloc");
    EXPECT_EQ(list.find(RuleId::SyncPerStep), nullptr);  // the GPU had nothing to do all the while
    const Finding* finding = list.find(RuleId::HostLate);
    ASSERT_NE(finding, nullptr);
    EXPECT_NE(finding->change.find("once"), std::string::npos) << finding->change;
}

// Kernels of 5 us, each launched when the one before has ended.
FindingList shortKernels(std::int64_t kernelNs)
{
    LoopTrace loop;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        for (std::int64_t startNs = at + 5 * kUs; startNs + kernelNs <= at + kStepNs; startNs += kernelNs + 5 * kUs)
            loop.launch(startNs, startNs + kernelNs);
    });
    return loop.findings();
}

TEST(LaunchBound, HoldsBetweenShortKernels)
{
    const FindingList list = shortKernels(5 * kUs);
    const Finding* finding = list.find(RuleId::LaunchBound);
    ASSERT_NE(finding, nullptr);
    EXPECT_NEAR(static_cast<double>(finding->cost.gpuIdleNs), 20 * kMs, 20 * kUs);
    EXPECT_EQ(shortKernels(45 * kUs).find(RuleId::LaunchBound), nullptr);
}

TEST(LaunchBound, AdvisesNoGraphToAProgramThatLaunchesGraphs)
{
    LoopTrace loop;
    std::uint32_t id = 1000;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        for (std::int64_t startNs = at + 5 * kUs; startNs + 5 * kUs <= at + kStepNs; startNs += 10 * kUs) {
            loop.sample().host(EventKind::RuntimeCall, startNs - kUs, startNs, "cudaGraphLaunch", ++id);
            loop.sample().kernel(startNs, startNs + 5 * kUs, 7, id);
        }
    });
    const FindingList list = loop.findings();
    const Finding* finding = list.find(RuleId::LaunchBound);
    ASSERT_NE(finding, nullptr);
    for (const std::string& change : {finding->change, finding->changePyTorch, finding->changeCuda})
        test::expectText(change);
}

FindingList swapping(double bytesPerSecond)
{
    LoopTrace loop;
    TraceBuilder& builder = loop.sample().builder();
    const TrackId traffic = builder.addCounter(loop.sample().process(), "Swap traffic", CounterUnit::BytesPerSecond);
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        builder.addSample(traffic, at, bytesPerSecond);
        builder.addSample(traffic, at + 3 * kMs, 0);
        loop.launch(at + 3 * kMs, at + kStepNs);
    });
    return loop.findings();
}

TEST(PrefetchTooDeep, HoldsWhereTheMachineSwaps)
{
    const FindingList list = swapping(500e6);
    const Finding* finding = list.find(RuleId::PrefetchTooDeep);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->cost.gpuIdleNs, 12 * kMs);
    const FindingList none = swapping(1e6);
    EXPECT_EQ(none.find(RuleId::PrefetchTooDeep), nullptr);
    EXPECT_FALSE(isNotChecked(none, RuleId::PrefetchTooDeep));
    EXPECT_TRUE(isNotChecked(waits(kMs, 1), RuleId::PrefetchTooDeep));
}

TEST(PrefetchTooDeep, HoldsUnderMemoryPressure)
{
    LoopTrace loop;
    TraceBuilder& builder = loop.sample().builder();
    const TrackId pressure =
        builder.addCounter(loop.sample().process(), "Memory pressure (some)", CounterUnit::Percent);
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        builder.addSample(pressure, at, 40);
        loop.launch(at, at + kStepNs);
    });
    const FindingList list = loop.findings();
    ASSERT_NE(list.find(RuleId::PrefetchTooDeep), nullptr);
    EXPECT_EQ(list.find(RuleId::PrefetchTooDeep)->severity, FindingSeverity::Hint);
}

TEST(NothingToWin, HoldsOnlyWhereKernelsFillTheTime)
{
    const auto filled = [](std::int64_t idleNs) {
        LoopTrace loop;
        loop.eachStep([&](std::int64_t at, std::int64_t) { loop.launch(at + idleNs, at + kStepNs); });
        return loop.findings();
    };
    const FindingList full = filled(kMs / 10);
    ASSERT_NE(full.find(RuleId::NothingToWin), nullptr);
    EXPECT_EQ(full.findings.back().severity, FindingSeverity::Good);
    EXPECT_NE(full.find(RuleId::NothingToWin)->sentence.find("99.0"), std::string::npos)
        << full.find(RuleId::NothingToWin)->sentence;
    EXPECT_EQ(filled(2 * kMs).find(RuleId::NothingToWin), nullptr);
}

FindingList instants(std::string_view name, std::string_view format)
{
    LoopTrace loop;
    loop.sample().builder().metadata().format = format;
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.launch(at, at + kStepNs);
        loop.sample().host(EventKind::Instant, at + kMs, at + kMs, name);
    });
    return loop.findings();
}

TEST(Hazards, ComeFirstAndCountHowOften)
{
    for (const auto& [name, rule] :
         {std::pair("hazard: source rewritten before its copy ended", RuleId::SourceRewritten),
          std::pair("hazard: result read before its copy ended", RuleId::ResultReadEarly)}) {
        const FindingList list = instants(name, "simulated");
        ASSERT_FALSE(list.findings.empty());
        EXPECT_EQ(list.findings.front().rule, rule);
        EXPECT_EQ(list.findings.front().severity, FindingSeverity::Hazard);
        EXPECT_EQ(list.findings.front().evidenceCount, 4);
        EXPECT_EQ(instants("a mark", "simulated").find(rule), nullptr);
        EXPECT_FALSE(isNotChecked(instants("a mark", "simulated"), rule));
        EXPECT_TRUE(isNotChecked(instants("a mark", "recorded"), rule));
    }
}

// A measured run reads its results in the order of their copies.
FindingList measuredReads(std::int64_t readNs)
{
    LoopTrace loop;
    loop.sample().builder().metadata().format = "measured";
    loop.eachStep([&](std::int64_t at, std::int64_t) {
        loop.launch(at, at + kStepNs);
        loop.copy(EventKind::CopyD2H, {at + kMs, at + kMs + kUs}, {at + 2 * kMs, at + 4 * kMs}, MemoryKind::Pinned, 20);
        loop.sample().host(EventKind::Loader, at + readNs, at + readNs + kMs, "read result");
    });
    return loop.findings();
}

TEST(Hazards, AMeasuredReadIsEarlyWhereItsCopyHasNotEnded)
{
    ASSERT_NE(measuredReads(3 * kMs).find(RuleId::ResultReadEarly), nullptr);
    EXPECT_EQ(measuredReads(3 * kMs).find(RuleId::ResultReadEarly)->evidenceCount, 4);
    EXPECT_EQ(measuredReads(4 * kMs).find(RuleId::ResultReadEarly), nullptr);
}

}  // namespace
}  // namespace overlane
