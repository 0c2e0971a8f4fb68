#include "core/analysis/device_activity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "core/analysis/analysis.h"
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
    EXPECT_EQ(deviceActivities(named.build()).at(0).defaultStreamOf({}).number, 13);
    SampleTrace imported;
    imported.kernel(0, 10, 7);
    imported.builder().metadata().format = "kineto";
    EXPECT_EQ(deviceActivities(imported.build()).at(0).defaultStreamOf({}).number, 7);
    SampleTrace other;
    other.kernel(0, 10, 7);
    EXPECT_EQ(deviceActivities(other.build()).at(0).defaultStreamOf({}).number, -1);
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
    EXPECT_EQ(device.streamWaits[0].stream.number, 21);
    EXPECT_EQ(device.streamWaits[1].stream.number, 20);
    EXPECT_THAT(device.kernelStreams, testing::ElementsAre(StreamKey{{}, 7}));
    EXPECT_TRUE(device.hasKernels({{}, 7}));
    EXPECT_FALSE(device.hasKernels({{}, 20}));
    EXPECT_FALSE(device.hasKernels({{}, -1}));
}

// Two processes on one GPU, each with a stream 7: A launches kernels, B copies beside them. What they ask for
// has calls.
class TwoProcesses
{
public:
    TwoProcesses()
    {
        TraceBuilder& builder = m_sample.builder();
        const TrackId second = builder.addTrack({}, TrackKind::Process, "server", -1, 200);
        m_threadB = builder.addTrack(second, TrackKind::Thread, "main", -1, 201);
        const TrackId engine = m_sample.track(m_sample.device(), TrackKind::EngineH2D, 0, "engine", 0);
        m_copiesB = builder.addTrack(engine, TrackKind::Stream, "stream 7", 0, 7);
        m_processB = second;
        for (std::uint32_t step = 0; step < 4; ++step) {
            const std::int64_t startNs = std::int64_t{step} * 1'000'000;
            add(m_sample.thread(), EventKind::RuntimeCall, startNs, startNs + 1000, step + 1, 1);
            add(m_sample.stream(TrackKind::EngineCompute, 7), EventKind::Kernel, startNs + 1000, startNs + 600'000,
                step + 1, 1);
            add(m_threadB, EventKind::RuntimeCall, startNs + 100'000, startNs + 101'000, step + 1, 2);
            add(m_copiesB, EventKind::CopyH2D, startNs + 600'000, startNs + 900'000, step + 1, 2);
        }
    }

    void add(TrackId track, EventKind kind, std::int64_t startNs, std::int64_t endNs, std::uint32_t correlation,
             std::uint32_t process, std::string_view name = "call")
    {
        Event event;
        event.track = track;
        event.kind = kind;
        event.startNs = startNs;
        event.durationNs = endNs - startNs;
        event.name = m_sample.builder().intern(name);
        event.correlation = correlation;
        event.process = process;
        if (isCopy(kind))
            event.copy = CopyInfo{1 << 20, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async};
        m_sample.builder().addEvent(event);
    }
    SampleTrace& sample() { return m_sample; }
    TrackId processB() const { return m_processB; }
    TrackId threadB() const { return m_threadB; }

private:
    SampleTrace m_sample;
    TrackId m_processB, m_threadB, m_copiesB;
};

TEST(DeviceActivityTest, OneNumberInTwoProcessesIsTwoStreams)
{
    TwoProcesses two;
    const Trace trace = two.sample().build();
    const Analysis analysis(trace);
    const DeviceActivity& device = analysis.devices().at(0);
    EXPECT_TRUE(device.hasKernels({two.sample().process(), 7}));
    EXPECT_FALSE(device.hasKernels({two.processB(), 7}));
    ASSERT_EQ(device.h2dCopies.size(), 4u);
    for (const CopyRecord& copy : device.h2dCopies) {
        EXPECT_EQ(copy.stream.process, two.processB());
        EXPECT_NE(copy.cause, CopyCause::SameStream);
    }
}

// One process with two contexts on one GPU, whose streams both are 7: kernels in the first, copies in the second,
// each of which begins when a kernel ends.
Trace twoContexts(std::string_view copiesOn)
{
    SampleTrace sample;
    sample.builder().metadata().format = "nsys";
    const TrackId engine = sample.track(sample.device(), TrackKind::EngineH2D, 0, "engine", 0);
    const TrackId copies = sample.builder().addTrack(engine, TrackKind::Stream, copiesOn, 0, 7);
    sample.kernel(0, 400'000, 7, 1);
    for (std::uint32_t step = 0; step < 4; ++step) {
        const std::int64_t startNs = 500'000 + std::int64_t{step} * 1'000'000;
        sample.host(EventKind::RuntimeCall, startNs, startNs + 1000, "cudaMemcpyAsync", 10 + step);
        sample.kernel(startNs, startNs + 500'000, 7, 2);
        Event copy;
        copy.track = copies;
        copy.kind = EventKind::CopyH2D;
        copy.startNs = startNs + 500'000;
        copy.durationNs = 300'000;
        copy.correlation = 10 + step;
        copy.copy = CopyInfo{1 << 20, MemoryKind::Pinned, MemoryKind::Device, AsyncFlag::Async};
        sample.builder().addEvent(copy);
    }
    sample.kernel(5'000'000, 5'400'000, 7, 1);
    return sample.build();
}

TEST(DeviceActivityTest, OneNumberInTwoContextsIsTwoStreams)
{
    const auto causeOfCopies = [](std::string_view copiesOn) {
        const Analysis analysis(twoContexts(copiesOn));
        return analysis.devices().at(0).h2dCopies.at(1).cause;
    };
    EXPECT_EQ(causeOfCopies("stream 7"), CopyCause::SameStream);
    // Neither the same stream nor one that waits for the default stream of the other context.
    EXPECT_NE(causeOfCopies("stream 7 of context 2"), CopyCause::SameStream);
    EXPECT_NE(causeOfCopies("stream 7 of context 2"), CopyCause::LegacyDefaultStream);
    const Analysis analysis(twoContexts("stream 7 of context 2"));
    const DeviceActivity& device = analysis.devices().at(0);
    EXPECT_THAT(device.defaultStreams, testing::ElementsAre(StreamKey{device.h2dCopies.at(0).stream.process, 7},
                                                            StreamKey{device.h2dCopies.at(0).stream.process, 7, 2}));
    EXPECT_EQ(device.defaultStreamOf(device.h2dCopies.at(0).stream), device.h2dCopies.at(0).stream);
    EXPECT_FALSE(device.hasKernelsBeside(device.h2dCopies.at(0).stream));
}

TEST(DeviceActivityTest, AStreamThatWaitsIsOfTheContextItsRowNames)
{
    SampleTrace sample;
    sample.kernel(0, 10, 7);
    sample.add(sample.stream(TrackKind::Group, 0), EventKind::Sync, 3, 4, "Stream 7 of context 2 waits for event 3");
    sample.add(sample.stream(TrackKind::Group, 0), EventKind::Sync, 5, 6, "Stream 7 waits for event 4");
    const TrackId second = sample.builder().addTrack(sample.device(), TrackKind::Stream, "stream 9 of context 5", 0, 9);
    sample.add(second, EventKind::Sync, 7, 8, "Stream wait sync");
    const DeviceActivity device = deviceActivities(sample.build()).at(0);
    ASSERT_EQ(device.streamWaits.size(), 3u);
    EXPECT_EQ(device.streamWaits[0].stream, (StreamKey{{}, 7, 2}));
    EXPECT_EQ(device.streamWaits[1].stream, (StreamKey{{}, 7}));
    EXPECT_EQ(device.streamWaits[2].stream, (StreamKey{{}, 9, 5}));
}

TEST(DeviceActivityTest, AStreamThatWaitsIsOfTheProcessThatMadeTheCall)
{
    TwoProcesses two;
    two.add(two.threadB(), EventKind::RuntimeCall, 50'000, 51'000, 77, 2, "cudaStreamWaitEvent");
    two.add(two.sample().thread(), EventKind::RuntimeCall, 80'000, 81'000, 77, 1, "cudaStreamWaitEvent");
    const TrackId lane = two.sample().builder().addTrack(two.sample().device(), TrackKind::Group, "sync calls", 0);
    two.add(lane, EventKind::Sync, 50'200, 50'900, 77, 2, "Stream 7 waits for event 3");
    two.add(lane, EventKind::Sync, 80'200, 80'900, 77, 1, "Stream 7 waits for event 4");
    const DeviceActivity device = deviceActivities(two.sample().build()).at(0);
    ASSERT_EQ(device.streamWaits.size(), 2u);
    EXPECT_EQ(device.streamWaits[0].stream, (StreamKey{two.processB(), 7}));
    EXPECT_EQ(device.streamWaits[1].stream, (StreamKey{two.sample().process(), 7}));
}

}  // namespace
}  // namespace overlane
