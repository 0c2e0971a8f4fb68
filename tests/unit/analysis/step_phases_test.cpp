#include "core/analysis/step_phases.h"

#include <gtest/gtest.h>
#include <string>

#include "tests/support/sample_traces.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

// A program whose loaders mark each batch that is taken.
class Loop
{
public:
    void copyIn()
    {
        ++m_id;
        m_sample.host(EventKind::RuntimeCall, m_nowNs, m_nowNs + 5, "cudaMemcpyAsync", m_id);
        m_sample.copy(EventKind::CopyH2D, m_nowNs + 5, m_nowNs + 10, MemoryKind::Pinned, 1000, 7, AsyncFlag::Async,
                      m_id);
        m_nowNs += 20;
    }
    void launch(int kernels)
    {
        for (int kernel = 0; kernel < kernels; ++kernel, m_nowNs += 10) {
            m_sample.host(EventKind::RuntimeCall, m_nowNs, m_nowNs + 5, "cudaLaunchKernel", ++m_id);
            m_sample.kernel(m_nowNs + 5, m_nowNs + 10, 7, m_id);
        }
    }
    void rest() { m_nowNs += 50; }
    void newLoader()
    {
        m_loader = m_sample.builder().addTrack(m_sample.process(), TrackKind::Thread, "steps", -1, ++m_loaders);
        m_batches = 0;
    }
    // A mark around what is asked for.
    template <typename Ask>
    void batch(Ask ask)
    {
        const std::int64_t startNs = m_nowNs;
        ask();
        m_sample.add(m_loader, EventKind::Step, startNs, m_nowNs, "step " + std::to_string(m_batches++));
    }
    Trace build() { return m_sample.build(); }

private:
    SampleTrace m_sample;
    TrackId m_loader;
    std::int64_t m_nowNs = 0;
    std::uint32_t m_id = 0;
    int m_loaders = 200;
    int m_batches = 0;
};

TEST(StepPhasesTest, BatchesTakenTogetherAreOneIteration)
{
    Loop loop;
    loop.newLoader();
    for (int step = 0; step < 12; ++step) {
        for (int early = 0; early < 2; ++early)
            loop.batch([&] { loop.copyIn(); });
        loop.batch([&] {
            loop.copyIn();
            loop.launch(60);
        });
    }
    const StepSequence found = detectSteps(loop.build());
    ASSERT_EQ(found.steps.size(), 12u);
    EXPECT_EQ(found.statistics.medianNs, 660);
    EXPECT_EQ(found.steps[5].number, 5);
    EXPECT_EQ(found.steps[5].interval.lengthNs(), 660);
}

TEST(StepPhasesTest, ABatchTakenAheadNowAndThenIsNotTakenTogether)
{
    Loop loop;
    loop.newLoader();
    for (int step = 0; step < 3; ++step)
        loop.batch([&] { loop.copyIn(); });  // a prefetcher fills
    for (int step = 0; step < 20; ++step)
        loop.batch([&] {
            loop.copyIn();
            loop.launch(60);
        });
    EXPECT_EQ(detectSteps(loop.build()).steps.size(), 23u);
}

TEST(StepPhasesTest, LoadersMadeForEachEpochAreOneLoopAndValidationsAnother)
{
    Loop loop;
    for (int epoch = 0; epoch < 3; ++epoch) {
        loop.newLoader();
        for (int step = 0; step < 10; ++step)
            loop.batch([&] {
                loop.copyIn();
                loop.launch(58 + (step + epoch) % 5);  // shapes vary
            });
        loop.newLoader();
        for (int step = 0; step < 4; ++step)
            loop.batch([&] {
                loop.copyIn();
                loop.launch(20);
            });
    }
    const Trace trace = loop.build();
    const StepSequence found = detectSteps(trace);
    ASSERT_EQ(found.steps.size(), 30u);
    EXPECT_EQ(found.statistics.medianNs, 620);
    EXPECT_EQ(found.statistics.maxNs, 640);  // no validation in any
    const std::vector<IterationLevel> levels = iterationLevels(trace);
    ASSERT_GE(levels.size(), 2u);
    EXPECT_EQ(levels[0].count, 30);
    EXPECT_EQ(levels[1].count, 12);
}

TEST(StepPhasesTest, LoadersSideBySideStayApart)
{
    Loop loop;
    for (int loader = 0; loader < 2; ++loader) {
        loop.newLoader();
        for (int step = 0; step < 10; ++step)
            loop.batch([&] { loop.launch(20); });
    }
    SampleTrace both;
    // The same times on two tracks: two ranks.
    const TrackId first = both.builder().addTrack(both.process(), TrackKind::Thread, "steps", -1, 300);
    const TrackId second = both.builder().addTrack(both.process(), TrackKind::Thread, "steps", -1, 301);
    for (std::int64_t step = 0; step < 10; ++step) {
        both.host(EventKind::RuntimeCall, step * 100, step * 100 + 5, "cudaLaunchKernel",
                  static_cast<std::uint32_t>(step + 1));
        both.kernel(step * 100 + 5, step * 100 + 90, 7, static_cast<std::uint32_t>(step + 1));
        both.add(first, EventKind::Step, step * 100, step * 100 + 100, "step");
        both.add(second, EventKind::Step, step * 100 + 1, step * 100 + 100, "step");
    }
    EXPECT_EQ(detectSteps(loop.build()).steps.size(), 20u);
    EXPECT_EQ(detectSteps(both.build()).steps.size(), 10u);
}

void twelveBatches(Loop& loop)
{
    loop.newLoader();
    for (int step = 0; step < 12; ++step)
        loop.batch([&] {
            loop.copyIn();
            loop.launch(40);
        });
}

TEST(StepPhasesTest, TheLastBatchIsAnIterationThoughNoOtherOneMarksItsEnd)
{
    for (const int behind : {40, 12}) {
        Loop loop;
        twelveBatches(loop);
        loop.copyIn();
        loop.launch(behind);
        const StepSequence found = detectSteps(loop.build());
        ASSERT_EQ(found.steps.size(), behind == 40 ? 13u : 12u);
        EXPECT_EQ(found.steps.back().number, behind == 40 ? 12 : 11);
        EXPECT_EQ(found.steps.back().name, behind == 40 ? "step 12" : "step 11");
    }
}

TEST(StepPhasesTest, TheLastBatchAsksForNineTenthsOfWhatTheOneBeforeAskedFor)
{
    for (const int same : {36, 35}) {
        Loop loop;
        twelveBatches(loop);
        loop.copyIn();
        loop.launch(same);
        for (int other = same; other < 40; ++other)
            loop.copyIn();
        EXPECT_EQ(detectSteps(loop.build()).steps.size(), same == 36 ? 13u : 12u) << same;
    }
}

TEST(StepPhasesTest, LoadersThatAskForNothingAreNoEpochsOfOneLoop)
{
    Loop loop;
    for (int epoch = 0; epoch < 2; ++epoch) {
        loop.newLoader();
        for (int step = 0; step < 6; ++step)
            loop.batch([&] { loop.rest(); });
    }
    loop.launch(5);
    EXPECT_EQ(iterationMarks(loop.build()).size(), 2u);
}

TEST(StepPhasesTest, TheLastIterationEndsBeforeWhatTheProgramDoesAtItsEnd)
{
    Loop loop;
    loop.newLoader();
    for (int step = 0; step < 12; ++step)
        loop.batch([&] {
            loop.copyIn();
            loop.launch(40);
            if (step == 11)
                loop.launch(70);  // to validate and to save
        });
    const StepSequence found = detectSteps(loop.build());
    ASSERT_EQ(found.steps.size(), 12u);
    EXPECT_LT(found.steps.back().timeNs, found.statistics.medianNs + 20);
}

}  // namespace
}  // namespace overlane
