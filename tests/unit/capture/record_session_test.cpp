#include "core/capture/record_session.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/analysis/summary.h"
#include "core/io/format.h"
#include "core/record/record_environment.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using testing::HasSubstr;

class RecordSessionTest : public testing::Test
{
protected:
    void SetUp() override
    {
        fs::create_directories(m_folder);
        unsetenv(record_environment::kCudaInjection);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    RecordOptions options(std::vector<std::string> arguments) const
    {
        RecordOptions options;
        options.program.command = {OVERLANE_RECORDED_PROGRAM};
        options.program.command.insert(options.program.command.end(), arguments.begin(), arguments.end());
        options.program.outputFile = m_null;
        options.output = m_file;
        options.gauges = false;
        options.library = "/dev/null";  // what stands for the program writes its spool itself
        return options;
    }
    Result<RecordOutcome> record(const RecordOptions& options)
    {
        auto session = RecordSession::start(options);
        if (!session.ok())
            return Error{session.error()};
        while (session.value()->poll())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return session.value()->finish();
    }
    static std::int64_t count(const std::string& file, EventKind kind)
    {
        Progress progress;
        const auto trace = readTrace(file, progress);
        EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
        if (!trace.ok())
            return -1;
        const auto& kinds = trace.value().columns().kind;
        return std::count(kinds.begin(), kinds.end(), kind);
    }

    std::string m_folder = testing::TempDir() + "overlane_record_" + std::to_string(getpid());
    std::string m_file = m_folder + "/out.overlane";
    int m_null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
};

TEST_F(RecordSessionTest, EverythingTheProgramDidIsInTheFile)
{
    const auto outcome = record(options({"20", "1", "3"}));
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    ASSERT_TRUE(outcome.value().program);
    EXPECT_EQ(outcome.value().program->exitCode, 3);
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
    constexpr int kSteps = 150;
    const pid_t recorder = fork();
    if (recorder == 0) {
        auto session = RecordSession::start(options({std::to_string(kSteps), "20"}));
        while (session.ok() && session.value()->poll())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1600));
    kill(recorder, SIGKILL);
    ASSERT_EQ(waitpid(recorder, nullptr, 0), recorder);

    EXPECT_GT(count(m_file, EventKind::Kernel), 0);
    // The program does not notice, and goes on writing for a good second.
    std::this_thread::sleep_for(std::chrono::milliseconds(4000));
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
    for (int polls = 0; polls < 60; ++polls) {
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

TEST_F(RecordSessionTest, AFileThatExistsIsKeptUnlessToldOtherwise)
{
    std::ofstream(m_file) << "mine";
    const auto refused = RecordSession::start(options({"1"}));
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error(), HasSubstr("exists already"));

    RecordOptions missing = options({});
    missing.program.command = {"no-such-program-at-all"};
    missing.overwrite = true;
    ASSERT_FALSE(RecordSession::start(missing).ok());
    std::string text;
    std::ifstream(m_file) >> text;
    EXPECT_EQ(text, "mine");
    EXPECT_FALSE(fs::exists(recordingFolder(m_file)));

    RecordOptions replacing = options({"2"});
    replacing.overwrite = true;
    ASSERT_TRUE(record(replacing).ok());
    EXPECT_EQ(count(m_file, EventKind::Kernel), 2);
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

TEST_F(RecordSessionTest, AFolderThatIsNoRecordingIsNotTouched)
{
    std::ofstream(m_folder + "/precious") << "mine";
    const auto refused = recoverRecording(m_folder, m_file);
    EXPECT_FALSE(refused.ok());
    EXPECT_TRUE(fs::exists(m_folder + "/precious"));
    EXPECT_FALSE(fs::exists(m_file));
}

}  // namespace
}  // namespace overlane
