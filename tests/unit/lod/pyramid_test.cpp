#include "core/lod/pyramid.h"

#include <gtest/gtest.h>

#include "tests/unit/lod/random_trace.h"

namespace overlane
{

namespace
{

Pyramid::Summary naive(const Trace& trace, EventRange range)
{
    Pyramid::Summary sum;
    std::int64_t longestNs = -1;
    for (std::uint32_t i = range.first; i < range.last; ++i) {
        const std::int64_t ns = trace.columns().durationNs[i];
        sum.busyNs += ns;
        if (ns > longestNs) {
            longestNs = ns;
            sum.longest = EventIndex(i);
        }
    }
    return sum;
}

}  // namespace

TEST(Pyramid, AgreesWithAScanOnEveryKindOfRange)
{
    for (const int events : {1, 15, 16, 17, 255, 256, 257, 5000}) {
        const Trace trace = randomTrace(static_cast<std::uint32_t>(events), {1, events, 1'000'000, 10});
        const Pyramid pyramid(trace);
        std::mt19937 random(7);
        const auto count = static_cast<std::uint32_t>(trace.eventCount());
        for (int i = 0; i < 2000; ++i) {
            const auto a = static_cast<std::uint32_t>(random() % (count + 1));
            const auto b = static_cast<std::uint32_t>(random() % (count + 1));
            const EventRange range{std::min(a, b), std::max(a, b)};
            const auto expected = naive(trace, range);
            const auto actual = pyramid.summary(range);
            ASSERT_EQ(actual.busyNs, expected.busyNs) << range.first << " " << range.last << " of " << count;
            ASSERT_EQ(actual.longest, expected.longest) << range.first << " " << range.last << " of " << count;
        }
    }
}

TEST(Pyramid, AnswersNothingForNoEvents)
{
    const Trace trace = TraceBuilder().build();
    const Pyramid pyramid(trace);
    EXPECT_EQ(pyramid.summary({0, 0}).busyNs, 0);
    EXPECT_FALSE(pyramid.summary({0, 0}).longest.valid());
    EXPECT_FALSE(pyramid.has(EventKind::HostWork));
    EXPECT_EQ(pyramid.memory(), 0);
}

TEST(Pyramid, KnowsTheKindsAndTheMemoryOfAllEvents)
{
    TraceBuilder builder;
    const TrackId track = builder.addTrack({}, TrackKind::Stream, "stream 7", 0);
    std::int64_t startNs = 0;
    const auto add = [&](EventKind kind, std::optional<MemoryKind> host) {
        Event event;
        event.track = track;
        event.startNs = startNs += 10;
        event.durationNs = 5;
        event.kind = kind;
        if (host)
            event.copy = CopyInfo{1, *host, MemoryKind::Device, AsyncFlag::Async};
        builder.addEvent(event);
    };
    add(EventKind::Kernel, {});
    add(EventKind::CopyH2D, MemoryKind::Pageable);
    add(EventKind::ProgramFrame, {});
    add(EventKind::CopyH2D, MemoryKind::Managed);
    const Trace trace = builder.build();
    const Pyramid pyramid(trace);
    for (int i = 0; i < kEventKindCount; ++i) {
        const auto kind = static_cast<EventKind>(i);
        const bool there = kind == EventKind::Kernel || kind == EventKind::CopyH2D || kind == EventKind::ProgramFrame;
        EXPECT_EQ(pyramid.has(kind), there) << i;
    }
    EXPECT_EQ(pyramid.memory(), kPageableMemory | kManagedMemory);
}

TEST(Pyramid, FindsTheFirstEventFromATimeInAnyPartOfARow)
{
    std::mt19937 random(41);
    for (const int events : {1, 15, 16, 17, 40, 700}) {
        const Trace trace = randomTrace(static_cast<std::uint32_t>(events), {3, events, 40, 30});
        const Pyramid pyramid(trace);
        const auto& starts = trace.columns().startNs;
        const std::int64_t lengthNs = trace.span().lengthNs();
        for (int i = 0; i < 3000; ++i) {
            const EventRange row = trace.tracks()[random() % 3].rows[0];
            const std::uint32_t first = row.first + static_cast<std::uint32_t>(random() % (row.size() + 1));
            const std::uint32_t last = first + static_cast<std::uint32_t>(random() % (row.last - first + 1));
            const auto timeNs = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(lengthNs + 40)) - 20;
            std::uint32_t expected = first;
            while (expected < last && starts[expected] < timeNs)
                ++expected;
            ASSERT_EQ(pyramid.firstFrom(first, last, timeNs), expected) << first << " " << last << " " << timeNs;
        }
    }
}

TEST(Pyramid, TakesLessThanTwoAndAHalfBytesPerEvent)
{
    const Trace trace = randomTrace(1, {1, 20'000, 100, 100});
    EXPECT_LT(2 * Pyramid(trace).bytes(), 5 * trace.eventCount());
}

}  // namespace overlane
