// The recorder beside a document that follows it.
#include "app/session/recorder.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/session/document.h"
#include "core/spool/record_environment.h"

namespace overlane
{
namespace
{

class RecorderTest : public testing::Test
{
protected:
    static constexpr int kLongestWaitMs = 60'000;

    RecorderTest()
    {
        qunsetenv(record_environment::kCudaInjection);
        QObject::connect(&m_recorder, &Recorder::finished,
                         [this](const RecorderOutcome& outcome) { m_outcome = outcome; });
        QObject::connect(&m_recorder, &Recorder::grown, [this] { m_document.follow(m_recorder.file()); });
    }
    void start(const std::vector<std::string>& arguments)
    {
        RecordOptions options;
        options.program.command = {OVERLANE_RECORDED_PROGRAM};
        options.program.command.insert(options.program.command.end(), arguments.begin(), arguments.end());
        options.output = m_folder.filePath("out.overlane").toStdString();
        options.library = "/dev/null";
        QSignalSpy started(&m_recorder, &Recorder::started);
        m_recorder.start(options, m_folder.filePath("log"));
        ASSERT_TRUE(started.wait(kLongestWaitMs));
        m_document.beginFollowing("out");
    }
    bool waitForPhase(Recorder::Phase phase)
    {
        return QTest::qWaitFor([&] { return m_recorder.phase() == phase; }, kLongestWaitMs);
    }
    bool waitForLanes()
    {
        return QTest::qWaitFor([this] { return m_document.origin() == Document::Origin::Recording; }, kLongestWaitMs);
    }

    const QTemporaryDir m_folder;
    Document m_document;
    Recorder m_recorder;
    RecorderOutcome m_outcome;
};

TEST_F(RecorderTest, TheDocumentFollowsAProgramToItsEnd)
{
    start({"200", "10", "3"});
    ASSERT_TRUE(waitForLanes());
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Idle));
    EXPECT_EQ(m_outcome.error.toStdString(), "");
    EXPECT_EQ(m_outcome.totals.kernels, 200);
    ASSERT_TRUE(m_outcome.program);
    EXPECT_EQ(m_outcome.program->exitCode, 3);
}

TEST_F(RecorderTest, AProgramIsStoppedFromRecordingAndThenEnded)
{
    start({"100000", "5"});
    ASSERT_TRUE(waitForLanes());
    m_recorder.stopRecording();
    ASSERT_TRUE(waitForPhase(Recorder::Phase::GoesOn));
    EXPECT_GT(m_outcome.totals.kernels, 0);
    EXPECT_FALSE(m_outcome.program);
    QSignalSpy ended(&m_recorder, &Recorder::programEnded);
    m_recorder.endProgram();
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Idle));
    EXPECT_EQ(ended.count(), 1);
}

TEST_F(RecorderTest, AProgramThatCannotStartIsASentence)
{
    RecordOptions options;
    options.program.command = {"no-such-program"};
    options.output = m_folder.filePath("out.overlane").toStdString();
    options.library = "/dev/null";
    QSignalSpy refused(&m_recorder, &Recorder::notStarted);
    m_recorder.start(options, m_folder.filePath("log"));
    ASSERT_TRUE(refused.wait(kLongestWaitMs));
    EXPECT_TRUE(refused.front().front().toString().contains("no-such-program"));
    EXPECT_EQ(m_recorder.phase(), Recorder::Phase::Idle);
}

}  // namespace
}  // namespace overlane
