#include "app/timeline/area_statistics.h"

#include <gtest/gtest.h>

#include "tests/widget/timeline/sample_trace.h"

namespace overlane
{

namespace
{

// The same by looking at every event.
AreaStatistic counted(const Trace& trace, std::vector<TrackId> tracks, TrackKind lane, Interval range)
{
    AreaStatistic sum{lane};
    for (const TrackId track : tracks)
        for (std::uint32_t i = trace.track(track).events.first; i < trace.track(track).events.last; ++i) {
            const Interval interval = trace.interval(EventIndex(i));
            if (interval.intersected(range).empty())
                continue;
            ++sum.count;
            sum.busyNs += interval.intersected(range).lengthNs();
        }
    sum.meanNs = sum.count > 0 ? sum.busyNs / static_cast<std::int64_t>(sum.count) : 0;
    return sum;
}

}  // namespace

TEST(AreaStatistics, AgreeWithACountOfEveryEvent)
{
    const SampleTrace sample = sampleTrace(40);
    const Pyramid pyramid(*sample.trace);
    for (const Interval range :
         {Interval{2 * kNsPerMs, 3 * kNsPerMs}, Interval{5 * kNsPerMs, 333 * kNsPerMs}, sample.trace->span()}) {
        std::vector<AreaStatistic> expected = {
            counted(*sample.trace, {sample.worker, TrackId(sample.worker.value() + 1)}, TrackKind::LoaderActor, range),
            counted(*sample.trace, {sample.host}, TrackKind::Thread, range),
            counted(*sample.trace, {sample.h2d}, TrackKind::EngineH2D, range),
            counted(*sample.trace, {sample.compute}, TrackKind::EngineCompute, range)};
        std::erase_if(expected, [](const AreaStatistic& lane) { return lane.count == 0; });
        EXPECT_EQ(areaStatistics(pyramid, range), expected);
    }
}

TEST(AreaStatistics, OfEventsThatReachOverTheRangeTheMeanIsCutLikeTheSum)
{
    TraceBuilder builder;
    const TrackId thread =
        builder.addTrack(builder.addTrack({}, TrackKind::Process, "python"), TrackKind::Thread, "main");
    for (const std::int64_t startNs : {std::int64_t{0}, std::int64_t{kNsPerS}}) {
        Event event;
        event.track = thread;
        event.startNs = startNs;
        event.durationNs = kNsPerS;
        event.name = builder.intern("work");
        builder.addEvent(event);
    }
    const Trace trace = builder.build();
    const Pyramid pyramid(trace);
    const std::vector<AreaStatistic> of = areaStatistics(pyramid, {kNsPerS - kNsPerMs, kNsPerS + 3 * kNsPerMs});
    ASSERT_EQ(of.size(), 1u);
    EXPECT_EQ(of[0].count, 2u);
    EXPECT_EQ(of[0].busyNs, 4 * kNsPerMs);
    EXPECT_EQ(of[0].meanNs, 2 * kNsPerMs);
}

TEST(AreaStatistics, NothingWhereThereIsNothing)
{
    const SampleTrace sample = sampleTrace(2);
    const Pyramid pyramid(*sample.trace);
    EXPECT_TRUE(areaStatistics(pyramid, {5, 5}).empty());
    EXPECT_TRUE(areaStatistics(pyramid, {kNsPerS, 2 * kNsPerS}).empty());
}

}  // namespace overlane
