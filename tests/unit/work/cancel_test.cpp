// A wish to cancel ends analysis, findings and what-if after a bounded amount of work, at whichever moment
// it comes.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

#include "core/judgement/judgement.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/support/expect_text.h"
#include "tests/unit/work/counted_blocks.h"
#include "tests/unit/work/stepped_shapes.h"

namespace overlane
{
namespace
{

using test::blocksOf;
using test::blocksSinceLast;
using test::cancelAtBlock;
using test::OddShape;
using test::steppedTrace;

constexpr std::int64_t kSize = 8'000;
// A block takes about a nanosecond: some milliseconds.
constexpr std::uint64_t kMostBlocksAfterwards = 2'500'000;
// Work that looks for no wish is seen where it is longer than both together.
constexpr std::uint64_t kBlocksBetweenCancels = 1'500'000;
constexpr std::uint64_t kLeastCancels = 4;

class Cancelling : public testing::TestWithParam<OddShape>
{
protected:
    Cancelling() : m_trace(std::make_shared<const Trace>(steppedTrace(GetParam(), kSize))) {}

    // `run` answers whether it came to its end, and the error where it did not.
    template <typename Run>
    void expectSoonOver(Run run)
    {
        Progress unhindered;
        run(unhindered);  // tables that a first run makes are not counted: the others have them
        const std::uint64_t whole = blocksOf([&] { run(unhindered); });
        const std::uint64_t cancels = std::max(kLeastCancels, whole / kBlocksBetweenCancels);
        std::uint64_t most = 0;
        for (std::uint64_t moment = 0; moment < cancels; ++moment) {
            Progress progress;
            const std::uint64_t at = 1 + whole * moment / cancels;
            cancelAtBlock(at, progress);
            const std::string error = run(progress);
            const std::uint64_t afterwards = blocksSinceLast();
            ASSERT_TRUE(progress.cancelled());
            most = std::max(most, afterwards);
            EXPECT_LE(afterwards, kMostBlocksAfterwards) << "cancelled at block " << at << " of " << whole;
            if (whole - at > kMostBlocksAfterwards) {
                EXPECT_EQ(error, Error::cancelled().message) << "cancelled at block " << at << " of " << whole;
            }
        }
        RecordProperty("most", std::to_string(most));
    }

    std::shared_ptr<const Trace> m_trace;
};

TEST_P(Cancelling, EndsAnalysisAndJudgement)
{
    expectSoonOver([&](const Progress& progress) {
        const Result<Judgement> judged = attempt("judge the trace", &progress, [&](const WorkMeter& work) {
            const Analysis analysis(*m_trace, work);
            const StepSequence steps = detectSteps(*m_trace, work);
            return judge({*m_trace, analysis, steps.steps}, {}, work);
        });
        return judged.ok() ? std::string() : judged.error();
    });
}

TEST_P(Cancelling, EndsAReplay)
{
    const Analysis analysis(*m_trace);
    expectSoonOver([&](Progress& progress) {
        const Result<Replay> replay = Replay::build(m_trace, analysis, {}, &progress);
        return replay.ok() ? std::string() : replay.error();
    });
}

TEST_P(Cancelling, EndsAPrediction)
{
    const Result<Replay> replay = test::builtReplay(m_trace);
    if (!replay.ok())
        return;  // nothing that launches
    const Change change = parseChange("drop_syncs").value();
    expectSoonOver([&](const Progress& progress) {
        const Result<Prediction> prediction = replay.value().predict({&change, 1}, WithTrace::Yes, &progress);
        return prediction.ok() ? std::string() : prediction.error();
    });
}

INSTANTIATE_TEST_SUITE_P(OddShapes, Cancelling, testing::ValuesIn(test::kOddShapes),
                         [](const testing::TestParamInfo<OddShape>& shape) { return test::oddShapeName(shape.param); });

TEST(Attempt, AnswersThatMemoryDoesNotSuffice)
{
    const Result<int> made =
        attempt("judge the trace", nullptr, [](const WorkMeter&) -> int { throw std::bad_alloc(); });
    ASSERT_FALSE(made.ok());
    test::expectText(made.error());
}

}  // namespace
}  // namespace overlane
