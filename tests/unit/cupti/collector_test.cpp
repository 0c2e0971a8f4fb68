// The collector with a driver and a CUPTI that are not there (program/fake_cuda.cpp): what it
// switches on, what it writes, and what it says when something is in its way.
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

using test::Outcome;
using test::TempDir;
using testing::Contains;
using testing::Not;

class CollectorTest : public testing::Test
{
protected:
    // Runs the program with the fake driver; merges what it recorded.
    Outcome record(const std::string& actions, const std::string& environment = "")
    {
        Outcome outcome = test::runCommand(test::injectedProgram(
            "FAKE_CUDA=" OVERLANE_FAKE_CUDA " OVERLANE_CUPTI=" OVERLANE_FAKE_CUDA " OVERLANE_FLUSH_MS=50 " +
                ("FAKE_CUPTI_LOG=" + m_log.path("log")) + " OVERLANE_SPOOL_DIR=" + m_dir.path().string() + " " +
                environment,
            actions));
        TraceSinkOf<TraceBuilder> sink(m_builder);
        RecordingMerger merger(m_dir.path().string(), sink);
        EXPECT_TRUE(merger.finish().ok());
        m_totals = merger.totals();
        for (const RecordingNotice& notice : merger.takeNotices())
            m_states.push_back(notice.status);
        return outcome;
    }
    // With a bound on the size of files, in blocks of 512 bytes, and without what it recorded.
    Outcome limited(int blocks, const std::string& actions)
    {
        return test::runCommand("ulimit -f " + std::to_string(blocks) + "; " +
                                test::injectedProgram("FAKE_CUDA=" OVERLANE_FAKE_CUDA
                                                      " OVERLANE_CUPTI=" OVERLANE_FAKE_CUDA
                                                      " OVERLANE_FLUSH_MS=50 OVERLANE_SPOOL_DIR=" +
                                                          m_dir.path().string(),
                                                      actions));
    }
    std::vector<std::string> log()
    {
        std::istringstream lines(test::readFile(m_log.path("log")));
        std::vector<std::string> result;
        for (std::string line; std::getline(lines, line);)
            result.push_back(line);
        return result;
    }
    static std::string enable(CUpti_ActivityKind kind) { return "enable " + std::to_string(kind); }
    static std::string disable(CUpti_ActivityKind kind) { return "disable " + std::to_string(kind); }

    TempDir m_dir;
    TempDir m_log;
    TraceBuilder m_builder;
    RecordingTotals m_totals;
    std::vector<RecordStatus> m_states;
};

TEST_F(CollectorTest, RecordsUntilTheEndOfTheProgram)
{
    const Outcome outcome = record("work=100 flushed work=50");
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(outcome.output, "own output\n");
    EXPECT_EQ(m_totals.kernels, 150);
    EXPECT_EQ(m_totals.calls, 150) << "the collector's own calls are not the program's";
    EXPECT_EQ(m_totals.residualNs, 0);
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Recording, RecordStatus::Ended));
    const Trace trace = m_builder.build();
    ASSERT_EQ(trace.devices().size(), 1u);
    EXPECT_EQ(trace.devices()[0].name, "Fake GPU");
}

TEST_F(CollectorTest, SharesTheClockBeforeAnythingIsEnabled)
{
    record("work=1");
    const std::vector<std::string> lines = log();
    ASSERT_GE(lines.size(), 3u);
    EXPECT_EQ(lines[0], "timestamp");
    EXPECT_EQ(lines[1], "callbacks");
    EXPECT_THAT(lines, Contains(enable(CUPTI_ACTIVITY_KIND_MEMORY2)));
    EXPECT_THAT(lines, Contains(enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)));
    EXPECT_THAT(lines, Not(Contains(enable(CUPTI_ACTIVITY_KIND_KERNEL)))) << "it would serialise kernels";
    EXPECT_THAT(lines, Not(Contains(enable(CUPTI_ACTIVITY_KIND_RUNTIME)))) << "single calls cost less";
    EXPECT_THAT(lines, Contains("enable runtime call 31")) << "cudaMemcpy";
    EXPECT_THAT(lines, Contains("enable driver call 2")) << "its own, to see whether records come";
}

TEST_F(CollectorTest, CopiesBetweenGpusAreRecordedWhereThereIsMoreThanOne)
{
    record("work=10 flushed work=10");
    EXPECT_THAT(log(), Not(Contains(enable(CUPTI_ACTIVITY_KIND_MEMCPY2))));
    record("work=10 flushed work=10", "FAKE_CUDA_DEVICES=2");
    EXPECT_THAT(log(), Contains(enable(CUPTI_ACTIVITY_KIND_MEMCPY2)));
}

// With CUPTI's records of them its CUDA graphs fail, on one GPU too.
TEST_F(CollectorTest, CopiesBetweenGpusAreLeftOutBesideXla)
{
    const std::string plugin = m_log.path("xla_cuda_plugin.so");
    std::filesystem::copy_file(OVERLANE_FAKE_LIBRARY, plugin);
    // A sanitized program is otherwise strict about what is loaded before it.
    record("work=10 flushed work=10", "FAKE_CUDA_DEVICES=2 ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=" + plugin);
    EXPECT_THAT(log(), Not(Contains(enable(CUPTI_ACTIVITY_KIND_MEMCPY2))));
    EXPECT_THAT(log(), Contains(enable(CUPTI_ACTIVITY_KIND_MEMCPY)));
    EXPECT_THAT(m_states, Contains(RecordStatus::PeerCopiesLeftOut));
}

TEST_F(CollectorTest, LightTouchesNothingThatLaunchesPayFor)
{
    record("work=10", "OVERLANE_RECORD_KINDS=light");
    const std::vector<std::string> lines = log();
    for (const CUpti_ActivityKind dear : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                          CUPTI_ACTIVITY_KIND_GRAPH_TRACE, CUPTI_ACTIVITY_KIND_CUDA_EVENT})
        EXPECT_THAT(lines, Not(Contains(enable(dear))));
    EXPECT_THAT(lines, Contains(enable(CUPTI_ACTIVITY_KIND_MEMCPY)));
    EXPECT_THAT(lines, Contains("enable runtime call 31")) << "cudaMemcpy";
    EXPECT_THAT(lines, Not(Contains("enable runtime call 211"))) << "launches are not recorded";
}

TEST_F(CollectorTest, SampledKernelsAreRecordedInWindowsOnly)
{
    record("work=10 on=10 off=10 work=10", "OVERLANE_RECORD_KINDS=light,kernel-sample");
    const std::vector<std::string> lines = log();
    EXPECT_THAT(lines, Contains(enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)));
    EXPECT_THAT(lines, Contains(disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)));
    EXPECT_THAT(lines, Not(Contains("enable runtime call 211"))) << "launches are not recorded";
    EXPECT_LT(m_totals.kernels, 20);
    const Trace trace = m_builder.build();
    const auto windows = std::find_if(trace.tracks().begin(), trace.tracks().end(),
                                      [](const Track& track) { return track.name == "Kernels recorded"; });
    ASSERT_NE(windows, trace.tracks().end()) << "the trace says when kernels were looked at";
    EXPECT_GE(windows->events.size(), 1u) << "one each 1.2 s, and a loaded machine takes that long";
}

TEST_F(CollectorTest, UnfinishedKernelsAreHandedOverAtTheEndAndCounted)
{
    record("work=5 unfinished");
    EXPECT_EQ(m_totals.kernels, 5);
    EXPECT_EQ(m_totals.zeroTimes, 1u);
    EXPECT_THAT(log(), Contains("forced flush"));
}

TEST_F(CollectorTest, NoticesThatSomebodyElseTakesTheRecords)
{
    const Outcome outcome = record("work=5 flushed take work=5 quiet");
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(m_totals.kernels, 5);
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Recording, RecordStatus::TakenOver));
    EXPECT_THAT(log(), Not(Contains("forced flush"))) << "the other's buffers are not ours to flush";
    EXPECT_THAT(log(), Contains(disable(CUPTI_ACTIVITY_KIND_MEMORY2))) << "nobody else asked for these";
    EXPECT_THAT(log(), Not(Contains(disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)))) << "the other needs them";
}

TEST_F(CollectorTest, TakenOverShortlyBeforeTheEndIsNotFlushedByForce)
{
    record("work=5 flushed take");
    EXPECT_EQ(m_totals.kernels, 5);
    EXPECT_THAT(log(), Not(Contains("forced flush")));
}

TEST_F(CollectorTest, KilledKeepsWhatWasFlushed)
{
    const Outcome outcome = record("work=20 flushed flushed kill");
    EXPECT_EQ(outcome.exitCode, 128 + 9);
    EXPECT_EQ(m_totals.kernels, 20);
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Recording));
}

TEST_F(CollectorTest, CallsAreOnWhileItWaitsAndDroppedUntilItRecords)
{
    ASSERT_TRUE(RecordControl::create(m_dir.path().c_str()).valid());
    record("work=3 control=1 on=10 work=5 flushed control=2 off=10 work=7");
    EXPECT_EQ(m_totals.calls, 5);
    EXPECT_EQ(m_totals.kernels, 5);
    const std::vector<std::string> lines = log();
    const auto at = [&](const std::string& line) { return std::find(lines.begin(), lines.end(), line); };
    EXPECT_LT(at("enable runtime call 211"), at(enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL))) << "cudaLaunchKernel";
    EXPECT_THAT(lines, Contains("disable runtime call 211"));
    EXPECT_THAT(lines, Not(Contains("enable runtime call 30"))) << "not asked for";
    EXPECT_THAT(lines, Not(Contains(enable(CUPTI_ACTIVITY_KIND_RUNTIME)))) << "single calls cost less";
}

TEST_F(CollectorTest, CallsThatWereOnWhileItWaitedGoOffWhereNothingIsRecorded)
{
    ASSERT_TRUE(RecordControl::create(m_dir.path().c_str()).valid());
    record("work=3 control=2 quiet work=7");
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Waiting, RecordStatus::Stopped));
    EXPECT_EQ(m_totals.calls, 0);
    EXPECT_THAT(log(), Contains("disable runtime call 211"));
}

TEST_F(CollectorTest, WaitsAndStopsAsTheRecorderSays)
{
    RecordControl control = RecordControl::create(m_dir.path().c_str());
    ASSERT_TRUE(control.valid());
    const Outcome outcome = record("work=3 control=1 on=10 work=5 flushed control=2 off=10 work=7");
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(m_totals.kernels, 5);
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Waiting, RecordStatus::Recording, RecordStatus::Stopped));
    EXPECT_THAT(log(), Contains(disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)));
    EXPECT_EQ(control.page()->processes, 1u);
    EXPECT_EQ(control.bytes(), m_totals.spoolBytes);
}

TEST_F(CollectorTest, BeginsAndStopsAsTheIterationsSay)
{
    RecordControl control = RecordControl::create(m_dir.path().c_str());
    ASSERT_TRUE(control.valid());
    control.boundIterations(3, 2);
    const Outcome outcome = record("work=3 begun=3 work=3 begun=4 on=10 work=5 flushed begun=9 off=10 work=7");
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(m_totals.kernels, 5);
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Waiting, RecordStatus::Recording, RecordStatus::Stopped));
    EXPECT_EQ(control.page()->iterationsFrom, 4u);
    EXPECT_EQ(m_totals.calls, 5) << "those before are not of the recording";
}

TEST_F(CollectorTest, OneThatWaitedAndCannotRecordIsNotWaitedFor)
{
    RecordControl control = RecordControl::create(m_dir.path().c_str());
    ASSERT_TRUE(control.valid());
    record("control=1 work=3", "FAKE_CUPTI=denied");
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Waiting, RecordStatus::NoPermission));
    EXPECT_EQ(control.page()->processes, 0u);
    EXPECT_EQ(control.page()->waited, 0u) << "others may record what they have";
}

TEST_F(CollectorTest, StopsAtItsSizeLimit)
{
    RecordControl control = RecordControl::create(m_dir.path().c_str());
    ASSERT_TRUE(control.valid());
    control.setState(RecordState::Record);
    control.setLimit(4000);
    const Outcome outcome = record("work=1000 off=10 work=10");
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_EQ(m_totals.kernels, 1000);
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Recording, RecordStatus::SizeLimit));
}

TEST_F(CollectorTest, ThatCannotWriteStopsAndTellsTheRecorder)
{
    RecordControl control = RecordControl::create(m_dir.path().c_str());
    ASSERT_TRUE(control.valid());
    control.setState(RecordState::Record);
    // A limit of the shell's takes the disk's part, in blocks of 512 bytes: none is room for the start.
    for (const int blocks : {0, 8}) {
        control.page()->writeError = 0;
        const Outcome outcome = limited(blocks, "work=1000 off=10 work=10");
        EXPECT_EQ(outcome.exitCode, 7) << "the signal of such a write is not the program's";
        EXPECT_EQ(outcome.output, "own output\n");
        EXPECT_EQ(control.writeError(), EFBIG);
    }
}

TEST_F(CollectorTest, ThatCannotWriteGivesTheProgramItsMemoryBack)
{
    const Outcome outcome = limited(8, "work=100000 off=10 alone heap");
    EXPECT_EQ(outcome.exitCode, 7);
    ASSERT_EQ(outcome.output.rfind("heap ", 0), 0u) << outcome.output;
    EXPECT_LT(std::stol(outcome.output.substr(5)), 1 << 20);
}

TEST_F(CollectorTest, ThatWasStoppedGivesTheProgramItsMemoryBack)
{
    RecordControl control = RecordControl::create(m_dir.path().c_str());
    ASSERT_TRUE(control.valid());
    control.setState(RecordState::Record);
    const Outcome outcome = record("work=100000 flushed control=2 off=10 alone heap");
    EXPECT_EQ(m_totals.kernels, 100'000);
    ASSERT_EQ(outcome.output.rfind("heap ", 0), 0u) << outcome.output;
    EXPECT_LT(std::stol(outcome.output.substr(5)), 1 << 20);
}

TEST_F(CollectorTest, SaysWhatIsInTheWay)
{
    EXPECT_EQ(record("work=1", "FAKE_CUPTI=denied").exitCode, 7);
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::NoPermission));
}

TEST_F(CollectorTest, SaysThatAnotherToolHoldsCupti)
{
    EXPECT_EQ(record("work=1", "FAKE_CUPTI=busy").exitCode, 7);
    EXPECT_THAT(m_states, testing::ElementsAre(RecordStatus::Busy));
}

TEST_F(CollectorTest, GoesOnWithoutAKindThatIsNotThere)
{
    record("work=4", "FAKE_CUPTI=nomemory");
    EXPECT_EQ(m_totals.kernels, 4);
    EXPECT_THAT(m_states,
                testing::ElementsAre(RecordStatus::KindUnavailable, RecordStatus::Recording, RecordStatus::Ended));
}

}  // namespace
}  // namespace overlane
