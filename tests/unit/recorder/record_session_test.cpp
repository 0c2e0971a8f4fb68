// What a recording holds, and what bounds it.
#include "core/recorder/record_session.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/io/format.h"
#include "core/spool/process_life.h"
#include "core/spool/record_environment.h"
#include "core/trace/rank_properties.h"
#include "tests/support/expect_text.h"
#include "tests/unit/recorder/record_session_fixture.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using test::RecordSessionTest;
using testing::HasSubstr;

TEST_F(RecordSessionTest, TheRankThatALauncherGaveIsKept)
{
    RecordOptions asked = options({"--launches", "5"});
    asked.program.environment.insert(asked.program.environment.end(),
                                     {{"RANK", "3"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}});
    ASSERT_TRUE(record(asked).ok());
    Progress progress;
    const auto trace = readTrace(asked.output, progress);
    ASSERT_TRUE(trace.ok()) << trace.error();
    const auto& properties = trace.value().metadata().properties;
    EXPECT_EQ(properties.at(kRankProperty), "3");
    EXPECT_EQ(properties.at(kWorldSizeProperty), "8");
    EXPECT_EQ(properties.at(kLocalRankProperty), "1");
    EXPECT_NE(properties.at(kHostProperty), "");
}

TEST_F(RecordSessionTest, EverythingTheProgramDidIsInTheFile)
{
    const auto outcome = record(options({"20", "1", "3"}));
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    ASSERT_TRUE(outcome.value().program);
    EXPECT_EQ(outcome.value().program->exitCode, 3);
    test::expectText(test::withoutFigures(outcome.value().failure));
    EXPECT_THAT(notes(m_file), testing::Contains(testing::HasSubstr(outcome.value().failure)));
    EXPECT_EQ(outcome.value().totals.copies, 20);
    EXPECT_EQ(outcome.value().totals.kernels, 20);
    EXPECT_EQ(outcome.value().totals.copyBytes, 20 << 20);
    EXPECT_EQ(count(m_file, EventKind::CopyH2D), 20);
    EXPECT_EQ(count(m_file, EventKind::Kernel), 20);
    EXPECT_FALSE(fs::exists(recordingFolder(m_file)));
}

TEST_F(RecordSessionTest, AProgramThatIsKilledLeavesWhatItHadWritten)
{
    const auto outcome = record(options({"20", "1", "crash"}));
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_EQ(outcome.value().program->signal, SIGKILL);
    test::expectText(test::withoutFigures(outcome.value().failure));
    EXPECT_EQ(count(m_file, EventKind::Kernel), 20);
}

TEST_F(RecordSessionTest, EveryProcessOfATreeIsInOneTrace)
{
    RecordOptions tree = options({});
    tree.program.command = {"sh", "-c",
                            std::string(OVERLANE_RECORDED_PROGRAM) + " 5 & " + OVERLANE_RECORDED_PROGRAM + " 7 & wait"};
    const auto outcome = record(tree);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_EQ(outcome.value().totals.processes, 2u);
    EXPECT_EQ(count(m_file, EventKind::Kernel), 12);
}

TEST_F(RecordSessionTest, ADeadRecorderCostsAtMostTheLastSecondAndTheRestIsRecovered)
{
    constexpr int kSteps = 100;
    const pid_t recorder = fork();
    if (recorder == 0) {
        auto session = RecordSession::start(options({std::to_string(kSteps), "20"}));
        while (session.ok() && session.value()->poll())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        _exit(0);
    }
    ASSERT_TRUE(waitUntil([&] { return fs::exists(m_file) && count(m_file, EventKind::Kernel) > 0; }));
    const SpoolOwner program = writerOf(recordingFolder(m_file));
    kill(recorder, SIGKILL);
    ASSERT_EQ(waitpid(recorder, nullptr, 0), recorder);
    ASSERT_TRUE(lives(program)) << "the program ended before its recorder";

    EXPECT_GT(count(m_file, EventKind::Kernel), 0);
    // The program does not notice, and goes on writing.
    ASSERT_TRUE(waitUntil([&] { return !lives(program); }));
    const std::string rest = m_folder + "/rest.overlane";
    const auto recovered = recoverRecording(recordingFolder(m_file), rest);
    ASSERT_TRUE(recovered.ok()) << recovered.error();
    EXPECT_EQ(count(rest, EventKind::Kernel), kSteps);
    EXPECT_FALSE(fs::exists(recordingFolder(m_file)));
}

TEST_F(RecordSessionTest, DelayAndDurationBoundWhatIsRecorded)
{
    RecordOptions bounded = options({"60", "10"});
    bounded.delaySeconds = 0.1;
    bounded.durationSeconds = 0.2;
    const auto outcome = record(bounded);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_GT(outcome.value().totals.kernels, 0);
    EXPECT_LT(outcome.value().totals.kernels, 60);
    EXPECT_EQ(outcome.value().program->exitCode, 0);
}

TEST_F(RecordSessionTest, SomeIterationsAreRecordedBehindTheFirst)
{
    RecordOptions some = options({"100", "1", "count"});
    some.iterations = 12;
    some.afterIterations = 8;
    const auto outcome = record(some);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_EQ(outcome.value().program->exitCode, 0) << "the program goes on";
    EXPECT_THAT(outcome.value().warnings, testing::IsEmpty());
    // Beside the whole ones the one in which recording begins, and one more for the GPU, which is behind its host.
    EXPECT_EQ(count(m_file, EventKind::Kernel), 14);
}

TEST_F(RecordSessionTest, TheIterationsThatAreMissingAreSaid)
{
    for (const auto& [steps, after] : {std::pair("5", 8), std::pair("15", 8)}) {
        RecordOptions some = options({steps, "1", "count"});
        some.iterations = 12;
        some.afterIterations = after;
        some.overwrite = true;
        const auto outcome = record(some);
        ASSERT_TRUE(outcome.ok()) << outcome.error();
        test::expectText(outcome.value().warnings);
    }
}

TEST_F(RecordSessionTest, WithoutIterationsTheEndSaysWhatToDo)
{
    for (const RecordCaller caller : {RecordCaller::Terminal, RecordCaller::Window}) {
        RecordOptions some = options({"5"});
        some.iterations = 12;
        some.overwrite = true;
        some.caller = caller;
        const auto outcome = record(some);
        ASSERT_TRUE(outcome.ok()) << outcome.error();
        EXPECT_EQ(count(m_file, EventKind::Kernel), 0);
        test::expectText(outcome.value().warnings);
    }
}

TEST_F(RecordSessionTest, GaugesAreOfTheIterationsAlone)
{
    for (const int after : {8, 100}) {
        RecordOptions some = options({"50", "1", "count"});
        some.iterations = 12;
        some.afterIterations = after;
        some.gauges = true;
        some.overwrite = true;
        ASSERT_TRUE(record(some).ok());
        Progress progress;
        const auto trace = readTrace(m_file, progress);
        ASSERT_TRUE(trace.ok()) << trace.error();
        const auto& counters = trace.value().counters();
        const bool someSampled = std::any_of(counters.begin(), counters.end(),
                                             [](const CounterSeries& series) { return !series.timesNs.empty(); });
        EXPECT_EQ(someSampled, after == 8);
    }
}

TEST_F(RecordSessionTest, TheSizeLimitStopsRecordingAndNotTheProgram)
{
    RecordOptions limited = options({"200", "1", "4"});
    limited.maxBytes = 4000;
    const auto outcome = record(limited);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_EQ(outcome.value().program->exitCode, 4);
    EXPECT_GT(outcome.value().totals.kernels, 0);
    EXPECT_LT(outcome.value().totals.kernels, 200);
}

TEST_F(RecordSessionTest, StoppingEarlyLeavesTheProgramRunning)
{
    auto session = RecordSession::start(options({"1000", "5"}));
    ASSERT_TRUE(session.ok()) << session.error();
    while (session.value()->totals().kernels == 0) {
        ASSERT_TRUE(session.value()->poll());
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const auto outcome = session.value()->finish();
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_FALSE(outcome.value().program);
    EXPECT_GT(count(m_file, EventKind::Kernel), 0);
    session.value()->signal(SIGKILL);
    while (!session.value()->programEnd())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(session.value()->programEnd()->signal, SIGKILL);
}

TEST_F(RecordSessionTest, ProcessesThatOutliveTheProgramWriteWhatTheyHave)
{
    RecordOptions launcher = options({});
    launcher.program.command = {"sh", "-c", std::string(OVERLANE_RECORDED_PROGRAM) + " 20 1 hold & sleep 0.5"};
    const auto outcome = record(launcher);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_TRUE(outcome.value().program);
    EXPECT_EQ(outcome.value().totals.kernels, 20);
}

TEST_F(RecordSessionTest, WithoutTheLibraryNothingIsStarted)
{
    RecordOptions without = options({"1"});
    without.library.clear();
    const auto refused = RecordSession::start(without);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error(), HasSubstr(record_environment::kInjectLibrary));
    EXPECT_FALSE(fs::exists(m_file));
}

TEST_F(RecordSessionTest, AnotherProfilerIsNotReplaced)
{
    setenv(record_environment::kCudaInjection, "/opt/other.so", 1);
    const auto refused = RecordSession::start(options({"1"}));
    unsetenv(record_environment::kCudaInjection);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error(), HasSubstr("/opt/other.so"));
}

}  // namespace
}  // namespace overlane
