#include "core/recorder/record_session.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "core/io/format.h"
#include "core/spool/process_life.h"
#include "core/spool/record_control.h"
#include "core/spool/record_environment.h"
#include "core/spool/spool_format.h"
#include "core/trace/rank_properties.h"
#include "tests/support/expect_text.h"
#include "tests/unit/recorder/record_test.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using testing::HasSubstr;

class RecordSessionTest : public test::RecordTest
{
protected:
    RecordOptions options(const std::vector<std::string>& arguments) const
    {
        RecordOptions options = optionsOf(OVERLANE_RECORDED_PROGRAM, arguments);
        options.program.outputFile = m_null;
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
    static bool waitUntil(const std::function<bool()>& holds)
    {
        for (int polls = 0; polls < 3'000; ++polls) {
            if (holds())
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    // Of the one spool there.
    static SpoolOwner writerOf(const std::string& folder)
    {
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == spool::kFileSuffix)
                return spoolOwner(entry.path().filename().string());
        return {};
    }
    static std::vector<std::string> notes(const std::string& file)
    {
        Progress progress;
        const auto trace = readTrace(file, progress);
        std::vector<std::string> sentences;
        if (trace.ok())
            for (const ImportStat& note : trace.value().stats().all())
                sentences.push_back(note.explanation);
        return sentences;
    }

    int m_null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
};

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

TEST_F(RecordSessionTest, AFileThatExistsIsKeptUnlessToldOtherwise)
{
    std::ofstream(m_file) << "mine";
    const auto refused = RecordSession::start(options({"1"}));
    ASSERT_FALSE(refused.ok());
    test::expectText(refused.error());

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

    // What a person protected is not for --overwrite.
    fs::permissions(m_file, fs::perms::owner_read);
    const auto kept = RecordSession::start(replacing);
    ASSERT_FALSE(kept.ok());
    test::expectText(kept.error());
    EXPECT_EQ(count(m_file, EventKind::Kernel), 2);
}

// The largest size of a file that this process may write takes a full disk's part.
class NoRoom
{
public:
    explicit NoRoom(rlim_t bytes)
    {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const struct rlimit little = {bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &little);
    }
    ~NoRoom()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        signal(SIGXFSZ, SIG_DFL);
    }
    NoRoom(const NoRoom&) = delete;
    NoRoom& operator=(const NoRoom&) = delete;

private:
    struct rlimit m_before = {};
};

void put(const std::string& file, const std::string& text)
{
    std::ofstream(file) << text;
}

std::string get(const std::string& file)
{
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST_F(RecordSessionTest, AStartThatFailsLeavesEverythingAsItWas)
{
    put(m_file, "mine");
    put(m_file + "-journal", "of mine");
    RecordOptions replacing = options({"1"});
    replacing.overwrite = true;
    for (int attempt = 1; attempt <= 2; ++attempt) {
        const NoRoom noRoom(8 << 10);  // for the page of the recorder, not for the file
        const auto refused = RecordSession::start(replacing);
        ASSERT_FALSE(refused.ok()) << attempt;
        EXPECT_THAT(refused.error(), HasSubstr(m_file + " cannot be written"));
        EXPECT_EQ(get(m_file), "mine") << attempt;
        EXPECT_EQ(get(m_file + "-journal"), "of mine") << attempt;
        EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 2) << "nothing else";
    }
    fs::remove(m_file);
    fs::remove(m_file + "-journal");
    {
        const NoRoom noRoom(8 << 10);
        EXPECT_FALSE(RecordSession::start(replacing).ok());
    }
    EXPECT_TRUE(fs::is_empty(m_folder)) << "no stub";
}

TEST_F(RecordSessionTest, AFileThatWaitsForAnUnfinishedRecordingIsNeverReplaced)
{
    put(m_file, "unfinished");
    put(m_file + ".before", "good");
    RecordOptions replacing = options({"2"});
    replacing.overwrite = true;
    const auto refused = RecordSession::start(replacing);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error(), HasSubstr(m_file + ".before is there already"));
    EXPECT_EQ(get(m_file), "unfinished");
    EXPECT_EQ(get(m_file + ".before"), "good");
    EXPECT_FALSE(fs::exists(recordingFolder(m_file)));
    // It is not this recording's to remove either.
    fs::remove(m_file);
    ASSERT_TRUE(record(replacing).ok());
    EXPECT_EQ(count(m_file, EventKind::Kernel), 2);
    EXPECT_EQ(get(m_file + ".before"), "good");
}

TEST_F(RecordSessionTest, TheJournalOfAReplacedFileStaysWithIt)
{
    put(m_file, "killed");
    put(m_file + "-journal", "of the killed one");
    RecordOptions replacing = options({"2"});
    replacing.overwrite = true;
    auto session = RecordSession::start(replacing);
    ASSERT_TRUE(session.ok()) << session.error();
    EXPECT_EQ(get(m_file + ".before-journal"), "of the killed one");
    while (session.value()->poll())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_TRUE(session.value()->finish().ok());
    EXPECT_EQ(count(m_file, EventKind::Kernel), 2);
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 1);
}

TEST_F(RecordSessionTest, WhatCannotBeFinishedSaysWhereEverythingIs)
{
    put(m_file, "mine");
    RecordOptions replacing = options({"5"});
    replacing.overwrite = true;
    auto session = RecordSession::start(replacing);
    ASSERT_TRUE(session.ok()) << session.error();
    while (!session.value()->programEnd())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    RecordControl::open(recordingFolder(m_file).c_str()).tellWriteError(ENOSPC);
    {
        const NoRoom noRoom(8 << 10);
        const auto outcome = session.value()->finish();
        ASSERT_FALSE(outcome.ok());
        test::expectText(outcome.error());
        EXPECT_THAT(outcome.error(), HasSubstr(m_file + ".before"));
        test::expectText(outcome.error());
    }
    EXPECT_EQ(get(m_file + ".before"), "mine");
    const std::string rest = m_folder + "/rest.overlane";
    ASSERT_TRUE(recoverRecording(recordingFolder(m_file), rest).ok());
    EXPECT_EQ(count(rest, EventKind::Kernel), 5);
}

TEST_F(RecordSessionTest, WithoutDescriptorsTheAdviceIsAboutThem)
{
    auto session = RecordSession::start(options({"5"}));
    ASSERT_TRUE(session.ok()) << session.error();
    while (!session.value()->programEnd())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    struct rlimit before = {};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit few = {64, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    std::vector<int> all;
    for (int file = 0; (file = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;)
        all.push_back(file);
    const auto outcome = session.value()->finish();
    for (const int file : all)
        ::close(file);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    ASSERT_FALSE(outcome.ok());
    test::expectText(outcome.error());
    ASSERT_TRUE(recoverRecording(recordingFolder(m_file), m_folder + "/rest.overlane").ok());
}

TEST_F(RecordSessionTest, AProcessThatCannotWriteIsToldInTheFileAndAtTheEnd)
{
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer writes a file of its own at a program's start";
#endif
    RecordOptions limited = options({});
    limited.program.command = {"sh", "-c", std::string("ulimit -f 0; exec ") + OVERLANE_RECORDED_PROGRAM + " 20 1 3"};
    const auto outcome = record(limited);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    ASSERT_TRUE(outcome.value().program);
    EXPECT_EQ(outcome.value().program->signal, 0) << "the program is not hurt";
    EXPECT_EQ(outcome.value().program->exitCode, 3);
    EXPECT_EQ(outcome.value().totals.kernels, 0);
    EXPECT_EQ(outcome.value().totals.hindered, 1u) << "so that it is not said that the GPU was not used";
    ASSERT_EQ(outcome.value().warnings.size(), 1u);
    test::expectText(outcome.value().warnings[0]);
    Progress progress;
    const auto trace = readTrace(m_file, progress);
    ASSERT_TRUE(trace.ok()) << trace.error();
    ASSERT_EQ(trace.value().stats().count("recording_note_14"), 1);
    test::expectText(trace.value().stats().all().front().explanation);
}

TEST_F(RecordSessionTest, ASentenceIsToldOnce)
{
    auto session = RecordSession::start(options({"3"}));
    ASSERT_TRUE(session.ok()) << session.error();
    RecordControl::open(recordingFolder(m_file).c_str()).tellWriteError(ENOSPC);
    std::vector<std::string> told;
    while (session.value()->poll()) {
        for (const std::string& sentence : session.value()->takeWarnings())
            told.push_back(sentence);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_EQ(told.size(), 1u) << "while the program runs";
    const auto outcome = session.value()->finish();
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_THAT(outcome.value().warnings, testing::IsEmpty()) << "and again at the end";
}

TEST_F(RecordSessionTest, ASentenceIsToldOnceAlsoWhereTheFileFails)
{
    auto session = RecordSession::start(options({"3"}));
    ASSERT_TRUE(session.ok()) << session.error();
    RecordControl::open(recordingFolder(m_file).c_str()).tellWriteError(ENOSPC);
    session.value()->poll();
    ASSERT_EQ(session.value()->takeWarnings().size(), 1u);
    while (!session.value()->programEnd())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const NoRoom noRoom(8 << 10);
    const auto outcome = session.value()->finish();
    ASSERT_FALSE(outcome.ok());
    test::expectText(outcome.error());
}

TEST_F(RecordSessionTest, WhatCouldNotBeWrittenIsToldAlsoWhenItIsRecovered)
{
    auto session = RecordSession::start(options({"3"}));
    ASSERT_TRUE(session.ok()) << session.error();
    while (!session.value()->programEnd())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    RecordControl::open(recordingFolder(m_file).c_str()).tellWriteError(ENOSPC);
    session.value().reset();
    const std::string rest = m_folder + "/rest.overlane";
    const auto recovered = recoverRecording(recordingFolder(m_file), rest);
    ASSERT_TRUE(recovered.ok()) << recovered.error();
    EXPECT_EQ(recovered.value().totals.hindered, 1u);
    ASSERT_EQ(recovered.value().warnings.size(), 1u);
    test::expectText(recovered.value().warnings[0]);
    Progress progress;
    EXPECT_EQ(readTrace(rest, progress).value().stats().count("recording_note_12"), 1);
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

TEST_F(RecordSessionTest, ARecordingThatGoesOnIsNeitherRecoveredNorReplaced)
{
    auto session = RecordSession::start(options({"3"}));
    ASSERT_TRUE(session.ok()) << session.error();
    while (!session.value()->programEnd())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::string folder = recordingFolder(m_file);
    const auto recovered = recoverRecording(folder, m_folder + "/rest.overlane");
    ASSERT_FALSE(recovered.ok());
    test::expectText(recovered.error());
    RecordOptions again = options({"1"});
    again.overwrite = true;
    const auto second = RecordSession::start(again);
    ASSERT_FALSE(second.ok());
    test::expectText(second.error());

    const auto outcome = session.value()->finish();
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_EQ(outcome.value().totals.kernels, 3);
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
