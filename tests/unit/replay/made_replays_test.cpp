// What-if of programs that are put together by hand, whose changed times follow from how they are made.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

#include "core/analysis/active_range.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/expect_text.h"
#include "tests/support/made_program.h"

namespace overlane
{
namespace
{

using test::expectText;
using test::MadeProgram;

Replay replayOf(MadeProgram made, ReplayOptions options = {})
{
    return test::builtReplay(std::make_shared<const Trace>(made.build()), options).value();
}

bool pins(const Prediction& prediction)
{
    return std::any_of(prediction.changes.begin(), prediction.changes.end(),
                       [](const Change& change) { return change.kind == ChangeKind::Pin; });
}

TEST(MadeReplays, PackingACopyCostsWhatItsOwnBytesTake)
{
    const Replay replay = replayOf(test::madeParticles(200));
    const Prediction merged = replay.predict(std::vector<Change>{{ChangeKind::MergeSmall}}).value();
    // 200 copies take 1.04 ms to issue; 400 KiB take 41 us to pack.
    EXPECT_GT(replay.report().stepNsMeasured, 1'400 * kUs);
    EXPECT_LT(merged.stepNsPredicted, 550 * kUs);
    EXPECT_GT(merged.stepNsPredicted, 440 * kUs);
}

TEST(MadeReplays, ARangeBeginsWithTheCallThatAskedForItsWork)
{
    MadeProgram made("python3 once.py", "python3");
    MadeProgram::Stream stream;
    made.copy(EventKind::CopyH2D, 64 * kMiB, MemoryKind::Pageable, stream);
    for (int kernel = 0; kernel < 20; ++kernel)
        made.launch(stream, kMs, "kernel");
    made.synchronize(stream);
    const auto trace = std::make_shared<const Trace>(made.build());
    const Analysis analysis(*trace);
    ReplayOptions options;
    options.range = activeRange(analysis, analysis.steps().steps).range;
    const Replay replay = Replay::build(trace, analysis, options).value();
    EXPECT_TRUE(replay.report().wholeRange);
    EXPECT_NEAR(static_cast<double>(replay.report().stepNsMeasured), static_cast<double>(options.range->lengthNs()),
                static_cast<double>(10 * kUs));
}

TEST(MadeReplays, WhatIsPinnedIsNotToBePinned)
{
    MadeProgram made("./fft", "fft");
    MadeProgram::Stream stream;
    for (int step = 0; step < 40; ++step) {
        made.copy(EventKind::CopyH2D, 64 * kMiB, MemoryKind::Pinned, stream, true);
        made.launch(stream, 2 * kMs, "fft(float2*)");
        made.copy(EventKind::CopyD2H, 64 * kMiB, MemoryKind::Pinned, stream, true);
    }
    const std::vector<Prediction> suggestions = replayOf(std::move(made)).suggestions().value();
    EXPECT_FALSE(suggestions.empty());
    EXPECT_TRUE(std::none_of(suggestions.begin(), suggestions.end(), pins));
}

// Results come to pageable memory; what goes to the device does not matter.
TEST(MadeReplays, PinningIsOfWhatIsPageable)
{
    MadeProgram made("./segment", "segment");
    MadeProgram::Stream stream;
    for (int step = 0; step < 40; ++step) {
        made.copy(EventKind::CopyH2D, 8 * kMiB, MemoryKind::Pinned, stream);
        made.launch(stream, 2 * kMs, "segment(float*)");
        made.copy(EventKind::CopyD2H, 64 * kMiB, MemoryKind::Pageable, stream);
    }
    const Prediction pinned =
        replayOf(std::move(made)).predict(std::vector<Change>{{ChangeKind::Pin}, {ChangeKind::Link, 0, 50e9}}).value();
    std::vector<std::string> texts{pinned.action};
    texts.insert(texts.end(), pinned.advice.begin(), pinned.advice.end());
    expectText(texts);
}

TEST(MadeReplays, PausesBetweenStepsAreNamedWhereTheReplayHoldsThem)
{
    MadeProgram made("python3 train.py", "python3");
    MadeProgram::Stream stream;
    for (int step = 0; step < 80; ++step) {
        made.copy(EventKind::CopyH2D, 8 * kMiB, MemoryKind::Pinned, stream);
        for (int kernel = 0; kernel < 10; ++kernel)
            made.launch(stream, kMs, "kernel");
        made.synchronize(stream);
        if (step % 20 == 19)
            made.hostFor(400 * kMs);
    }
    ReplayOptions options;
    options.averageStepNs = 10'200 * kUs;
    expectText(replayOf(std::move(made), options).report().differenceSentence());
}

TEST(MadeReplays, NothingMakesPacedStepsShorter)
{
    MadeProgram made("./renderer", "renderer");
    MadeProgram::Stream stream;
    std::int64_t frameNs = made.nowNs();
    for (int frame = 0; frame < 60; ++frame) {
        made.launch(stream, 5 * kMs + std::int64_t{200} * (frame % 7) * kUs, "shade(Params)");
        made.copy(EventKind::CopyD2H, 8 * kMiB, MemoryKind::Pinned, stream);
        made.synchronize(stream);
        frameNs += 16'667 * kUs;
        made.waitUntil(frameNs);
    }
    const Replay replay = replayOf(std::move(made));
    EXPECT_TRUE(replay.report().paced);
    EXPECT_TRUE(replay.suggestions().value().empty());
}

}  // namespace
}  // namespace overlane
