// The collector in a recording in windows: a spool for each, and nothing switched on between two of them.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "core/spool/record_control.h"
#include "core/spool/recording_merger.h"
#include "cupti/collector/activity_layouts.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cupti/outcome.h"

namespace overlane
{
namespace
{

constexpr std::uint32_t kWindows = 3;
constexpr int kKernels = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;

struct Merged {
    RecordingTotals totals;
    std::vector<RecordStatus> states;
    std::string device;
};

class CollectorWindows : public testing::Test
{
protected:
    void SetUp() override
    {
        for (std::uint32_t window = 0; window <= kWindows; ++window)
            std::filesystem::create_directory(windowFolder(m_dir.path().string(), window));
        m_control = RecordControl::create(m_dir.path().c_str());
        ASSERT_TRUE(m_control.valid());
        m_control.divideIntoWindows();
    }
    test::Outcome run(const std::string& actions, const std::string& environment = "")
    {
        return test::runCommand(test::injectedProgram(
            "FAKE_CUDA=" OVERLANE_FAKE_CUDA " OVERLANE_CUPTI=" OVERLANE_FAKE_CUDA
            " OVERLANE_FLUSH_MS=50 FAKE_CUPTI_LOG=" +
                m_log.path("log") + " OVERLANE_SPOOL_DIR=" + m_dir.path().string() + " " + environment,
            actions));
    }
    Merged merged(std::uint32_t window)
    {
        TraceBuilder builder;
        TraceSinkOf<TraceBuilder> sink(builder);
        RecordingMerger merger(windowFolder(m_dir.path().string(), window), sink);
        EXPECT_TRUE(merger.finish().ok());
        Merged result{merger.totals(), {}, {}};
        for (const RecordingNotice& notice : merger.takeNotices())
            result.states.push_back(notice.status);
        const Trace trace = builder.build();
        result.device = trace.devices().empty() ? "" : trace.devices().front().name;
        return result;
    }
    int logged(const std::string& line)
    {
        std::istringstream lines(test::readFile(m_log.path("log")));
        int count = 0;
        for (std::string found; std::getline(lines, found);)
            count += found == line ? 1 : 0;
        return count;
    }

    test::TempDir m_dir;
    test::TempDir m_log;
    RecordControl m_control;
};

TEST_F(CollectorWindows, EachHasASpoolOfItsOwnAndBetweenThemNothingIsOn)
{
    const auto outcome =
        run("work=5 window=0 on=10 work=7 flushed end left off=10 work=5 window=0 on=10 work=9 flushed end left off=10 "
            "work=5");
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
    EXPECT_THAT(merged(0).states, testing::ElementsAre(RecordStatus::Waiting));
    const Merged first = merged(1), second = merged(2);
    EXPECT_EQ(first.totals.kernels, 7);
    EXPECT_EQ(second.totals.kernels, 9);
    for (const Merged& one : {first, second}) {
        EXPECT_THAT(one.states, testing::ElementsAre(RecordStatus::Recording, RecordStatus::Stopped));
        EXPECT_EQ(one.device, "Fake GPU");
    }
    EXPECT_EQ(merged(3).totals.processes, 0u);
    EXPECT_EQ(logged("enable " + std::to_string(kKernels)), 2);
    EXPECT_EQ(logged("disable " + std::to_string(kKernels)), 2);
    EXPECT_EQ(logged("disable driver call 2"), 4) << "the collector's own call, before and behind each";
    EXPECT_EQ(logged("finalize"), 0);
    EXPECT_EQ(logged("callbacks"), 1) << "by the second window they may be another profiler's";
}

// Single calls would not come by now.
TEST_F(CollectorWindows, CallsOfAProgramThatHasBegunAreSwitchedOnAllAtOnce)
{
    run("work=5 window=0 on=10 work=7 flushed end left off=10");
    EXPECT_EQ(merged(1).totals.calls, 7);
    for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER}) {
        EXPECT_EQ(logged("enable " + std::to_string(kind)), 1);
        EXPECT_EQ(logged("disable " + std::to_string(kind)), 1);
    }
    EXPECT_EQ(logged("disable runtime call 30"), 1) << "not asked for";
    EXPECT_EQ(logged("disable runtime call 31"), 0) << "cudaMemcpy";
    EXPECT_EQ(logged("disable runtime call 211"), 0) << "cudaLaunchKernel";
    EXPECT_EQ(logged("enable driver call 2"), 1) << "its own";
}

TEST_F(CollectorWindows, WhereCuptiIsLeftBetweenThemItIsPreparedAnew)
{
    run("window=0 on=10 work=7 flushed end left window=0 on=10 work=9 flushed end left", "OVERLANE_DETACH=1");
    EXPECT_EQ(merged(1).totals.kernels, 7);
    EXPECT_EQ(merged(2).totals.kernels, 9);
    EXPECT_EQ(logged("finalize"), 2);
    EXPECT_EQ(logged("callbacks"), 2);
}

TEST_F(CollectorWindows, EndsWithTheIterationsAlsoWithoutItsRecorder)
{
    const auto outcome = run("begun=20 window=4 entered work=3 begun=25 flushed work=4 begun=26 left off=10 work=8");
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(merged(1).totals.kernels, 7);
    EXPECT_EQ(m_control.state(), RecordState::Wait);
}

TEST_F(CollectorWindows, EndsAtItsSize)
{
    m_control.beginWindow(0, INT64_MAX, 1);
    const auto outcome = run("on=10 work=3 left off=10 work=8");
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(m_control.state(), RecordState::Wait);
    EXPECT_THAT(merged(1).states, testing::Contains(RecordStatus::SizeLimit));
}

TEST_F(CollectorWindows, TheSizeOfOneIsNotThatOfTheNext)
{
    run("window=0 on=10 work=2000 flushed end left limited=5000 on=10 work=100 left off=10");
    EXPECT_EQ(merged(1).totals.kernels, 2000);
    EXPECT_THAT(merged(2).states, testing::Contains(RecordStatus::SizeLimit));
}

TEST_F(CollectorWindows, EndsAtItsTime)
{
    m_control.beginWindow(1'000, 0, 0);
    m_control.followIterations();
    EXPECT_EQ(m_control.state(), RecordState::Wait);
}

TEST_F(CollectorWindows, AProgramThatEndsWithinOneLeavesItWhole)
{
    run("window=0 on=10 work=9");
    EXPECT_EQ(merged(1).totals.kernels, 9);
    EXPECT_THAT(merged(1).states, testing::Contains(RecordStatus::Ended));
    EXPECT_EQ(m_control.page()->windowLeft, 1u);
}

// Memory of one window is gone by the next one.
TEST_F(CollectorWindows, BetweenThemItHoldsNextToNothing)
{
    const auto heap = [](const std::string& output) { return std::stod(output.substr(output.find("heap ") + 5)); };
    const double before = heap(run("heap").output);
    const double behind =
        heap(run("window=0 on=10 work=200000 flushed end left window=0 on=10 work=10 flushed end left heap").output);
    EXPECT_LT(behind - before, 8e6);
}

}  // namespace
}  // namespace overlane
