// Recordings that fail or would replace something: what is kept, and what is said.
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "core/io/format.h"
#include "core/spool/record_control.h"
#include "tests/support/expect_text.h"
#include "tests/unit/recorder/record_session_fixture.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using test::RecordSessionTest;
using testing::HasSubstr;

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
