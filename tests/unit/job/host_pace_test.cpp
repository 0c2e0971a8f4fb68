#include "core/job/host_pace.h"

#include <gtest/gtest.h>

#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

constexpr std::int64_t kUsNs = 1000;

TEST(HostPace, WaitingForTheDeviceIsNotTheHostsOwn)
{
    SampleTrace sample;
    // A launch, a launch that waits for room in the queue, a wait; 1 ms in all.
    sample.host(EventKind::HostWork, 0, 100 * kUsNs, "aten::mm");
    sample.host(EventKind::RuntimeCall, 100 * kUsNs, 110 * kUsNs, "cudaLaunchKernel", 1);
    sample.kernel(120 * kUsNs, 900 * kUsNs, 7, 1);
    sample.host(EventKind::RuntimeCall, 200 * kUsNs, 500 * kUsNs, "cudaLaunchKernel", 2);
    sample.kernel(900 * kUsNs, 950 * kUsNs, 7, 2);
    sample.host(EventKind::RuntimeCall, 600 * kUsNs, 1000 * kUsNs, "cudaStreamSynchronize");
    const Trace trace = sample.build();
    const HostPace pace(trace, Analysis(trace), 0);
    EXPECT_EQ(pace.ownNs({0, 1000 * kUsNs}), (1000 - 400 - 200) * kUsNs);
    EXPECT_EQ(pace.ownNs({0, 600 * kUsNs}), 400 * kUsNs);
    EXPECT_EQ(pace.loaderNs({0, 1000 * kUsNs}), 0);
    EXPECT_EQ(pace.copyNs({0, 1000 * kUsNs}), 0);
}

TEST(HostPace, BatchesAndCallsThatCopyAreItsOwnAndTold)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 300 * kUsNs, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    sample.host(EventKind::RuntimeCall, 300 * kUsNs, 800 * kUsNs, "cudaMemcpyAsync", 1);
    sample.copy(EventKind::CopyH2D, 350 * kUsNs, 800 * kUsNs, MemoryKind::Pageable, 1 << 20, 7, AsyncFlag::Async, 1);
    sample.host(EventKind::RuntimeCall, 810 * kUsNs, 815 * kUsNs, "cudaLaunchKernel", 2);
    sample.kernel(820 * kUsNs, 950 * kUsNs, 7, 2);
    const Trace trace = sample.build();
    const HostPace pace(trace, Analysis(trace), 0);
    EXPECT_EQ(pace.ownNs({0, 1000 * kUsNs}), 1000 * kUsNs);
    EXPECT_EQ(pace.loaderNs({0, 1000 * kUsNs}), 300 * kUsNs);
    EXPECT_EQ(pace.copyNs({0, 1000 * kUsNs}), 500 * kUsNs);
}

// 500 us of a wait are for the GPU's own kernel, 300 us for others in a collective.
TEST(HostPace, OnlyWaitsInCommunicationAreHeldByOthers)
{
    SampleTrace sample;
    sample.host(EventKind::RuntimeCall, 0, 10 * kUsNs, "cudaLaunchKernel", 1);
    sample.host(EventKind::RuntimeCall, 10 * kUsNs, 20 * kUsNs, "cudaLaunchKernel", 2);
    sample.kernel(20 * kUsNs, 600 * kUsNs, 7, 1);
    sample.add(sample.stream(TrackKind::EngineCompute, 20), EventKind::Kernel, 500 * kUsNs, 900 * kUsNs,
               "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 2);
    sample.host(EventKind::RuntimeCall, 100 * kUsNs, 900 * kUsNs, "cudaStreamSynchronize");
    const Trace trace = sample.build();
    const HostPace pace(trace, Analysis(trace), 0);
    EXPECT_EQ(pace.heldNs({0, 1000 * kUsNs}), 300 * kUsNs);
    EXPECT_EQ(pace.heldNs({0, 700 * kUsNs}), 100 * kUsNs);
    EXPECT_EQ(pace.ownNs({0, 1000 * kUsNs}), 200 * kUsNs);
}

TEST(HostPace, WithoutCallsItIsNotKnown)
{
    SampleTrace sample;
    sample.kernel(0, 100);
    const Trace trace = sample.build();
    EXPECT_EQ(HostPace(trace, Analysis(trace), 0).ownNs({0, 100}), 0);
}

}  // namespace
}  // namespace overlane
