#include "core/analysis/loop_levels.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "tests/support/times.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;

// What a program asks of its GPU, by names. Calls take 5 us, the host's own time between them 3 to 8.
class NestedProgram
{
public:
    explicit NestedProgram(unsigned seed = 1) : m_random(seed) { m_all.onHost = true; }

    void setStream(std::uint32_t stream) { m_stream = stream; }
    void ask(const std::string& name, RequestKind kind = RequestKind::Kernel, std::int64_t lengthNs = 5 * kUs)
    {
        const auto [known, isNew] = m_tokens.try_emplace(name, static_cast<std::uint32_t>(m_tokens.size()));
        if (isNew) {
            m_all.kinds.push_back(kind);
            m_all.names.push_back(name);
        }
        m_all.requests.push_back(
            {m_nowNs, m_nowNs + lengthNs, known->second, kind == RequestKind::Wait ? kNoStream : m_stream});
        m_nowNs += lengthNs + 3 * kUs + static_cast<std::int64_t>(m_random() % 5'000);
    }
    void copyIn(const std::string& name) { ask(name, RequestKind::CopyIn, 40 * kUs); }
    void wait() { ask("cudaStreamSynchronize", RequestKind::Wait, 30 * kUs); }
    void pause(std::int64_t ns) { m_nowNs += ns; }
    void kernels(const std::string& prefix, int count)
    {
        for (int kernel = 0; kernel < count; ++kernel)
            ask(prefix + " " + std::to_string(kernel));
    }
    // Of a network: forwards, and backwards where it learns.
    void forward(int layers)
    {
        ask("embed");
        for (int layer = 0; layer < layers; ++layer)
            kernels("layer", 10);
        ask("head");
    }
    void backward(int layers)
    {
        ask("loss");
        for (int layer = 0; layer < layers; ++layer)
            kernels("gradient", 12);
    }
    void begin() { m_beginsNs.push_back(m_nowNs); }
    const std::vector<std::int64_t>& begins() const { return m_beginsNs; }
    std::size_t random(std::size_t below) { return m_random() % below; }

    // Streams that run side by side: the order of neighbors is that of the moment.
    void shuffleNeighbors()
    {
        std::vector<GpuRequest>& requests = m_all.requests;
        for (std::size_t at = 0; at + 1 < requests.size(); at += 2)
            if (m_random() % 2 == 0)
                std::swap(requests[at].token, requests[at + 1].token);
    }
    const GpuRequests& all() const { return m_all; }
    LoopLevels levels() const { return findLoopLevels(m_all); }

private:
    std::mt19937 m_random;
    std::int64_t m_nowNs = 0;
    std::uint32_t m_stream = 7;
    std::map<std::string, std::uint32_t> m_tokens;
    GpuRequests m_all;
    std::vector<std::int64_t> m_beginsNs;
};

std::vector<std::int64_t> startsOf(const LoopLevels& found)
{
    std::vector<std::int64_t> startsNs;
    for (const Interval each : found.iterations.intervals)
        startsNs.push_back(each.startNs);
    return startsNs;
}

std::vector<std::size_t> countsOf(const LoopLevels& found)
{
    std::vector<std::size_t> counts;
    for (const LoopLevel& level : found.levels)
        counts.push_back(level.iterations);
    return counts;
}

// Both copies of a batch have one name, so neither is made once per iteration; the program waits for all in the end.
TEST(LoopLevelsTest, TheEndOfTheProgramIsNoPartOfAnIteration)
{
    NestedProgram program;
    program.kernels("weights", 9);
    for (int batch = 0; batch < 40; ++batch) {
        program.begin();
        for (int copy = 0; copy < 2; ++copy) {
            program.copyIn("fields");
            program.wait();
        }
        program.kernels("forward", 8);
        program.ask("loss", RequestKind::CopyBack);
    }
    program.ask("cudaDeviceSynchronize", RequestKind::Wait);
    EXPECT_EQ(startsOf(program.levels()), program.begins());
}

// A stack of pictures is split over four streams, all are waited for, and what came of each is looked at.
TEST(LoopLevelsTest, WorkThatIsSplitOverStreamsIsOneIteration)
{
    NestedProgram program;
    for (int stack = 0; stack < 30; ++stack) {
        program.begin();
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
            program.setStream(10 + lane);
            program.copyIn("frames");
            program.kernels("filter", 6);
            program.ask("frames", RequestKind::CopyBack);
        }
        for (int lane = 0; lane < 4; ++lane)
            program.wait();
        program.setStream(7);
        for (int lane = 0; lane < 4; ++lane)
            program.ask("sum");
    }
    EXPECT_EQ(startsOf(program.levels()), program.begins());
}

// Two buffers that are filled in turn: each batch is an iteration.
TEST(LoopLevelsTest, TwoStreamsInTurnAreNoGroup)
{
    NestedProgram program;
    for (int batch = 0; batch < 60; ++batch) {
        program.begin();
        program.setStream(10 + static_cast<std::uint32_t>(batch % 2));
        program.copyIn("batch");
        program.kernels("filter", 6);
        program.wait();
    }
    EXPECT_EQ(startsOf(program.levels()), program.begins());
}

// Twelve tokens are decoded from a cache that comes from the host and goes back to it, of another length each time.
TEST(LoopLevelsTest, ALoopThatFeedsAnotherOneWithCopiesOfManySizesIsOutermost)
{
    NestedProgram program;
    for (int turn = 0; turn < 40; ++turn) {
        program.begin();
        const std::string size = std::to_string(turn % 8);
        for (int slice = 0; slice < 6; ++slice)
            program.copyIn("cache " + size);
        program.copyIn("token");
        for (int token = 0; token < 12; ++token) {
            program.kernels("token", 5);
            for (int layer = 0; layer < 4; ++layer)
                program.kernels("layer", 8);
            program.ask("id", RequestKind::CopyBack);
        }
        for (int slice = 0; slice < 6; ++slice)
            program.ask("cache " + size + " back", RequestKind::CopyBack);
    }
    const LoopLevels found = program.levels();
    EXPECT_EQ(found.iterations.intervals.size(), 40u);
}

// A solver's sweeps are many, and what is done once for them is little: a copy in and a norm.
TEST(LoopLevelsTest, ALoopThatFeedsManySweepsIsTheOuterOne)
{
    for (const int sweeps : {6, 40, 625}) {
        NestedProgram program;
        for (int step = 0; step < 30; ++step) {
            program.begin();
            program.copyIn("right side");
            for (int sweep = 0; sweep < sweeps; ++sweep)
                program.kernels("sweep", 4);
            program.ask("norm");
            program.pause(300 * kUs);
        }
        const LoopLevels levels = program.levels();
        ASSERT_TRUE(levels.chosen) << sweeps;
        EXPECT_EQ(levels.levels[*levels.chosen].iterations, 30U) << sweeps;
    }
}

// Most of a program may be compiling, in the first iterations, too; the loop is what remains to its end.
TEST(LoopLevelsTest, ALoopOfGraphsBehindCompilationIsFound)
{
    NestedProgram program;
    program.ask("cuGraphLaunch", RequestKind::Graph);
    for (int trial = 0; trial < 6000; ++trial) {
        program.ask("trial " + std::to_string(program.random(40)), RequestKind::Kernel, 300 * kUs);
        if (trial == 5000)
            program.ask("cuGraphLaunch", RequestKind::Graph);
    }
    for (int step = 0; step < 40; ++step) {
        program.begin();
        program.copyIn("small");
        program.copyIn("small");
        program.ask("cuGraphLaunch", RequestKind::Graph, 900 * kUs);
        program.pause(3000 * kUs);
    }
    const LoopLevels levels = program.levels();
    ASSERT_TRUE(levels.chosen);
    EXPECT_NEAR(static_cast<double>(levels.levels[*levels.chosen].iterations), 41, 2);
}

TEST(LoopLevelsTest, FindsTheNestedLoopsAndTakesTheOutermost)
{
    // 24 calls of 16 tokens of 8 layers: each token of a call but the first takes the short way.
    NestedProgram program;
    for (int call = 0; call < 24; ++call) {
        program.begin();
        program.copyIn("ids");
        program.kernels("prefill", 6);
        for (int token = 0; token < 16; ++token) {
            program.kernels("token", 7);
            for (int layer = 0; layer < 8; ++layer)
                program.kernels("layer", 10);
            program.wait();
        }
        program.ask("result", RequestKind::CopyBack);
        program.pause(200 * kUs);
    }
    const LoopLevels found = program.levels();
    EXPECT_THAT(countsOf(found), ElementsAre(24, 384, 3072));
    EXPECT_EQ(found.chosen, 0u);
    EXPECT_EQ(startsOf(found), program.begins());
    EXPECT_EQ(found.iterations.beginsWith, "ids");
    EXPECT_GT(found.iterations.confidence, 0.95);
    EXPECT_GT(found.iterations.usualPauseNs, 190 * kUs);

    // Any of them may be wished for; another one is none.
    const LoopLevels tokens = findLoopLevels(program.all(), 1);
    EXPECT_EQ(tokens.chosen, 1u);
    EXPECT_EQ(tokens.iterations.intervals.size(), 384u);
    EXPECT_EQ(findLoopLevels(program.all(), 3).chosen, std::nullopt);
}

TEST(LoopLevelsTest, WeightsThatAreCopiedForEveryLayerMakeNoLayerAnIteration)
{
    NestedProgram program;
    for (int i = 0; i < 40; ++i)
        program.copyIn("weight");
    for (int forward = 0; forward < 28; ++forward) {
        program.begin();
        program.copyIn("ids");
        program.kernels("embed", 5);
        for (int layer = 0; layer < 12; ++layer) {
            for (int tensor = 0; tensor < 7; ++tensor)
                program.copyIn("weight");
            program.kernels("layer", 12);
        }
        program.kernels("sum", 2);
        program.wait();
    }
    const LoopLevels found = program.levels();
    EXPECT_EQ(startsOf(found), program.begins());
    EXPECT_THAT(countsOf(found), testing::Contains(336));
}

TEST(LoopLevelsTest, LengthsAndShapesMayVary)
{
    NestedProgram program;
    for (int call = 0; call < 30; ++call) {
        program.begin();
        program.copyIn("ids");
        program.kernels("prefill", 6);
        // Another kernel for another shape.
        program.ask("gemm of size " + std::to_string(program.random(9)));
        for (std::size_t tokens = 5 + program.random(60); tokens > 0; --tokens) {
            program.kernels("token", 5);
            program.kernels("layer", 20);
        }
        program.wait();
    }
    const LoopLevels found = program.levels();
    EXPECT_EQ(startsOf(found), program.begins());
    EXPECT_GT(found.iterations.confidence, kLeastLoopConfidence);
}

// Rows whose length divides by four take kernels with another name than others: these take turns with each other, too,
// in fewer turns than there are. The rest may all be alike, or not.
TEST(LoopLevelsTest, KernelsForSomeLengthsOnlyMakeNoLoopOfTheirOwn)
{
    for (const std::size_t otherNames : {1, 9}) {
        NestedProgram program;
        for (int question = 0; question < 48; ++question) {
            program.begin();
            program.copyIn("ids");
            program.kernels("gather", 5);
            const std::string other = "odd " + std::to_string(program.random(otherNames));
            program.kernels(program.random(5) == 0 ? other : "vectorized", 3);
            for (int layer = 0; layer < 8; ++layer)
                program.kernels("layer", 6);
            program.ask("scores", RequestKind::CopyBack, 400 * kUs);
            program.pause(2000 * kUs);
        }
        const LoopLevels found = program.levels();
        ASSERT_TRUE(found.chosen.has_value());
        EXPECT_EQ(startsOf(found), program.begins()) << otherNames;
    }
}

TEST(LoopLevelsTest, AGraphIsTheWorkOfAnIteration)
{
    NestedProgram program;
    for (int weight = 0; weight < 24; ++weight)
        program.copyIn("batch");  // of the same size
    program.forward(12);          // to warm up
    program.pause(3'000'000 * kUs);
    for (int replay = 0; replay < 68; ++replay) {
        program.begin();
        program.copyIn("batch");
        program.wait();
        program.ask("cudaGraphLaunch", RequestKind::Graph);
    }
    EXPECT_EQ(startsOf(program.levels()), program.begins());

    NestedProgram alone;
    for (int replay = 0; replay < 30; ++replay)
        alone.ask("cudaGraphLaunch", RequestKind::Graph);
    EXPECT_EQ(alone.levels().iterations.intervals.size(), 30u);
}

TEST(LoopLevelsTest, SeveralStreamsMayOvertakeEachOther)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        NestedProgram program(seed);
        for (int step = 0; step < 30; ++step) {
            program.copyIn("batch");
            program.forward(4);
            program.backward(4);
            program.kernels("optimizer", 6);
        }
        program.shuffleNeighbors();
        const LoopLevels found = program.levels();
        ASSERT_TRUE(found.chosen) << seed;
        EXPECT_THAT(found.iterations.intervals.size(), testing::AllOf(testing::Ge(29u), testing::Le(30u))) << seed;
    }
}

TEST(LoopLevelsTest, AnIterationThatAccumulatesGradientsIsOne)
{
    NestedProgram program;
    for (int step = 0; step < 20; ++step) {
        program.begin();
        for (int micro = 0; micro < 4; ++micro) {
            program.copyIn("batch");
            program.forward(6);
            program.backward(6);
        }
        program.kernels("optimizer", 9);
    }
    const LoopLevels found = program.levels();
    EXPECT_EQ(startsOf(found), program.begins());
    EXPECT_THAT(countsOf(found), ElementsAre(20, 80, 480));
}

TEST(LoopLevelsTest, ALoopThatOnlyCopiesInAndTakesResultsBackIsTheOuterOne)
{
    NestedProgram program;
    for (int frame = 0; frame < 20; ++frame) {
        program.begin();
        program.copyIn("frame");
        for (int pass = 0; pass < 3; ++pass)
            program.kernels("filter", 8);
        program.ask("result", RequestKind::CopyBack, 80 * kUs);
    }
    const LoopLevels found = program.levels();
    EXPECT_THAT(countsOf(found), ElementsAre(20, 60));
    EXPECT_EQ(found.chosen, 0u);
    EXPECT_EQ(startsOf(found), program.begins());
}

struct Evidence : LoopEvidence {
    bool works = true;
    bool trials = false;
    bool hostWorksBetween(const LoopGroups&) const override { return works; }
    bool areTrials(std::span<const Interval>) const override { return trials; }
};

// Pictures of tiles, each of which goes to the GPU and back.
NestedProgram pictures(const std::function<int(NestedProgram&)>& tiles, std::int64_t pauseNs = 6'000 * kUs,
                       int count = 20)
{
    NestedProgram program;
    for (int picture = 0; picture < count; ++picture) {
        program.begin();
        for (int tile = tiles(program); tile > 0; --tile) {
            program.copyIn("tile");
            program.kernels("layer", 12);
            program.ask("large tile", RequestKind::CopyBack, 80 * kUs);
        }
        program.pause(pauseNs);
    }
    return program;
}

TEST(LoopLevelsTest, APictureOfTilesIsAnIterationWhereTheHostWorksBehindEach)
{
    const NestedProgram program = pictures([](NestedProgram&) { return 12; });
    Evidence evidence;
    const LoopLevels found = findLoopLevels(program.all(), {}, {}, &evidence);
    EXPECT_THAT(countsOf(found), ElementsAre(20, 240));
    EXPECT_EQ(found.chosen, 0u);
    EXPECT_EQ(startsOf(found), program.begins());
    // Batches that come as a loader's workers make them, for all that the requests say.
    evidence.works = false;
    EXPECT_EQ(findLoopLevels(program.all(), {}, {}, &evidence).chosen, 1u);
    const LoopLevels offered = findLoopLevels(program.all());
    EXPECT_THAT(countsOf(offered), ElementsAre(20, 240));
    EXPECT_EQ(offered.chosen, 1u);
    EXPECT_EQ(startsOf(findLoopLevels(program.all(), 0)), program.begins());
}

TEST(LoopLevelsTest, EightPicturesAreEnough)
{
    const Evidence evidence;
    const auto levelsOf = [&](int count) {
        return countsOf(
            findLoopLevels(pictures([](NestedProgram&) { return 12; }, 6'000 * kUs, count).all(), {}, {}, &evidence));
    };
    EXPECT_THAT(levelsOf(8), ElementsAre(8, 96));
    EXPECT_THAT(levelsOf(7), ElementsAre(84));
}

TEST(LoopLevelsTest, AShortPauseOrGroupsOfDifferentSizesMakeNoLoop)
{
    const Evidence evidence;
    const NestedProgram brief = pictures([](NestedProgram&) { return 60; }, 1'300 * kUs);  // less than a tenth
    EXPECT_EQ(findLoopLevels(brief.all(), {}, {}, &evidence).iterations.intervals.size(), 1200u);
    const NestedProgram varied =
        pictures([](NestedProgram& program) { return 6 + static_cast<int>(program.random(9)); });
    EXPECT_EQ(findLoopLevels(varied.all(), {}, {}, &evidence).levels.size(), 1u);
}

TEST(LoopLevelsTest, PhasesThatTakeTurnsAreAnIteration)
{
    // Sixteen steps of an environment, then two times five batches to learn from them.
    NestedProgram program;
    for (int turn = 0; turn < 20; ++turn) {
        program.begin();
        for (int step = 0; step < 16; ++step) {
            program.copyIn("state");
            program.kernels("policy", 14);
            program.ask("action", RequestKind::CopyBack);
        }
        for (int batch = 0; batch < 10; ++batch) {
            program.copyIn("batch");
            program.kernels("forward", 10);
            program.kernels("backward", 14);
            program.ask("loss", RequestKind::CopyBack);
        }
    }
    const LoopLevels found = program.levels();
    EXPECT_EQ(found.chosen, 0u);
    EXPECT_EQ(startsOf(found), program.begins());
    EXPECT_GT(found.iterations.confidence, 0.95);
}

TEST(LoopLevelsTest, TrialsOfACompilerAreNoIterations)
{
    Evidence evidence;
    NestedProgram program;
    for (int trial = 0; trial < 30; ++trial) {
        program.kernels("trial", 5);
        program.wait();
    }
    EXPECT_EQ(findLoopLevels(program.all(), {}, {}, &evidence).chosen, 0u);
    evidence.trials = true;
    EXPECT_EQ(findLoopLevels(program.all(), {}, {}, &evidence).chosen, std::nullopt);
    EXPECT_EQ(findLoopLevels(program.all(), 0, {}, &evidence).chosen, 0u);  // wished for
}

TEST(LoopLevelsTest, AStallIsOfTheIterationAndALongPauseIsNot)
{
    for (const std::int64_t times : {8, 40}) {
        NestedProgram program;
        std::int64_t usualNs = 0;
        for (int step = 0; step < 24; ++step) {
            program.begin();
            program.copyIn("batch");
            program.forward(4);
            if (step == 10)
                usualNs = program.begins()[10] - program.begins()[9];
            if (step == 11)
                program.pause(times * usualNs);
        }
        const LoopLevels found = program.levels();
        ASSERT_EQ(found.iterations.intervals.size(), 24u);
        const Interval stalled = found.iterations.intervals[11];
        if (times == 8)
            EXPECT_EQ(stalled.endNs, program.begins()[12]);
        else
            EXPECT_LT(stalled.lengthNs(), 2 * usualNs);
    }
}

TEST(LoopLevelsTest, ALogEveryTenStepsIsNoLoopAroundThem)
{
    NestedProgram program;
    for (int step = 0; step < 60; ++step) {
        program.begin();
        program.copyIn("batch");
        program.forward(3);
        program.backward(3);
        program.kernels("optimizer", 5);
        if (step % 10 == 0) {
            program.kernels("norm", 2);
            program.ask("loss to the host", RequestKind::CopyBack);
            program.wait();
        }
    }
    EXPECT_EQ(startsOf(program.levels()), program.begins());
}

TEST(LoopLevelsTest, ValidationBetweenEpochsIsNoPartOfAnIteration)
{
    NestedProgram program;
    for (int epoch = 0; epoch < 5; ++epoch) {
        for (int step = 0; step < 30; ++step) {
            program.begin();
            program.copyIn("batch");
            program.forward(4);
            program.backward(4);
            program.kernels("optimizer", 5);
        }
        for (int batch = 0; batch < 20; ++batch) {
            program.copyIn("batch");
            program.forward(4);
            program.ask("accuracy");
        }
        program.ask("accuracy to the host", RequestKind::CopyBack);
    }
    const LoopLevels found = program.levels();
    EXPECT_EQ(startsOf(found), program.begins());
    for (const Interval each : found.iterations.intervals)
        EXPECT_LT(each.lengthNs(), 3 * found.levels[*found.chosen].medianNs);
}

TEST(LoopLevelsTest, TheFirstIterationMayBeUnlikeTheRest)
{
    // Compilation: 300 trials, and other kernels at first.
    NestedProgram program;
    program.begin();
    program.copyIn("batch");
    for (int trial = 0; trial < 300; ++trial) {
        program.ask("trial", RequestKind::Kernel);
        program.ask("redzone");
        program.wait();
        program.pause(static_cast<std::int64_t>(program.random(20)) * 1000 * kUs);
    }
    program.kernels("slow", 8);
    program.kernels("optimizer", 4);
    for (int step = 1; step < 48; ++step) {
        program.begin();
        program.copyIn("batch");
        program.kernels("fast", 8);
        program.kernels("optimizer", 4);
        program.pause(10'000 * kUs);
    }
    const LoopLevels found = program.levels();
    EXPECT_EQ(startsOf(found), program.begins());
    EXPECT_GT(found.iterations.intervals.front().lengthNs(), 100 * found.levels[*found.chosen].medianNs);
}

TEST(LoopLevelsTest, ARecordingMayBeginAndEndWithinAnIteration)
{
    NestedProgram whole;
    for (int step = 0; step < 12; ++step) {
        whole.copyIn("batch");
        whole.forward(2);
        whole.backward(2);
        whole.kernels("optimizer", 5);
    }
    GpuRequests cut = whole.all();
    cut.requests.erase(cut.requests.begin(), cut.requests.begin() + 17);
    cut.requests.resize(cut.requests.size() - 9);
    const LoopLevels found = findLoopLevels(cut);
    ASSERT_TRUE(found.chosen);
    EXPECT_THAT(found.iterations.intervals.size(), testing::AnyOf(11u, 12u));
}

TEST(LoopLevelsTest, NoneIsFoundWhereNothingRepeats)
{
    for (unsigned seed = 1; seed <= 200; ++seed) {
        NestedProgram program(seed);
        const std::size_t kinds = 5 + program.random(150);
        for (int i = 0; i < 500; ++i)
            program.ask("kernel " + std::to_string(program.random(kinds)));
        EXPECT_EQ(program.levels().chosen, std::nullopt) << seed;
    }
    NestedProgram same;
    for (int i = 0; i < 500; ++i)
        same.ask("kernel");
    EXPECT_EQ(same.levels().chosen, std::nullopt);
    NestedProgram few;
    for (int step = 0; step < 3; ++step) {
        few.forward(4);
        few.backward(4);
    }
    EXPECT_EQ(few.levels().chosen, std::nullopt);
    EXPECT_TRUE(findLoopLevels({}).levels.empty());
    // Parameters that an optimizer goes through are no iterations of the program.
    NestedProgram once;
    once.kernels("network", 400);
    for (int parameter = 0; parameter < 12; ++parameter)
        once.kernels("update", 2);
    EXPECT_EQ(once.levels().chosen, std::nullopt);
}

TEST(LoopLevelsTest, IsCancelledWithinItsWork)
{
    NestedProgram program;
    for (int step = 0; step < 200; ++step) {
        program.copyIn("batch");
        program.forward(4);
    }
    Progress progress;
    progress.cancel();
    EXPECT_THROW(findLoopLevels(program.all(), {}, WorkMeter(&progress)), WorkMeter::Cancelled);
}

}  // namespace
}  // namespace overlane
