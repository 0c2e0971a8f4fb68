#include "core/analysis/host_activity.h"

#include <gtest/gtest.h>

#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

const IntervalSet& timeOf(const HostTime& time, HostDoing doing)
{
    return time[static_cast<std::size_t>(doing)];
}

TEST(HostActivityTest, EveryEventOfALaunchingThreadIsFiledUnderWhatItTells)
{
    SampleTrace sample;
    sample.host(EventKind::RuntimeCall, 0, 10, "cudaLaunchKernel", 1);
    sample.kernel(10, 20, 7, 1);
    sample.host(EventKind::RuntimeCall, 10, 20, "cudaDeviceSynchronize");
    sample.host(EventKind::LoaderWait, 20, 30, "wait for a batch");
    sample.host(EventKind::Loader, 30, 40, "transform batch 3");
    sample.host(EventKind::Loader, 40, 50, "pin_memory");
    sample.host(EventKind::Loader, 50, 60, "read result");
    sample.host(EventKind::Annotation, 60, 70, "forward");
    sample.host(EventKind::RuntimeCall, 70, 80, "cudaMemcpyAsync", 2);
    sample.copy(EventKind::CopyH2D, 72, 80, MemoryKind::Pageable, 10, 7, AsyncFlag::Async, 2);
    const Trace trace = sample.build();
    const HostTime time = hostActivity(trace).launching(0);
    EXPECT_EQ(timeOf(time, HostDoing::Sync), IntervalSet({{10, 20}}));
    EXPECT_EQ(timeOf(time, HostDoing::BatchWait), IntervalSet({{20, 30}}));
    EXPECT_EQ(timeOf(time, HostDoing::BatchWork), IntervalSet({{30, 40}}));
    EXPECT_EQ(timeOf(time, HostDoing::Pinning), IntervalSet({{40, 50}}));
    EXPECT_EQ(timeOf(time, HostDoing::Work), IntervalSet({{0, 10}, {50, 60}}));
    EXPECT_EQ(timeOf(time, HostDoing::BlockingCopy), IntervalSet({{70, 80}}));
    EXPECT_EQ(hostActivity(trace).launchingSpan(0), IntervalSet({{0, 80}}));
}

TEST(HostActivityTest, ThreadsCountForTheDevicesTheyLaunchOn)
{
    SampleTrace sample(1);
    sample.host(EventKind::RuntimeCall, 0, 10, "cudaLaunchKernel", 1);
    sample.kernel(10, 20, 7, 1);
    const HostActivity host = hostActivity(sample.build());
    ASSERT_EQ(host.launchingThreads.size(), 1u);
    EXPECT_EQ(host.launchingThreads[0].devices, std::vector<std::int32_t>{1});
    EXPECT_TRUE(timeOf(host.launching(0), HostDoing::Work).empty());
    EXPECT_TRUE(host.launchingSpan(0).empty());
}

TEST(HostActivityTest, ActorsWorkWhereTheyDoNotWait)
{
    SampleTrace sample;
    const TrackId worker = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "worker 0");
    const TrackId pin = sample.builder().addTrack(sample.process(), TrackKind::LoaderActor, "pin thread");
    sample.add(worker, EventKind::Loader, 0, 50, "read batch 0");
    sample.add(worker, EventKind::LoaderWait, 50, 80, "wait for an index");
    sample.add(pin, EventKind::Loader, 0, 60, "pin_memory");
    sample.add(pin, EventKind::HostBlocked, 20, 30, "wait for storage or swap");
    const HostActivity host = hostActivity(sample.build());
    ASSERT_EQ(host.actors.size(), 2u);
    EXPECT_EQ(host.actors[0].name, "worker 0");
    EXPECT_EQ(host.actors[0].role, LoaderRole::Worker);
    EXPECT_EQ(host.actors[0].work, IntervalSet({{0, 50}}));
    EXPECT_EQ(host.actors[1].role, LoaderRole::PinThread);
    EXPECT_EQ(host.actors[1].work, IntervalSet({{0, 20}, {30, 60}}));
    EXPECT_EQ(host.criticalNs({0, 100}), 50);
}

TEST(HostActivityTest, WaitingForTheLoaderIsNotBeingHeldByTheRuntime)
{
    SampleTrace sample;
    sample.host(EventKind::LoaderWait, 0, 50, "wait for a batch");
    sample.host(EventKind::HostBlocked, 60, 70, "staging");
    EXPECT_EQ(hostActivity(sample.build()).blocked, IntervalSet({{60, 70}}));
}

}  // namespace
}  // namespace overlane
