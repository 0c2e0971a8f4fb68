// What-if on a GPU that reads pageable memory itself: pinning is not predicted.
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

std::shared_ptr<const Trace> loopOn(const char* gpu)
{
    test::SampleTrace sample;
    sample.builder().addDevice({0, gpu, 0, 55e9});
    const TrackId steps = sample.builder().addTrack(sample.process(), TrackKind::Annotations, "steps");
    std::uint32_t id = 0;
    for (std::int64_t step = 0; step < 6; ++step) {
        const std::int64_t at = step * 1000 * kUs;
        sample.add(steps, EventKind::Step, at, at + 1000 * kUs, "step");
        sample.host(EventKind::RuntimeCall, at, at + 400 * kUs, "cudaMemcpyAsync", ++id);
        sample.copy(EventKind::CopyH2D, at + 100 * kUs, at + 400 * kUs, MemoryKind::Pageable, 10'000'000, 13,
                    AsyncFlag::Async, id);
        sample.host(EventKind::RuntimeCall, at + 500 * kUs, at + 510 * kUs, "cudaLaunchKernel", ++id);
        sample.kernel(at + 515 * kUs, at + 915 * kUs, 7, id);
    }
    return std::make_shared<const Trace>(sample.build());
}

TEST(CoherentLink, PinningIsNotPredictedThere)
{
    const auto pin = [](const char* gpu) {
        const Result<Replay> replay = test::builtReplay(loopOn(gpu));
        EXPECT_TRUE(replay.ok()) << (replay.ok() ? "" : replay.error());
        return replay.value().predict(std::vector<Change>{Change{ChangeKind::Pin}});
    };
    const Result<Prediction> coherent = pin("NVIDIA GB200");
    ASSERT_FALSE(coherent.ok());
    test::expectText(coherent.error());
    const Result<Prediction> plain = pin("NVIDIA H200");
    EXPECT_TRUE(plain.ok()) << (plain.ok() ? "" : plain.error());
}

}  // namespace
}  // namespace overlane
