// Results that the host reads an iteration later.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

// Steps of 13 ms: a kernel of 5 ms, a copy of 2 ms back, both waited for, and 6 ms of the host with what came.
std::shared_ptr<const Trace> resultsAtOnce(MemoryKind memory, std::int64_t bytes)
{
    SampleTrace sample;
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    std::uint32_t correlation = 0;
    for (std::int64_t step = 0; step < 12; ++step) {
        const std::int64_t at = 13 * kMs * step;
        sample.add(steps, EventKind::Step, at, at + 13 * kMs, fmt::format("step {}", step));
        sample.host(EventKind::RuntimeCall, at, at + 10 * kUs, "cudaLaunchKernel", ++correlation);
        sample.kernel(at + 15 * kUs, at + 5 * kMs, 7, correlation);
        sample.host(EventKind::RuntimeCall, at + 20 * kUs, at + 30 * kUs, "cudaMemcpyAsync", ++correlation);
        sample.copy(EventKind::CopyD2H, at + 5 * kMs, at + 7 * kMs, memory, bytes, 7, AsyncFlag::Async, correlation);
        sample.host(EventKind::RuntimeCall, at + 40 * kUs, at + 7 * kMs, "cudaStreamSynchronize");
    }
    return std::make_shared<const Trace>(sample.build());
}

Prediction readLater(std::shared_ptr<const Trace> trace)
{
    const Result<Replay> replay = test::builtReplay(std::move(trace));
    EXPECT_TRUE(replay.ok()) << replay.error();
    const Result<Prediction> made = replay.value().predict(std::vector<Change>{parseChange("read_later").value()});
    EXPECT_TRUE(made.ok()) << made.error();
    return made.value();
}

TEST(ReadLater, TheHostReadsWhileTheGpuComputes)
{
    const Prediction later = readLater(resultsAtOnce(MemoryKind::Pinned, 64 << 20));
    EXPECT_EQ(later.stepNsReplayed, 13 * kNsPerMs);
    EXPECT_NEAR(later.stepNsPredicted, 7 * kNsPerMs, kNsPerMs / 10.0) << "the GPU's kernel and copy";
    EXPECT_EQ(later.direction(), Direction::Faster);
    test::expectText(later.notes);
}

TEST(ReadLater, AValueAndPageableMemoryAreAwaited)
{
    for (const auto& trace : {resultsAtOnce(MemoryKind::Pinned, 4), resultsAtOnce(MemoryKind::Pageable, 64 << 20)}) {
        const Prediction later = readLater(trace);
        EXPECT_EQ(later.stepNsPredicted, later.stepNsReplayed);
        EXPECT_EQ(later.needless.size(), 1U);
    }
}

}  // namespace
}  // namespace overlane
