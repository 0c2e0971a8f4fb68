#include "core/runs/measured_run.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

#include "core/runs/run_metrics.h"
#include "core/spool/record_environment.h"

namespace overlane
{
namespace
{

using Started = std::unique_ptr<MeasuredRun>;

// Sets a variable for what it starts.
class With
{
public:
    With(const char* name, const char* value) : m_name(name) { setenv(name, value, 1); }
    ~With() { unsetenv(m_name); }
    With(const With&) = delete;
    With& operator=(const With&) = delete;

private:
    const char* m_name;
};

class MeasuredRunTest : public testing::Test
{
protected:
    void SetUp() override
    {
        unsetenv(record_environment::kCudaInjection);
        m_options.program = OVERLANE_MEASURED_PROGRAM;
        m_options.library = "/dev/null";  // what stands for the program writes its spool itself
    }
    Started start()
    {
        auto run = MeasuredRun::start(m_scenario, m_options);
        EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error());
        return run.ok() ? std::move(run).value() : nullptr;
    }
    // Whether `reached` came true before the run ended.
    static bool pollUntil(MeasuredRun& run, const std::function<bool()>& reached)
    {
        while (run.poll()) {
            if (reached())
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
    static void pollToTheEnd(MeasuredRun& run)
    {
        pollUntil(run, [] { return false; });
    }
    static std::int64_t kernelsNamed(const Trace& trace, std::string_view name)
    {
        std::int64_t count = 0;
        for (std::size_t at = 0; at < trace.eventCount(); ++at)
            count += trace.kind(EventIndex(at)) == EventKind::Kernel && trace.name(EventIndex(at)) == name ? 1 : 0;
        return count;
    }

    Scenario m_scenario;
    MeasuredRunOptions m_options;
    Progress m_progress;
};

TEST_F(MeasuredRunTest, CountsWhatTheLoadersThreadsWorkedAsASimulationDoes)
{
    const With few("OVERLANE_TEST_STEPS", "20");
    auto measured = measure(m_scenario, m_options, m_progress);
    ASSERT_TRUE(measured.ok()) << measured.error();
    const JudgedRun run(m_scenario, *findDeviceProfile("h200"), std::move(measured.value().run),
                        measured.value().report);
    std::vector<std::string> actors;
    for (const HostActivity::Actor& actor : run.analysis.host().actors)
        actors.push_back(actor.name);
    EXPECT_EQ(actors, (std::vector<std::string>{"worker 0", "pin thread"}));
    EXPECT_EQ(runMetric("workers_busy").value(run), 20e6);
    EXPECT_EQ(runMetric("pin_thread_busy").value(run), 6e6);
    EXPECT_EQ(runMetric("host_critical").value(run), 20e6);
}

TEST_F(MeasuredRunTest, ToItsEndIsTheTimeOfItsClockWithoutThePreparation)
{
    const With few("OVERLANE_TEST_STEPS", "20");
    const Started run = start();
    ASSERT_NE(run, nullptr);
    pollToTheEnd(*run);
    const auto result = run->finish(m_progress);
    ASSERT_TRUE(result.ok()) << result.error();
    const Trace& trace = result.value().run.trace;
    EXPECT_EQ(kernelsNamed(trace, "step"), 20);
    EXPECT_EQ(kernelsNamed(trace, "preparation"), 0);
    EXPECT_FALSE(result.value().stopped);
    EXPECT_EQ(result.value().device, "Test GPU");
    EXPECT_EQ(result.value().report.resultsChecked, 3);
    EXPECT_EQ(trace.metadata().format, "measured");
    EXPECT_FALSE(trace.metadata().scenarioJson.empty());
    EXPECT_FALSE(trace.metadata().properties.contains(kStoppedProperty));
    EXPECT_FALSE(trace.metadata().properties.contains("command")) << "it names files of this machine";
}

TEST_F(MeasuredRunTest, GrowsInItsFileWhileItRuns)
{
    const Started run = start();
    ASSERT_NE(run, nullptr);
    std::int64_t seen = 0;
    ASSERT_TRUE(pollUntil(*run, [&] {
        const auto soFar = readMeasuredSoFar(m_scenario, "Test GPU", run->file(), m_progress);
        seen = soFar.ok() ? kernelsNamed(soFar.value(), "step") : 0;
        if (seen > 0) {
            EXPECT_EQ(kernelsNamed(soFar.value(), "preparation"), 0);
            EXPECT_EQ(soFar.value().metadata().title, m_scenario.name + ", measured on Test GPU");
        }
        return seen > 0;
    }));
    const std::int64_t early = seen;
    EXPECT_TRUE(pollUntil(*run, [&] {
        const auto soFar = readMeasuredSoFar(m_scenario, "Test GPU", run->file(), m_progress);
        return soFar.ok() && kernelsNamed(soFar.value(), "step") > early;
    }));
    run->cancel();
    pollToTheEnd(*run);
    const auto result = run->finish(m_progress);
    ASSERT_FALSE(result.ok());
    EXPECT_TRUE(result.isCancelled());
}

TEST_F(MeasuredRunTest, StoppedKeepsWhatRan)
{
    const Started run = start();
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(pollUntil(*run, [&] { return run->totals().kernels > 30; }));
    run->stop();
    pollToTheEnd(*run);
    const auto result = run->finish(m_progress);
    ASSERT_TRUE(result.ok()) << result.error();
    EXPECT_TRUE(result.value().stopped);
    EXPECT_EQ(result.value().device, "Test GPU") << "of the recording, where the run could not say";
    EXPECT_GE(kernelsNamed(result.value().run.trace, "step"), 30);
    EXPECT_TRUE(result.value().run.trace.metadata().properties.contains(kStoppedProperty));
}

TEST_F(MeasuredRunTest, ThatDoesNotStopIsMadeToAndKeepsWhatRan)
{
    const With deaf("OVERLANE_TEST_DEAF", "1");
    const Started run = start();
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(pollUntil(*run, [&] { return run->totals().kernels > 30; }));
    run->stop();
    pollToTheEnd(*run);
    const auto result = run->finish(m_progress);
    ASSERT_TRUE(result.ok()) << result.error();
    EXPECT_TRUE(result.value().stopped);
    EXPECT_GE(kernelsNamed(result.value().run.trace, "step"), 30);
    EXPECT_EQ(kernelsNamed(result.value().run.trace, "preparation"), 0);
}

TEST_F(MeasuredRunTest, StoppedBeforeItsClockStartedHasNothingToShow)
{
    const With early("OVERLANE_TEST_NO_CLOCK", "1");
    const With deaf("OVERLANE_TEST_DEAF", "1");
    const Started run = start();
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(pollUntil(*run, [&] { return run->totals().kernels > 0; }));
    run->stop();
    pollToTheEnd(*run);
    const auto result = run->finish(m_progress);
    ASSERT_FALSE(result.ok());
    EXPECT_TRUE(result.isCancelled());
}

TEST_F(MeasuredRunTest, ItsBookkeepingIsTheLastLane)
{
    const With few("OVERLANE_TEST_STEPS", "3");
    const Started run = start();
    ASSERT_NE(run, nullptr);
    pollToTheEnd(*run);
    const auto result = run->finish(m_progress);
    ASSERT_TRUE(result.ok()) << result.error();
    const Trace& trace = result.value().run.trace;
    const auto lane = std::find_if(trace.tracks().begin(), trace.tracks().end(),
                                   [](const Track& track) { return track.name == "Run"; });
    ASSERT_NE(lane, trace.tracks().end());
    EXPECT_TRUE(lane->bookkeeping);
    EXPECT_EQ(trace.track(trace.track(lane->parent).children.back()).name, "Run");
}

}  // namespace
}  // namespace overlane
