// Communication between GPUs is no compute, and gaps inside a CUDA graph are its own.
#include "core/analysis/communication.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/analysis/gpu_requests.h"
#include "core/analysis/idle_attribution.h"
#include "core/analysis/verdict.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;
constexpr const char* kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

TEST(CommunicationTest, KernelsAreToldByTheirNames)
{
    for (const char* name :
         {kAllReduce, "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)",
          "ncclAllReduceRingLLKernel_sum_f32(ncclColl)", "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t",
          "void ncclSymkDevKernel_AllReduce_AGxLL_R_sum_f32(ncclSymkDevWorkArgs4K)", "ncclDevKernel_Generic_1",
          "mscclKernel_Sum_half_Simple_false(ncclDevComm*, mscclAlgo*, mscclWork*)", "rccl_main_kernel",
          "nvshmemi_barrier_all_kernel", "void deep_ep::intranode::dispatch<8>(int4*)",
          "void vllm::cross_device_reduce_1stage<__half, 8>(RankData*)",
          "void (anonymous namespace)::two_shot_all_reduce_kernel<c10::BFloat16, 16>(at::Tensor)",
          "tensorrt_llm::kernels::oneShotAllReduceKernel<float>"})
        EXPECT_TRUE(isCommunicationKernel(name)) << name;
    for (const char* name : {"ampere_sgemm_128x64_tn", "void at::native::reduce_kernel<512, 1>(nccl::Args)", "",
                             "void fused<nccl::Tag>(float*)", "my_accl_kernel", "all_reduce_sum_of_a_row"})
        EXPECT_FALSE(isCommunicationKernel(name)) << name;
    EXPECT_TRUE(isPeerCopy("Memcpy PtoP (Device -> Device)"));
    EXPECT_FALSE(isPeerCopy("Memcpy DtoD (Device -> Device)"));
}

// Steps of 8 ms: 2 ms of compute, then 6 ms of something else, which begins `earlierNs` before the compute ends.
Trace computeThen(EventKind kind, const char* name, std::int64_t earlierNs = 0)
{
    SampleTrace sample;
    std::uint32_t id = 0;
    for (std::int64_t step = 0; step < 8; ++step) {
        const std::int64_t at = step * 8 * kMs;
        sample.host(EventKind::Step, at, at + 8 * kMs, "ProfilerStep#" + std::to_string(step));
        sample.host(EventKind::RuntimeCall, at, at + kUs, "cudaLaunchKernel", ++id);
        sample.kernel(at + kUs, at + 2 * kMs, 7, id);
        sample.host(EventKind::RuntimeCall, at + kUs, at + 2 * kUs, "cudaLaunchKernelExC", ++id);
        const TrackKind engine = isCopy(kind) ? TrackKind::EnginePeer : TrackKind::EngineCompute;
        sample.add(sample.stream(engine, 9), kind, at + 2 * kMs - earlierNs, at + 8 * kMs, name, id);
    }
    return sample.build();
}

DeviceSummary summaryOf(const Trace& trace)
{
    return Analysis(trace).summarize(Interval{0, 64 * kMs}).devices.at(0);
}

std::int64_t lost(const DeviceSummary& device, LostCause cause)
{
    return device.lostNs[static_cast<std::size_t>(cause)];
}

TEST(CommunicationTest, AStepOfMostlyAllReduceIsCommunicationBound)
{
    const Trace trace = computeThen(EventKind::Kernel, kAllReduce);
    const DeviceSummary device = summaryOf(trace);
    EXPECT_EQ(device.kernels, 8);
    EXPECT_EQ(device.communications, 8);
    EXPECT_EQ(device.exposedCommunicationNs, 48 * kMs);
    EXPECT_EQ(lost(device, LostCause::Communication), 48 * kMs);
    const Verdict judged = verdict(trace, {0, 64 * kMs});
    EXPECT_FALSE(judged.computeBound);
    EXPECT_EQ(judged.mainLoss, LostCause::Communication);
    EXPECT_EQ(judged.tone, VerdictTone::Problem);
    test::expectText(judged.sentence);
    EXPECT_NE(judged.sentence.find("(75.0"), std::string::npos) << judged.sentence;
    test::expectText(judged.advice);
    // Overlapped with all compute there is, the exchange itself is left.
    EXPECT_EQ(judged.couldBeNs, 6 * kMs);
}

TEST(CommunicationTest, WhatComputeHidesIsNoLoss)
{
    const DeviceSummary device = summaryOf(computeThen(EventKind::Kernel, kAllReduce, kMs));
    EXPECT_EQ(device.communicationBusyNs, 56 * kMs);
    EXPECT_EQ(device.communicationHiddenNs, 8 * kMs);
    EXPECT_EQ(lost(device, LostCause::Communication), 48 * kMs);
}

TEST(CommunicationTest, CopiesUnderCommunicationAreNotHiddenAndCostNothing)
{
    SampleTrace sample;
    sample.kernel(0, 2 * kMs);
    sample.add(sample.stream(TrackKind::EngineCompute, 9), EventKind::Kernel, 2 * kMs, 8 * kMs, kAllReduce);
    sample.copy(EventKind::CopyH2D, 3 * kMs, 5 * kMs, MemoryKind::Pinned, 1 << 20, 20);
    sample.kernel(8 * kMs, 9 * kMs);
    const DeviceSummary device = summaryOf(sample.build());
    EXPECT_EQ(device.h2dHiddenNs, 0);
    EXPECT_EQ(device.exposedCopyNs, 2 * kMs);
    EXPECT_EQ(lost(device, LostCause::Copies), 0);
    EXPECT_EQ(lost(device, LostCause::Communication), 6 * kMs);
}

TEST(CommunicationTest, PeerCopiesAreCommunicationAndMigrationsTheirOwn)
{
    const Trace peer = computeThen(EventKind::CopyD2D, "Memcpy PtoP (Device -> Device), GPU 0 -> GPU 1");
    EXPECT_EQ(lost(summaryOf(peer), LostCause::Communication), 48 * kMs);
    EXPECT_EQ(verdict(peer, {0, 64 * kMs}).mainLoss, LostCause::Communication);
    const Trace managed = computeThen(EventKind::CopyOther, "Unified memory HtoD");
    EXPECT_EQ(lost(summaryOf(managed), LostCause::Migration), 48 * kMs);
    const Verdict judged = verdict(managed, {0, 64 * kMs});
    EXPECT_EQ(judged.mainLoss, LostCause::Migration);
    EXPECT_EQ(judged.advice.find("cloned"), std::string::npos) << judged.advice;
    const Trace within = computeThen(EventKind::CopyD2D, "Memcpy DtoD (Device -> Device)");
    EXPECT_EQ(lost(summaryOf(within), LostCause::OtherWork), 48 * kMs);
}

// 400 kernels of 3 us with gaps of 2 us. One launch of a graph holds `each` of them.
Trace graphs(int each, const char* call = "cudaGraphLaunch")
{
    SampleTrace sample;
    for (int kernel = 0; kernel < 400; ++kernel) {
        const auto id = static_cast<std::uint32_t>(1 + kernel / each);
        const std::int64_t startNs = (20 + 5 * std::int64_t{kernel}) * kUs;
        if (kernel % each == 0)
            sample.host(EventKind::RuntimeCall, startNs - 2 * kUs, startNs - kUs, call, id);
        sample.kernel(startNs, startNs + 3 * kUs, 7, id);
    }
    return sample.build();
}

TEST(GraphTest, AGapInsideAGraphIsTheGraphsAndNoGraphIsAdvised)
{
    const Trace trace = graphs(400);
    EXPECT_EQ(lost(summaryOf(trace), LostCause::InGraph), 798 * kUs);
    EXPECT_EQ(lost(summaryOf(trace), LostCause::Dependency), 0);
    const Verdict judged = verdict(trace, {20 * kUs, 2020 * kUs});
    EXPECT_EQ(judged.mainLoss, LostCause::InGraph);
    test::expectText(judged.advice);
}

TEST(GraphTest, AGapBetweenTwoGraphsIsNotInsideOneAndNoGraphIsAdvised)
{
    const Trace trace = graphs(1);
    EXPECT_EQ(lost(summaryOf(trace), LostCause::InGraph), 0);
    const Verdict judged = verdict(trace, {20 * kUs, 2020 * kUs});
    EXPECT_EQ(judged.mainLoss, LostCause::LaunchBound);
    test::expectText(judged.advice);
    test::expectText(verdict(graphs(1, "cudaLaunchKernel"), {20 * kUs, 2020 * kUs}).advice);
}

// The same, as a profiler that numbers graphs records it: the calls are called otherwise or were not recorded.
Trace numberedGraphs(int each, const char* call, bool numbered = true)
{
    SampleTrace sample;
    const TrackId stream = sample.stream(TrackKind::EngineCompute, 7);
    for (int kernel = 0; kernel < 400; ++kernel) {
        Event event;
        event.track = stream;
        event.kind = EventKind::Kernel;
        event.startNs = (20 + 5 * std::int64_t{kernel}) * kUs;
        event.durationNs = 3 * kUs;
        event.name = sample.builder().intern("node " + std::to_string(kernel % each));
        event.correlation = static_cast<std::uint32_t>(1 + kernel / each);
        event.graph = numbered ? 5 : 0;
        sample.builder().addEvent(event);
        if (call != nullptr && kernel % each == 0)
            sample.host(EventKind::RuntimeCall, event.startNs - 2 * kUs, event.startNs - kUs, call, event.correlation);
    }
    return sample.build();
}

TEST(GraphTest, WorkWhoseGraphIsNumberedNeedsNoCallOfThatName)
{
    for (const char* call : {static_cast<const char*>(nullptr), "replayDecoder"}) {
        const Trace trace = numberedGraphs(400, call);
        EXPECT_EQ(lost(summaryOf(trace), LostCause::InGraph), 798 * kUs);
        EXPECT_EQ(verdict(trace, {20 * kUs, 2020 * kUs}).mainLoss, LostCause::InGraph);
        EXPECT_EQ(lost(summaryOf(numberedGraphs(400, call, false)), LostCause::InGraph), 0);
        // Between two launches, and no graph is advised.
        const Trace small = numberedGraphs(1, call);
        EXPECT_EQ(lost(summaryOf(small), LostCause::InGraph), 0);
        const Verdict judged = verdict(small, {20 * kUs, 2020 * kUs});
        test::expectText(judged.advice);
    }
}

TEST(GraphTest, OneLaunchOfAGraphIsOneRequest)
{
    const GpuRequests requests = gpuRequests(numberedGraphs(10, nullptr));
    ASSERT_EQ(requests.requests.size(), 40u);
    EXPECT_EQ(requests.kinds, std::vector<RequestKind>{RequestKind::Graph});
    EXPECT_EQ(requests.requests[1].startNs, (20 + 5 * 10) * kUs);
    EXPECT_EQ(gpuRequests(numberedGraphs(10, nullptr, false)).requests.size(), 400u);
    const GpuRequests called = gpuRequests(numberedGraphs(10, "replayDecoder"));
    EXPECT_EQ(called.requests.size(), 40u);
    EXPECT_EQ(called.kinds, std::vector<RequestKind>{RequestKind::Graph});
    EXPECT_EQ(called.names, std::vector<std::string>{"replayDecoder"});
}

TEST(GraphTest, KernelsThatShareAnotherCallAreNoGraph)
{
    EXPECT_EQ(lost(summaryOf(graphs(400, "cudaLaunchKernel")), LostCause::InGraph), 0);
}

}  // namespace
}  // namespace overlane
