#include "core/analysis/memory_activity.h"

#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(MemoryActivityTest, AGaugeHoldsUntilItsNextSample)
{
    const BytesOverTime gauge{{10, 20, 30}, {1, 5, 2}};
    EXPECT_EQ(gauge.at(9), 0);
    EXPECT_EQ(gauge.at(10), 1);
    EXPECT_EQ(gauge.at(29), 5);
    EXPECT_EQ(gauge.at(1000), 2);
    EXPECT_EQ(gauge.peak({0, 20}), 1);  // the range ends where 5 begins
    EXPECT_EQ(gauge.peak({25, 26}), 5);
    EXPECT_EQ(gauge.peak({30, 40}), 2);
    EXPECT_EQ(BytesOverTime().peak({0, 10}), 0);
}

TEST(MemoryActivityTest, GaugesAreFoundByNameAndUnit)
{
    TraceBuilder builder;
    builder.addSample(builder.addCounter({}, "Swap traffic", CounterUnit::BytesPerSecond), 0, 5e8);
    builder.addSample(builder.addCounter({}, "SWAP USED", CounterUnit::Bytes), 0, 3 * kMiB);
    builder.addSample(builder.addCounter({}, "Pinned memory", CounterUnit::Bytes), 0, 7 * kMiB);
    builder.addSample(builder.addCounter({}, "Swap requests", CounterUnit::Count), 0, 9);
    const MemoryActivity memory = memoryActivity(builder.build());
    EXPECT_EQ(memory.swapUsed.at(0), 3 << 20);
    EXPECT_EQ(memory.pinned.at(0), 7 << 20);
}

TEST(MemoryActivityTest, PinnedMemoryIsThatOfAllProcessesUntilEachEnds)
{
    TraceBuilder builder;
    const std::vector<std::int64_t> ends{100, 50};
    for (const std::int64_t endNs : ends) {
        const TrackId process = builder.addTrack({}, TrackKind::Process, "rank");
        const TrackId thread = builder.addTrack(process, TrackKind::Thread, "main");
        Event event;
        event.track = thread;
        event.durationNs = endNs;
        event.name = builder.intern("work");
        builder.addEvent(event);
        const TrackId gauge = builder.addCounter(process, "Pinned memory", CounterUnit::Bytes);
        builder.addSample(gauge, 10, 3 * kMiB);
        builder.addSample(gauge, 20, 4 * kMiB);
    }
    const MemoryActivity memory = memoryActivity(builder.build(false));
    EXPECT_EQ(memory.pinned.at(5), 0);
    EXPECT_EQ(memory.pinned.at(15), 6 << 20);
    EXPECT_EQ(memory.pinned.peak({0, 100}), 8 << 20);
    EXPECT_EQ(memory.pinned.at(60), 4 << 20);
}

TEST(MemoryActivityTest, WithoutATrafficGaugeTheSlopeTellsWhenPagesMove)
{
    TraceBuilder builder;
    const TrackId used = builder.addCounter({}, "Swap used", CounterUnit::Bytes);
    builder.addSample(used, 0, 0);
    builder.addSample(used, kSecond, 100 * kMiB);      // fast
    builder.addSample(used, 2 * kSecond, 100 * kMiB);  // still
    builder.addSample(used, 3 * kSecond, 101 * kMiB);  // a trickle
    builder.addSample(used, 4 * kSecond, 1 * kMiB);    // back in, fast
    const MemoryActivity memory = memoryActivity(builder.build(false));
    EXPECT_EQ(memory.swapping, IntervalSet({{0, kSecond}, {3 * kSecond, 4 * kSecond}}));
}

TEST(MemoryActivityTest, ATraceWithoutGaugesTellsNothing)
{
    const MemoryActivity memory = memoryActivity(TraceBuilder().build());
    EXPECT_TRUE(memory.swapping.empty());
    EXPECT_EQ(memory.swapUsed.at(5), 0);
}

}  // namespace
}  // namespace overlane
