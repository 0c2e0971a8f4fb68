#include <gtest/gtest.h>
#include <random>

#include "core/analysis/loop_levels.h"
#include "core/analysis/steps.h"
#include "core/analysis/timed_steps.h"
#include "core/analysis/verdict.h"
#include "core/devices/device_profile.h"
#include "core/loader/run.h"
#include "tests/support/expect_text.h"
#include "tests/support/sample_traces.h"
#include "tests/support/times.h"

namespace overlane
{
namespace
{

using test::SampleTrace;

// A network: two copies, `layers` layers of two kernels forwards and two backwards, an optimizer
// kernel; every `logged` steps one kernel more. Times vary by a tenth.
class Network
{
public:
    explicit Network(unsigned seed) : m_random(seed) {}

    // The starts of the steps.
    std::vector<std::int64_t> train(int steps, int layers, int logged = 0)
    {
        std::vector<std::int64_t> startsNs;
        for (int step = 0; step < steps; ++step) {
            m_nowNs += 400 * kUs;
            startsNs.push_back(m_nowNs);
            for (int tensor = 0; tensor < 2; ++tensor) {
                m_sample.copy(EventKind::CopyH2D, m_nowNs, m_nowNs + 50 * kUs, MemoryKind::Pinned);
                m_nowNs += 52 * kUs;
            }
            work("embedding");
            for (int layer = 0; layer < layers; ++layer) {
                work("gemm forward");
                work("relu");
            }
            work("loss");
            for (int layer = 0; layer < layers; ++layer) {
                work("relu backward");
                work("gemm backward");
            }
            if (logged > 0 && step % logged == 0)
                work("norm for the log");
            work("optimizer");
        }
        return startsNs;
    }
    void work(const std::string& name)
    {
        const std::int64_t lengthNs = 9 * kUs + static_cast<std::int64_t>(m_random() % 2000);
        m_sample.add(m_sample.stream(TrackKind::EngineCompute, 7), EventKind::Kernel, m_nowNs, m_nowNs + lengthNs,
                     name);
        m_nowNs += lengthNs + kUs;
    }
    void pause(std::int64_t ns) { m_nowNs += ns; }
    SampleTrace& sample() { return m_sample; }

private:
    std::mt19937 m_random;
    SampleTrace m_sample;
    std::int64_t m_nowNs = 0;
};

std::vector<std::int64_t> startsOf(const std::vector<Step>& steps)
{
    std::vector<std::int64_t> startsNs;
    startsNs.reserve(steps.size());
    for (const Step& step : steps)
        startsNs.push_back(step.interval.startNs);
    return startsNs;
}

TEST(DetectedStepsTest, FindsTheStepsOfANetworkWhateverItsDepth)
{
    for (const int layers : {1, 3, 12, 48})
        for (const int logged : {0, 5}) {
            Network network(static_cast<unsigned>(layers));
            const std::vector<std::int64_t> startsNs = network.train(20, layers, logged);
            const StepSequence found = detectSteps(network.sample().build());
            EXPECT_EQ(found.origin, StepOrigin::Pattern) << layers;
            EXPECT_EQ(startsOf(found.steps), startsNs) << layers << " layers, logged " << logged;
            EXPECT_GT(found.confidence, 0.9);
            EXPECT_EQ(found.statistics.outliers, 0);
        }
}

TEST(DetectedStepsTest, WhatRunsBeforeAndAfterIsNoStep)
{
    Network network(5);
    for (int i = 0; i < 60; ++i)
        network.work("initialise " + std::to_string(i % 7));
    network.pause(5'000 * kUs);
    const std::vector<std::int64_t> startsNs = network.train(30, 4);
    network.pause(50'000 * kUs);
    for (int i = 0; i < 40; ++i)
        network.work("evaluate");
    const StepSequence found = detectSteps(network.sample().build());
    EXPECT_EQ(startsOf(found.steps), startsNs);
    EXPECT_GT(found.confidence, kLeastLoopConfidence);
    EXPECT_LT(found.steps.back().interval.lengthNs(), 3 * found.statistics.medianNs);
}

TEST(DetectedStepsTest, NoPatternInRandomWorkInOneKernelOverAndOverOrInAFewSteps)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        Network network(seed);
        for (int i = 0; i < 500; ++i)
            network.work("kernel " + std::to_string(random() % 40));
        EXPECT_EQ(detectSteps(network.sample().build()).origin, StepOrigin::None) << seed;
    }
    Network same(1);
    for (int i = 0; i < 500; ++i)
        same.work("kernel");
    EXPECT_EQ(detectSteps(same.sample().build()).origin, StepOrigin::None);
    Network few(1);
    few.train(3, 4);
    EXPECT_EQ(detectSteps(few.sample().build()).origin, StepOrigin::None);
}

TEST(DetectedStepsTest, AVerdictOfTheWholeIsOfTheStepsAndNamesWhatIsLeftOut)
{
    Network network(2);
    network.sample().host(EventKind::HostWork, 0, 90'000 * kUs, "import torch");
    network.pause(100'000 * kUs);
    const std::vector<std::int64_t> startsNs = network.train(10, 4);
    const Trace trace = network.sample().build();
    const Analysis analysis(trace);
    const StepSequence steps = detectSteps(trace);
    const ActiveRange active = activeRange(analysis, steps.steps);
    EXPECT_TRUE(active.bySteps);
    EXPECT_EQ(active.range.startNs, startsNs.front());
    EXPECT_EQ(active.beforeNs, startsNs.front());
    const Verdict found = verdictOfTrace(analysis, steps.steps);
    EXPECT_EQ(found.range, active.range);
    EXPECT_NE(found.mainLoss, LostCause::Ends);
    test::expectText(found.sentence);
    // Without steps it is the span of the GPU's work.
    EXPECT_EQ(activeRange(analysis, {}).range, analysis.devices().front().busy.span());
    EXPECT_FALSE(activeRange(analysis, {}).bySteps);
}

TEST(DetectedStepsTest, WorkThatTheLastStepAskedForIsJudgedWithIt)
{
    SampleTrace sample;
    // The host is done with its steps somewhat before the device.
    for (std::int64_t step = 0; step < 5; ++step) {
        const auto id = static_cast<std::uint32_t>(step + 1);
        sample.host(EventKind::Step, step * 100, step * 100 + 100, "ProfilerStep#" + std::to_string(step));
        sample.host(EventKind::RuntimeCall, step * 100, step * 100 + 5, "cudaLaunchKernel", id);
        sample.kernel(40 + step * 100, 130 + step * 100, 7, id);
    }
    sample.host(EventKind::RuntimeCall, 700, 705, "cudaLaunchKernel", 9);
    sample.kernel(800, 900, 7, 9);
    const Trace trace = sample.build();
    const Analysis analysis(trace);
    EXPECT_EQ(activeRange(analysis, timedSteps(trace, analysis).steps).range, (Interval{0, 530}));
}

// 36 layers of one forward pass that nothing waits for: the host issues one each 10, the device needs 60.
TEST(DetectedStepsTest, StepsThatTheHostOnlyIssuesTakeWhatTheDeviceNeeds)
{
    SampleTrace sample;
    for (std::int64_t step = 0; step < 36; ++step) {
        const auto id = static_cast<std::uint32_t>(step + 1);
        sample.host(EventKind::Step, step * 10, step * 10 + 10, "ProfilerStep#" + std::to_string(step));
        sample.host(EventKind::RuntimeCall, step * 10, step * 10 + 5, "cudaLaunchKernel", id);
        sample.kernel(100 + step * 60, 155 + step * 60, 7, id);
    }
    const Trace trace = sample.build();
    const Analysis analysis(trace);
    EXPECT_TRUE(analysis.steps().onHost);
    const StepSequence found = timedSteps(trace, analysis);
    EXPECT_FALSE(found.onHost);
    EXPECT_EQ(found.statistics.medianNs, 60);
    EXPECT_EQ(found.statistics.warmUps, 0);
    EXPECT_EQ(found.steps.front().interval, (Interval{100, 155}));
    EXPECT_EQ(found.steps.back().name, "ProfilerStep#35");
    const ActiveRange active = activeRange(analysis, found.steps);
    EXPECT_EQ(active.range, (Interval{100, 2255}));
    EXPECT_NEAR(static_cast<double>(averageStepNs(found.steps, active.range)), 60, 1);
}

TEST(DetectedStepsTest, AStepThatIssuesNothingLeavesTheHostsTimes)
{
    SampleTrace sample;
    for (std::int64_t step = 0; step < 8; ++step) {
        const auto id = static_cast<std::uint32_t>(step + 1);
        sample.host(EventKind::Step, step * 10, step * 10 + 10, "ProfilerStep#" + std::to_string(step));
        if (step == 4)
            continue;
        sample.host(EventKind::RuntimeCall, step * 10, step * 10 + 5, "cudaLaunchKernel", id);
        sample.kernel(100 + step * 60, 155 + step * 60, 7, id);
    }
    const Trace trace = sample.build();
    EXPECT_TRUE(timedSteps(trace, Analysis(trace)).onHost);
}

TEST(DetectedStepsTest, FindsTheBatchesOfALoaderByTheirGpuWorkAlone)
{
    Scenario scenario;
    scenario.batches = 40;
    scenario.resultBytes = 1 << 20;
    const Result<RunResult> run = simulate(scenario, *findDeviceProfile("h200"));
    ASSERT_TRUE(run.ok());
    const LoopLevels found = findLoopLevels(gpuRequests(run.value().trace));
    EXPECT_EQ(found.iterations.intervals.size(), 40u);
    EXPECT_GT(found.iterations.confidence, 0.95);
}

}  // namespace
}  // namespace overlane
