// Processes of one job, each with a loader of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

constexpr int kBatchesOfRank = 30;

// Two processes whose one worker takes 20 ms for a batch; a step waits for it and then computes for 5 ms. The second
// is a tenth of a millisecond behind the first.
std::shared_ptr<const Trace> twoRanks()
{
    SampleTrace sample;
    TraceBuilder& builder = sample.builder();
    struct Rank {
        TrackId process, thread, worker;
    };
    const auto rank = [&](TrackId process, TrackId thread) {
        return Rank{process, thread, builder.addTrack(process, TrackKind::LoaderActor, "worker 0", -1, 1)};
    };
    const TrackId second = builder.addTrack({}, TrackKind::Process, "python, rank 1", -1, 200);
    const Rank ranks[] = {rank(sample.process(), sample.thread()),
                          rank(second, builder.addTrack(second, TrackKind::Thread, "main", -1, 201))};
    const TrackId steps = builder.addTrack(sample.process(), TrackKind::Annotations, "steps");
    std::uint32_t correlation = 0;
    for (int batch = 0; batch < kBatchesOfRank; ++batch)
        for (int place = 0; place < 2; ++place) {
            const std::int64_t madeNs = 20 * kNsPerMs * (batch + 1) + kNsPerUs * 100 * place;
            const auto [process, thread, worker] = ranks[place];
            sample.add(worker, EventKind::Loader, madeNs - 20 * kNsPerMs, madeNs, fmt::format("make batch {}", batch));
            sample.add(thread, EventKind::HostWork, madeNs - 14 * kNsPerMs, madeNs,
                       fmt::format("DataLoader.__next__, batch {}", batch));
            if (place == 0)
                sample.add(steps, EventKind::Step, madeNs, madeNs + 20 * kNsPerMs, fmt::format("step {}", batch));
            sample.add(thread, EventKind::RuntimeCall, madeNs, madeNs + 10 * kNsPerUs, "cudaLaunchKernel",
                       ++correlation);
            sample.kernel(madeNs + 20 * kNsPerUs, madeNs + 5 * kNsPerMs, 7 + place, correlation);
            sample.add(thread, EventKind::Sync, madeNs + 15 * kNsPerUs, madeNs + 5 * kNsPerMs, "cudaStreamSynchronize");
        }
    return std::make_shared<const Trace>(sample.build());
}

TEST(Ranks, EachHasItsOwnLoader)
{
    const Result<Replay> replay = test::builtReplay(twoRanks());
    ASSERT_TRUE(replay.ok()) << replay.error();
    EXPECT_TRUE(replay.value().report().trusted()) << replay.value().report().error();
    EXPECT_EQ(replay.value().report().stepNsMeasured, 20 * kNsPerMs);
    const Result<Prediction> more =
        replay.value().predict(std::vector<Change>{parseChange("workers=2").value()}, WithTrace::Yes);
    ASSERT_TRUE(more.ok()) << more.error();
    EXPECT_NEAR(more.value().stepNsPredicted, 10 * kNsPerMs, kNsPerMs);
    int workers = 0;
    for (const Track& track : more.value().trace->tracks())
        workers += track.kind == TrackKind::LoaderActor;
    EXPECT_EQ(workers, 4);
}

}  // namespace
}  // namespace overlane
