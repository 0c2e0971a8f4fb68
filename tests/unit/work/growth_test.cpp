// What analysis, findings, what-if and a comparison cost grows with a trace, not with its square, whatever it has many
// of.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

#include "core/compare/comparison.h"
#include "core/findings/rule.h"
#include "core/judgement/judgement.h"
#include "core/replay/replay.h"
#include "tests/support/built_replay.h"
#include "tests/unit/work/counted_blocks.h"
#include "tests/unit/work/stepped_shapes.h"

namespace overlane
{
namespace
{

using test::blocksOf;
using test::OddShape;
using test::steppedTrace;

constexpr std::int64_t kSmallSize = 2'000;
constexpr std::int64_t kTimes = 4;
// Sorting four times as much costs five times as much; a square would be sixteen times as much.
constexpr double kMostGrowth = 6;
// A small trace costs something in any case.
constexpr double kAnyTrace = 1e6;

class Growth : public testing::TestWithParam<OddShape>
{
protected:
    template <typename Run>
    static void expectLinear(Run run, double mostGrowth = kMostGrowth)
    {
        const std::shared_ptr<const Trace> small = std::make_shared<const Trace>(steppedTrace(GetParam(), kSmallSize));
        const std::shared_ptr<const Trace> large =
            std::make_shared<const Trace>(steppedTrace(GetParam(), kSmallSize * kTimes));
        const auto blocks = static_cast<double>(blocksOf([&] { run(small); }));
        const auto more = static_cast<double>(blocksOf([&] { run(large); }));
        EXPECT_GT(blocks, 0);
        EXPECT_LE(more, mostGrowth * std::max(blocks, kAnyTrace))
            << blocks << " blocks for " << small->eventCount() << " events, " << more << " for " << large->eventCount();
        RecordProperty("blocks", std::to_string(static_cast<std::uint64_t>(blocks)));
        RecordProperty("times", std::to_string(more / blocks));
    }
};

TEST_P(Growth, OfAnalysisIsLinear)
{
    expectLinear([](const std::shared_ptr<const Trace>& trace) { const Analysis analysis(*trace); });
}

TEST_P(Growth, OfAJudgementIsLinear)
{
    expectLinear([](const std::shared_ptr<const Trace>& trace) {
        const Analysis analysis(*trace);
        const std::vector<Step> steps = findSteps(*trace);
        const Judgement judged = judge({*trace, analysis, steps});
        EXPECT_FALSE(judged.verdict.sentence.empty());
        EXPECT_LE(judged.findings.findings.size(), allRules().size());
    });
}

TEST_P(Growth, OfAReplayAndAPredictionIsLinear)
{
    expectLinear([](const std::shared_ptr<const Trace>& trace) {
        const Result<Replay> replay = test::builtReplay(trace);
        if (!replay.ok())
            return;  // nothing that launches
        const Change dropSyncs = parseChange("drop_syncs").value();
        const Change sideStream = parseChange("side_stream").value();
        for (const Change& change : {dropSyncs, sideStream}) {
            const Result<Prediction> prediction = replay.value().predict({&change, 1}, WithTrace::No);
            EXPECT_TRUE(prediction.ok()) << prediction.error();
        }
    });
}

TEST_P(Growth, OfAComparisonIsLinear)
{
    // The mixture has more steps and more devices, of which kMostDevices are judged; each step is summed for each.
    const double mostGrowth = GetParam() == OddShape::Mixture ? kTimes * kMostGrowth : kMostGrowth;
    expectLinear(
        [](const std::shared_ptr<const Trace>& trace) {
            const Analysis analysis(*trace);
            const StepSequence steps = detectSteps(*trace);
            const CompareSide side{trace.get(), &analysis, &steps};
            const Result<Comparison> compared = compare(side, side);
            ASSERT_TRUE(compared.ok()) << compared.error();
            EXPECT_EQ(compared.value().devices.size(), analysis.devices().size());
        },
        mostGrowth);
}

INSTANTIATE_TEST_SUITE_P(OddShapes, Growth, testing::ValuesIn(test::kOddShapes),
                         [](const testing::TestParamInfo<OddShape>& shape) { return test::oddShapeName(shape.param); });

}  // namespace
}  // namespace overlane
