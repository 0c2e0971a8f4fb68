#include "core/analysis/device_activity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

TEST(DeviceActivityTest, EveryIdleTimeKnowsTheWorkOnEitherSideOnRandomTraces)
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        std::mt19937 random(seed);
        const auto upTo = [&](std::int64_t limit) { return static_cast<std::int64_t>(random() % limit); };
        SampleTrace sample;
        for (std::uint32_t id = 1; id <= 60; ++id) {
            const std::int64_t startNs = upTo(1000);
            const std::int64_t endNs = startNs + upTo(12);
            if (upTo(2) == 0)
                sample.host(EventKind::RuntimeCall, startNs - upTo(30), startNs - upTo(5), "call", id);
            if (upTo(3) == 0)
                sample.copy(upTo(2) ? EventKind::CopyH2D : EventKind::CopyD2H, startNs, endNs, MemoryKind::Pinned, 1,
                            7 + upTo(2), AsyncFlag::Async, id);
            else
                sample.kernel(startNs, endNs, 7 + upTo(3), id);
        }
        const Trace trace = sample.build();
        const DeviceActivity device = deviceActivities(trace).at(0);
        const IntervalSet gaps = device.busy.gaps(device.busy.span());
        ASSERT_EQ(device.idle.size(), gaps.size()) << seed;
        for (std::size_t at = 0; at < gaps.size(); ++at) {
            const IdleGap& gap = device.idle[at];
            EXPECT_EQ(gap.interval, gaps.intervals()[at]);
            ASSERT_TRUE(gap.previous.valid() && gap.next.valid()) << seed;
            EXPECT_EQ(trace.interval(gap.previous).endNs, gap.interval.startNs);
            EXPECT_EQ(trace.interval(gap.next).startNs, gap.interval.endNs);
            EXPECT_EQ(gap.beforeKernel, trace.kind(gap.next) == EventKind::Kernel);
            const EventIndex call = trace.link(gap.next);
            EXPECT_EQ(gap.queuedNs, call.valid() ? trace.interval(call).endNs : IdleGap().queuedNs);
        }
    }
}

TEST(DeviceActivityTest, TheDefaultStreamIsTheNamedOneElseTheNumberThatImportersKnow)
{
    SampleTrace named;
    named.kernel(0, 10, 7);
    named.kernel(0, 10, 13);
    named.builder().renameTrack(named.stream(TrackKind::EngineCompute, 13), "stream 13 (default)", 0);
    EXPECT_EQ(deviceActivities(named.build()).at(0).defaultStream, 13);
    SampleTrace imported;
    imported.kernel(0, 10, 7);
    imported.builder().metadata().format = "kineto";
    EXPECT_EQ(deviceActivities(imported.build()).at(0).defaultStream, 7);
    SampleTrace other;
    other.kernel(0, 10, 7);
    EXPECT_EQ(deviceActivities(other.build()).at(0).defaultStream, -1);
}

TEST(DeviceActivityTest, RowsThatMakeAStreamWaitAreFiledUnderThatStream)
{
    SampleTrace sample;
    sample.kernel(0, 10, 7);
    sample.add(sample.stream(TrackKind::Group, 20), EventKind::Sync, 5, 6, "Stream Wait Event");
    sample.add(sample.stream(TrackKind::Group, 0), EventKind::Sync, 3, 4, "Stream 21 waits for event 3");
    sample.add(sample.stream(TrackKind::Group, 20), EventKind::Sync, 7, 8, "Event Sync");
    sample.add(sample.stream(TrackKind::Group, 20), EventKind::Sync, 7, 8, "Host waits for stream 20");
    const DeviceActivity device = deviceActivities(sample.build()).at(0);
    ASSERT_EQ(device.streamWaits.size(), 2u);
    EXPECT_EQ(device.streamWaits[0].stream, 21);
    EXPECT_EQ(device.streamWaits[1].stream, 20);
    EXPECT_THAT(device.kernelStreams, testing::ElementsAre(7));
    EXPECT_TRUE(device.hasKernels(7));
    EXPECT_FALSE(device.hasKernels(20));
    EXPECT_FALSE(device.hasKernels(-1));
}

}  // namespace
}  // namespace overlane
