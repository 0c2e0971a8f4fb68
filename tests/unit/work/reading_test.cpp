// A wish to cancel ends the making of a trace and the reading of an .overlane file after a bounded amount of
// work, at whichever moment it comes.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "core/io/overlane_reader.h"
#include "core/io/overlane_save.h"
#include "core/trace/trace_builder.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/work/counted_blocks.h"

namespace overlane
{
namespace
{

constexpr std::uint64_t kMoments = 24;

// Everything in the wrong order, each call with two kernels, and samples: no part of the work is skipped.
TraceBuilder builderOfAll(std::int64_t events)
{
    TraceBuilder builder;
    const TrackId thread = builder.addTrack({}, TrackKind::Thread, "thread");
    const TrackId stream = builder.addTrack({}, TrackKind::Stream, "stream");
    const TrackId counter = builder.addCounter({}, "counter", CounterUnit::Bytes);
    std::vector<std::int64_t> order(events);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    for (const std::int64_t at : order) {
        Event event;
        event.track = at % 3 == 0 ? thread : stream;
        event.kind = at % 3 == 0 ? EventKind::RuntimeCall : EventKind::Kernel;
        event.startNs = at * 10;
        event.durationNs = 15;
        event.correlation = static_cast<std::uint32_t>(at / 3 + 1);
        builder.addEvent(event);
        builder.addSample(counter, at, 1);
    }
    return builder;
}

// `run` answers whether it was cancelled.
template <typename Run>
void expectSoonOver(std::uint64_t mostAfterwards, Run run)
{
    Progress unhindered;
    test::blocksSinceLast();
    ASSERT_FALSE(run(unhindered));
    const std::uint64_t whole = test::blocksSinceLast();
    ASSERT_GT(whole, 10 * mostAfterwards) << "too little work to be ended early";
    for (std::uint64_t moment = 0; moment < kMoments; ++moment) {
        Progress progress;
        const std::uint64_t at = 1 + whole * moment / kMoments;
        test::cancelAtBlock(at, progress);
        const bool cancelled = run(progress);
        const std::uint64_t afterwards = test::blocksSinceLast();
        ASSERT_TRUE(progress.cancelled());
        EXPECT_LE(afterwards, mostAfterwards) << "cancelled at block " << at << " of " << whole;
        if (whole - at > mostAfterwards) {
            EXPECT_TRUE(cancelled) << "cancelled at block " << at << " of " << whole;
        }
    }
}

TEST(CancelledReading, EndsTheMakingOfATrace)
{
    constexpr std::uint64_t kMostAfterwards = 100'000;
    constexpr std::int64_t kEvents = 50'000;
    TraceBuilder builder;
    builder = builderOfAll(kEvents);
    Progress unhindered;
    const std::uint64_t whole = test::blocksOf([&] { (void)builder.build(true, &unhindered); });
    ASSERT_GT(whole, 10 * kMostAfterwards);
    for (std::uint64_t moment = 0; moment < kMoments; ++moment) {
        builder = builderOfAll(kEvents);
        Progress progress;
        const std::uint64_t at = 1 + whole * moment / kMoments;
        test::cancelAtBlock(at, progress);
        const bool empty = builder.build(true, &progress).eventCount() == 0;
        ASSERT_TRUE(progress.cancelled());
        EXPECT_LE(test::blocksSinceLast(), kMostAfterwards) << "cancelled at block " << at << " of " << whole;
        EXPECT_TRUE(empty || whole - at < kMostAfterwards);
    }
}

TEST(CancelledReading, EndsTheReadingOfAnOverlaneFile)
{
    const test::TempDir folder;
    const std::string file = folder.path("many.overlane");
    Progress progress;
    ASSERT_TRUE(saveOverlane(builderOfAll(150'000).build(), file, progress).ok());
    // Between two looks a column of 65,536 values is unpacked.
    constexpr std::uint64_t kMostAfterwards = 2'000'000;
    expectSoonOver(kMostAfterwards, [&](Progress& watched) {
        const Result<Trace> trace = readOverlane(file, watched);
        EXPECT_TRUE(trace.ok() || trace.isCancelled()) << trace.error();
        return !trace.ok();
    });
}

}  // namespace
}  // namespace overlane
