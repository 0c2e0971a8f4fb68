#include "core/trace/trace_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>
#include <tuple>

#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

EventIndex findByStart(const Trace& trace, EventKind kind, std::int64_t startNs)
{
    for (std::uint32_t at = 0; at < trace.eventCount(); ++at)
        if (trace.kind(EventIndex(at)) == kind && trace.columns().startNs[at] == startNs)
            return EventIndex(at);
    return {};
}

TEST(TraceBuilderTest, NothingMakesAnEmptyTrace)
{
    const Trace trace = TraceBuilder().build();
    EXPECT_EQ(trace.eventCount(), 0u);
    EXPECT_EQ(trace.span(), (Interval{0, 0}));
    EXPECT_TRUE(trace.tracks().empty());
    EXPECT_FALSE(trace.trackOf(EventIndex(0)).valid());
}

TEST(TraceBuilderTest, TracksWithoutEventsStay)
{
    TraceBuilder builder;
    const TrackId process = builder.addTrack({}, TrackKind::Process, "p");
    const TrackId thread = builder.addTrack(process, TrackKind::Thread, "t");
    const Trace trace = builder.build();
    EXPECT_THAT(trace.track(process).children, ElementsAre(thread));
    EXPECT_TRUE(trace.track(thread).events.empty());
    EXPECT_THAT(trace.track(thread).rows, IsEmpty());
}

TEST(TraceBuilderTest, NestedCallsLieBelowTheirParentWhateverTheOrder)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 20, 30, "inner");
    sample.host(EventKind::HostWork, 0, 50, "child");
    sample.host(EventKind::HostWork, 0, 100, "parent");
    sample.host(EventKind::HostWork, 100, 110, "next");
    const Trace trace = sample.build();
    const Track& track = trace.track(sample.thread());
    ASSERT_EQ(track.rows.size(), 3u);
    EXPECT_THAT(track.rows, ElementsAre(EventRange{0, 2}, EventRange{2, 3}, EventRange{3, 4}));
    EXPECT_EQ(trace.name(EventIndex(0)), "parent");
    EXPECT_EQ(trace.name(EventIndex(1)), "next");
    EXPECT_EQ(trace.name(EventIndex(2)), "child");
    EXPECT_EQ(trace.name(EventIndex(3)), "inner");
}

TEST(TraceBuilderTest, KernelsThatOverlapOnOneStreamAreAllKept)
{
    SampleTrace sample;
    for (std::int64_t i = 0; i < 10; ++i)
        sample.kernel(i, i + 100);
    const Trace trace = sample.build();
    const Track& stream = trace.track(trace.trackOf(EventIndex(0)));
    EXPECT_EQ(stream.events.size(), 10u);
    EXPECT_EQ(stream.rows.size(), 10u);
}

// Rows are disjoint, sorted and cover the track; every event comes back unchanged.
TEST(TraceBuilderTest, KeepsEveryEventOfARandomTrace)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        SampleTrace sample;
        using Key = std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::string>;
        std::vector<Key> given;
        for (int i = 0; i < 200; ++i) {
            const auto startNs = static_cast<std::int64_t>(random() % 500);
            const auto endNs = startNs + static_cast<std::int64_t>(random() % 40);
            const TrackId track =
                random() % 2 ? sample.thread() : sample.stream(TrackKind::EngineCompute, random() % 3);
            const std::string name = "n" + std::to_string(random() % 7);
            sample.add(track, EventKind::Kernel, startNs, endNs, name);
            given.emplace_back(track.value(), startNs, endNs, name);
        }
        const Trace trace = sample.build();
        std::vector<Key> kept;
        for (std::uint32_t at = 0; at < trace.eventCount(); ++at) {
            const Interval interval = trace.interval(EventIndex(at));
            kept.emplace_back(trace.trackOf(EventIndex(at)).value(), interval.startNs, interval.endNs,
                              trace.name(EventIndex(at)));
        }
        EXPECT_THAT(kept, testing::UnorderedElementsAreArray(given)) << "seed " << seed;
        for (const Track& track : trace.tracks()) {
            std::uint32_t next = track.events.first;
            for (std::size_t row = 0; row < track.rows.size(); ++row) {
                EXPECT_EQ(track.rows[row].first, next);
                next = track.rows[row].last;
                for (std::uint32_t at = track.rows[row].first; at < track.rows[row].last; ++at) {
                    if (at > track.rows[row].first) {
                        EXPECT_GE(trace.interval(EventIndex(at)).startNs, trace.interval(EventIndex(at - 1)).endNs);
                    }
                }
            }
            EXPECT_EQ(next, track.events.last);
        }
    }
}

TEST(TraceBuilderTest, LinksACallToItsWorkBothWays)
{
    SampleTrace sample;
    sample.host(EventKind::RuntimeCall, 0, 5, "cudaLaunchKernel", 9);
    sample.kernel(10, 20, 7, 9);
    const Trace trace = sample.build();
    const EventIndex call = findByStart(trace, EventKind::RuntimeCall, 0);
    const EventIndex kernel = findByStart(trace, EventKind::Kernel, 10);
    EXPECT_EQ(trace.link(call), kernel);
    EXPECT_EQ(trace.link(kernel), call);
    EXPECT_THAT(trace.linkedWork(call), ElementsAre(kernel));
    EXPECT_THAT(trace.linkedWork(kernel), ElementsAre(kernel));
}

TEST(TraceBuilderTest, ManyEventsMayShareOneId)
{
    SampleTrace sample;
    sample.host(EventKind::RuntimeCall, 0, 5, "cudaGraphLaunch", 4);
    // Streams in an order in which the earliest kernel does not come first in the columns.
    for (std::int64_t i = 0; i < 50; ++i)
        sample.kernel(1000 - i * 10, 1005 - i * 10, i, 4);
    const Trace trace = sample.build();
    const EventIndex call = findByStart(trace, EventKind::RuntimeCall, 0);
    EXPECT_EQ(trace.columns().startNs[trace.link(call).index()], 510);
    const std::vector<EventIndex> work = trace.linkedWork(call);
    ASSERT_EQ(work.size(), 50u);
    EXPECT_TRUE(std::is_sorted(work.begin(), work.end()));
    EXPECT_EQ(std::adjacent_find(work.begin(), work.end()), work.end());
    for (const EventIndex kernel : work) {
        EXPECT_EQ(trace.link(kernel), call);
        EXPECT_EQ(trace.linkedWork(kernel), work);
    }
}

TEST(TraceBuilderTest, IdsOfOtherProcessesAndZeroDoNotLink)
{
    SampleTrace sample;
    Event call;
    call.track = sample.thread();
    call.kind = EventKind::RuntimeCall;
    call.correlation = 5;
    call.process = 1;
    call.durationNs = 10;
    sample.builder().addEvent(call);
    sample.kernel(20, 30, 7, 5);  // process 0
    sample.kernel(30, 40, 7, 0);
    const Trace trace = sample.build();
    for (std::uint32_t at = 0; at < trace.eventCount(); ++at) {
        EXPECT_FALSE(trace.link(EventIndex(at)).valid());
        EXPECT_THAT(trace.linkedWork(EventIndex(at)), IsEmpty());
    }
}

TEST(TraceBuilderTest, TheRuntimeCallIsTheCauseNotTheDriverCallInsideOrTheOperatorAround)
{
    SampleTrace sample;
    sample.host(EventKind::HostWork, 0, 100, "aten::to", 3);
    sample.host(EventKind::RuntimeCall, 12, 18, "cuMemcpyAsync", 3);
    sample.host(EventKind::RuntimeCall, 10, 20, "cudaMemcpyAsync", 3);
    sample.kernel(30, 40, 7, 3);
    const Trace trace = sample.build();
    const EventIndex kernel = findByStart(trace, EventKind::Kernel, 30);
    EXPECT_EQ(trace.name(trace.link(kernel)), "cudaMemcpyAsync");
}

TEST(TraceBuilderTest, BadTimesAreCountedNotKept)
{
    SampleTrace sample;
    Event event;
    event.track = sample.thread();
    event.startNs = 10;
    event.durationNs = -1;
    EXPECT_FALSE(sample.builder().addEvent(event));
    for (const auto& [startNs, durationNs] : {std::pair(kMin, std::int64_t{0}), std::pair(kMax, std::int64_t{0}),
                                              std::pair(std::int64_t{0}, kMax), std::pair(kMax, kMax)}) {
        event.startNs = startNs;
        event.durationNs = durationNs;
        EXPECT_FALSE(sample.builder().addEvent(event));
    }
    const Trace trace = sample.build();
    EXPECT_EQ(trace.eventCount(), 0u);
    EXPECT_EQ(trace.stats().count("negative_duration"), 1);
    EXPECT_EQ(trace.stats().count("time_out_of_range"), 4);
}

TEST(TraceBuilderTest, TheWidestAllowedTimesDoNotOverflow)
{
    SampleTrace sample;
    const std::int64_t earliestNs = -(std::int64_t{1} << 61) + 1;
    const std::int64_t latestNs = (std::int64_t{1} << 62) - 1;
    const std::int64_t longestNs = (std::int64_t{1} << 61) - 1;
    sample.host(EventKind::HostWork, earliestNs, earliestNs + 1, "first");
    sample.host(EventKind::HostWork, latestNs, latestNs + longestNs, "last");
    const Trace trace = sample.build(true);
    EXPECT_EQ(trace.span().startNs, 0);
    EXPECT_EQ(trace.span().endNs, latestNs + longestNs - earliestNs);
}

TEST(TraceBuilderTest, SumsOfTimesAndOfSizesNeverOverflow)
{
    SampleTrace sample;
    for (int at = 0; at < 50; ++at) {
        sample.kernel(at, (std::int64_t{1} << 60) + at);
        sample.copy(EventKind::CopyH2D, at, at + 1, MemoryKind::Pinned, std::int64_t{1} << 50);
    }
    for (int at = 0; at < 8192; ++at)
        sample.copy(EventKind::CopyH2D, at, at + 1, MemoryKind::Pinned, std::int64_t{1} << 50);
    for (const std::int64_t bytes : {std::int64_t{1} << 62, kMax, kMin, std::int64_t{-1}})
        sample.copy(EventKind::CopyH2D, 0, 10, MemoryKind::Pinned, bytes);
    const Trace trace = sample.build();
    std::int64_t sumNs = 0;
    std::int64_t sumBytes = 0;
    for (std::uint32_t at = 0; at < trace.eventCount(); ++at) {
        ASSERT_FALSE(__builtin_add_overflow(sumNs, trace.columns().durationNs[at], &sumNs));
        const CopyInfo* copy = trace.copy(EventIndex(at));
        ASSERT_FALSE(copy != nullptr && __builtin_add_overflow(sumBytes, copy->bytes, &sumBytes));
    }
    EXPECT_GT(trace.stats().count("time_out_of_range"), 0);
    EXPECT_EQ(trace.stats().count("impossible_size"), 4 + 50 + 8192 - 4096);
    EXPECT_EQ(static_cast<std::int64_t>(trace.eventCount()) + trace.stats().count("time_out_of_range") +
                  trace.stats().count("impossible_size"),
              50 + 50 + 8192 + 4);
}

TEST(TraceBuilderTest, ACancelledBuildIsEmpty)
{
    SampleTrace sample;
    for (int at = 0; at < 10'000; ++at)
        sample.kernel(at, at + 1);
    Progress progress;
    progress.cancel();
    EXPECT_EQ(sample.builder().build(true, &progress).eventCount(), 0u);
    sample.builder().addEvent({.track = sample.builder().addTrack({}, TrackKind::Process, "p")});
    EXPECT_EQ(sample.builder().build(true).eventCount(), 1u) << "the builder is empty and usable";
}

TEST(TraceBuilderTest, NamesAreKeptAsTextThatMayBeShown)
{
    TraceBuilder builder;
    builder.metadata().title = "t\x1b[2J";
    builder.metadata().properties["k\a"] = "\u202ev";
    const TrackId track = builder.addTrack({}, TrackKind::Process, "p\x1b");
    builder.addDevice({0, "GPU\n", 0, 0});
    EXPECT_EQ(builder.text(builder.intern("k\xff")), "k\\xff");
    EXPECT_EQ(builder.intern("k\xff"), builder.intern("k\xff"));
    builder.renameTrack(builder.addTrack(track, TrackKind::Thread, "t"), "r\r", 0);
    const Trace trace = builder.build();
    EXPECT_EQ(trace.metadata().title, "t\\u001b[2J");
    EXPECT_EQ(trace.metadata().properties.at("k\\u0007"), "\\u202ev");
    EXPECT_EQ(trace.track(track).name, "p\\u001b");
    EXPECT_EQ(trace.tracks()[1].name, "r\\r");
    EXPECT_EQ(trace.devices()[0].name, "GPU\\n");
}

TEST(TraceBuilderTest, WildCounterTimesAreCountedNotKept)
{
    SampleTrace sample;
    const TrackId counter = sample.builder().addCounter(sample.process(), "bytes", CounterUnit::Bytes);
    sample.builder().addSample(counter, kMin, 1);
    sample.builder().addSample(counter, kMax, 1);
    sample.builder().addSample(counter, 5, 2);
    sample.host(EventKind::HostWork, -100, 0, "work");
    const Trace trace = sample.build(true);
    EXPECT_THAT(trace.counters()[0].timesNs, ElementsAre(105));
    EXPECT_EQ(trace.stats().count("time_out_of_range"), 2);
}

TEST(TraceBuilderTest, CountersAreSortedAndKeepTheOrderOfEqualTimes)
{
    SampleTrace sample;
    const TrackId counter = sample.builder().addCounter(sample.process(), "queue", CounterUnit::Count);
    for (const auto& [timeNs, value] : {std::pair(30, 1.0), std::pair(10, 2.0), std::pair(30, 3.0), std::pair(20, 4.0)})
        sample.builder().addSample(counter, timeNs, value);
    const Trace trace = sample.build();
    EXPECT_THAT(trace.counters()[0].timesNs, ElementsAre(10, 20, 30, 30));
    EXPECT_THAT(trace.counters()[0].values, ElementsAre(2, 4, 1, 3));
    EXPECT_EQ(trace.counters()[0].track, counter);
    EXPECT_EQ(trace.span(), (Interval{10, 30}));
}

TEST(TraceBuilderTest, RebaseMovesEventsCountersAndTheEpochTogether)
{
    SampleTrace sample;
    sample.builder().metadata().startEpochNs = 1'000'000;
    const TrackId counter = sample.builder().addCounter(sample.process(), "c", CounterUnit::Count);
    sample.builder().addSample(counter, 40, 1);
    sample.host(EventKind::HostWork, 50, 60, "a");
    sample.host(EventKind::HostWork, 70, 80, "b");
    const Trace trace = sample.build(true);
    EXPECT_EQ(trace.interval(EventIndex(0)), (Interval{0, 10}));
    EXPECT_THAT(trace.counters()[0].timesNs, ElementsAre(-10));
    EXPECT_EQ(trace.metadata().startEpochNs, 1'000'050);
    EXPECT_EQ(trace.span(), (Interval{-10, 30}));
}

TEST(TraceBuilderTest, AnEpochThatOverflowsBecomesUnknown)
{
    SampleTrace sample;
    sample.builder().metadata().startEpochNs = kMax;
    sample.host(EventKind::HostWork, 50, 60, "a");
    EXPECT_EQ(sample.build(true).metadata().startEpochNs, 0);
}

TEST(TraceBuilderTest, CopiesKeepTheirFactsAndOthersHaveNone)
{
    SampleTrace sample;
    sample.kernel(0, 10);
    sample.copy(EventKind::CopyD2H, 5, 15, MemoryKind::Pinned, 77);
    sample.copy(EventKind::CopyH2D, 20, 30, MemoryKind::Pageable, 99, 3, AsyncFlag::Sync);
    const Trace trace = sample.build();
    EXPECT_EQ(trace.copy(findByStart(trace, EventKind::Kernel, 0)), nullptr);
    const CopyInfo* back = trace.copy(findByStart(trace, EventKind::CopyD2H, 5));
    const CopyInfo* to = trace.copy(findByStart(trace, EventKind::CopyH2D, 20));
    ASSERT_TRUE(back && to);
    EXPECT_EQ(back->bytes, 77);
    EXPECT_EQ(back->hostSide(EventKind::CopyD2H), MemoryKind::Pinned);
    EXPECT_EQ(to->hostSide(EventKind::CopyH2D), MemoryKind::Pageable);
    EXPECT_EQ(to->async, AsyncFlag::Sync);
    EXPECT_EQ(trace.event(findByStart(trace, EventKind::CopyH2D, 20)).copy, *to);
}

TEST(TraceBuilderTest, SiblingsFollowTheirSortOrderThenTheirCreation)
{
    TraceBuilder builder;
    const TrackId b = builder.addTrack({}, TrackKind::Process, "b", -1, 0, 2);
    const TrackId a = builder.addTrack({}, TrackKind::Process, "a", -1, 0, 1);
    const TrackId c = builder.addTrack({}, TrackKind::Process, "c", -1, 0, 2);
    builder.renameTrack(c, "c2", 0);
    const Trace trace = builder.build();
    EXPECT_THAT(std::vector<TrackId>(trace.roots().begin(), trace.roots().end()), ElementsAre(c, a, b));
    EXPECT_EQ(trace.track(c).name, "c2");
}

TEST(TraceBuilderTest, BuildLeavesTheBuilderEmptyAndUsable)
{
    TraceBuilder builder;
    for (int round = 0; round < 2; ++round) {
        Event event;
        event.track = builder.addTrack({}, TrackKind::Thread, "t");
        event.name = builder.intern("work");
        event.durationNs = 5;
        builder.addEvent(event);
        builder.addDevice({0, "first", 0, 0});
        builder.addDevice({0, "second", 0, 0});
        const Trace trace = builder.build();
        EXPECT_EQ(trace.eventCount(), 1u);
        EXPECT_EQ(trace.tracks().size(), 1u);
        EXPECT_EQ(trace.name(EventIndex(0)), "work");
        ASSERT_EQ(trace.devices().size(), 1u);
        EXPECT_EQ(trace.devices()[0].name, "second");
    }
}

TEST(TraceTest, EventsFitInFortyEightBytesEach)
{
    SampleTrace sample;
    constexpr std::int64_t kEvents = 100'000;
    for (std::int64_t i = 0; i < kEvents; ++i)
        sample.kernel(i * 10, i * 10 + 5);
    EXPECT_LE(sample.build().bytes(), static_cast<std::size_t>(kEvents * 48));
}

TEST(EventTest, EveryKindHasAName)
{
    std::set<std::string_view> names;
    for (int kind = 0; kind < kEventKindCount; ++kind)
        names.insert(kindName(static_cast<EventKind>(kind)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(kEventKindCount));
    EXPECT_EQ(kindName(static_cast<EventKind>(200)), "unknown");
    EXPECT_EQ(memoryKindName(MemoryKind::Pinned), "pinned");
    EXPECT_EQ(memoryKindName(static_cast<MemoryKind>(200)), "unknown");
}

}  // namespace
}  // namespace overlane
