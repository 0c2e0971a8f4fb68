// "Try it ..." in a window: what it is filled with, a whole trial with a small torch in the shape of PyTorch's, and
// closing the window meanwhile.
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QToolButton>

#include "app/second/second_timelines.h"
#include "app/second/what_if_panel.h"
#include "app/shell/help_window.h"
#include "app/shell/window_shell.h"
#include "app/trial/trial_dialog.h"
#include "app/trial/trial_form.h"
#include "app/trial/trial_tool.h"
#include "app/widgets/message_bar.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/trial/stand_in.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

using test::StandIn;

class WindowTrialTest : public WindowTest
{
protected:
    WindowTrialTest()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_standIn.folder());
        QSettings().clear();
    }
    ~WindowTrialTest() override { QSettings().clear(); }
    void SetUp() override
    {
        QDir().mkpath(QStringLiteral(OVERLANE_PICTURES));
        m_trial = new TrialTool(m_window.shell(), true);
        WindowTest::SetUp();
        m_window.resize(1280, 800);
    }
    void open()
    {
        m_window.secondTimelines()->openWhatIf();
        auto* button = control<QToolButton>("whatIfTry");
        ASSERT_TRUE(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_NE(m_trial->dialog(), nullptr);
        ASSERT_TRUE(m_trial->dialog()->isVisible());
    }
    void press(const char* name) { QTest::mouseClick(control<QPushButton>(name), Qt::LeftButton); }
    TrialRun* run() { return m_trial->dialog()->run(); }
    QString command() { return control<QLineEdit>("trialCommand")->text(); }
    void startStandIn(const QString& script)
    {
        m_standIn.write(script);
        open();
        run()->setProgram(m_standIn.path());
        m_trial->dialog()->refresh();
        control<QLineEdit>("trialCommand")->setText("true");
        press("trialStart");
        ASSERT_TRUE(QTest::qWaitFor([this] { return control<QTableView>("trialRuns")->model()->rowCount() > 0; },
                                    kLongestWaitMs));
    }

    StandIn m_standIn;
    TrialTool* m_trial = nullptr;
};

TEST_F(WindowTrialTest, WithoutARecordingWhatWasRecordedLastIsSuggested)
{
    QSettings().setValue("record/command", "python train.py --last");
    QSettings().setValue("record/directory", "/tmp");
    open();
    EXPECT_EQ(command(), "python train.py --last");
    EXPECT_EQ(control<QLineEdit>("trialDirectory")->text(), "/tmp");
    press("trialHelp");
    EXPECT_EQ(control<HelpWindow>("helpWindow")->page(), "trying");
}

TEST_F(WindowTrialTest, TheShownRecordingsCommandIsSuggestedUntilAnotherIsTyped)
{
    QSettings().setValue("record/command", "python other.py");
    WindowTest::open(QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples/dataloader_pageable_blocking.overlane"));
    const QString title = QString::fromStdString(document()->trace()->metadata().title);
    ASSERT_FALSE(title.isEmpty());
    open();
    EXPECT_EQ(command(), title);
    EXPECT_TRUE(m_window.grab().save(QStringLiteral(OVERLANE_PICTURES "/what_if_panel.png")));
    control<QLineEdit>("trialCommand")->setText("python mine.py");
    press("trialClose");
    EXPECT_FALSE(m_trial->dialog()->isVisible());
    open();
    EXPECT_EQ(command(), "python mine.py");
}

// The real thing, with a small torch in the shape of PyTorch's.
class WholeTrialTest : public WindowTrialTest
{
protected:
    static constexpr int kLongestTrialMs = 120'000;
    // A run of it is timed until it ends, 4 s else: each of its copies takes 2 ms.
    inline static const QString kShort = "--samples 60";

    void SetUp() override
    {
        if (QProcess::execute("python3", {"-c", "import sys; sys.exit(sys.version_info < (3, 8))"}) != 0)
            GTEST_SKIP() << "no Python 3.8 here";
        qputenv("PYTHONDONTWRITEBYTECODE", "1");
        qputenv("PYTHONPATH", OVERLANE_SOURCE_DIR "/tests/unit/pytorch/fake_torch");
        WindowTrialTest::SetUp();
    }
    void TearDown() override { qunsetenv("PYTHONPATH"); }
    void start(const QString& options)
    {
        open();
        run()->setProgram(QStringLiteral(OVERLANE_PROGRAM));
        m_trial->dialog()->refresh();
        control<QLineEdit>("trialCommand")
            ->setText("python3 " OVERLANE_SOURCE_DIR "/tests/unit/pytorch/scripts/copies.py " + options);
        m_trial->dialog()->form()->setBudget(40);
        press("trialStart");
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return !run()->running(); }, kLongestTrialMs);
    }
};

TEST_F(WholeTrialTest, CancelledItShowsWhatItHas)
{
    start(kShort);
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return control<QTableView>("trialRuns")->model()->rowCount() > 0; }, kLongestTrialMs));
    press("trialCancel");
    ASSERT_TRUE(waitForEnd());
    test::expectText(test::withoutFigures(m_trial->dialog()->sentence().toStdString()));
    EXPECT_EQ(control<QTableView>("trialSettings")->model()->index(0, 0).data().toString(), "as it is");
}

TEST_F(WholeTrialTest, AProgramThatFailsIsShownWithItsWords)
{
    start("--no-such-option");
    ASSERT_TRUE(waitForEnd());
    test::expectText(test::withoutFigures(m_trial->dialog()->sentence().toStdString()));
    EXPECT_TRUE(control<QPlainTextEdit>("trialCode")->toPlainText().contains("--no-such-option"));
}

TEST_F(WholeTrialTest, ItEndsWithAnAnswerAndTheLinesToChange)
{
    start("--stream " + kShort);
    ASSERT_TRUE(waitForEnd());
    EXPECT_GE(control<QTableView>("trialRuns")->model()->rowCount(), 2) << m_trial->dialog()->sentence().toStdString();
    EXPECT_TRUE(control<QLabel>("trialSentence")->isVisible());
    test::expectText(test::withoutFigures(m_trial->dialog()->sentence().toStdString()));
    test::expectText(control<QPlainTextEdit>("trialCode")->toPlainText());
    EXPECT_TRUE(QSettings().value("try/command").toString().endsWith("copies.py --stream " + kShort));
    EXPECT_EQ(QSettings().value("try/budgetSeconds").toInt(), 40);
    handleEvents();
    EXPECT_TRUE(m_trial->dialog()->grab().save(QStringLiteral(OVERLANE_PICTURES "/trial_of_copies.png")));
}

TEST_F(WindowTrialTest, WhatGoesOnBehindIsToldWhenItEnds)
{
    ASSERT_EQ(QProcess::execute("mkfifo", {m_standIn.file("go")}), 0);
    startStandIn(StandIn::news(1) + "read go < " + m_standIn.file("go") + "\n" +
                 StandIn::answer(StandIn::fasterJson()));
    press("trialClose");
    press("trialGoOn");
    EXPECT_FALSE(m_trial->dialog()->isVisible());
    QFile go(m_standIn.file("go"));
    ASSERT_TRUE(go.open(QIODevice::WriteOnly));
    go.write("go\n");
    go.close();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !run()->running(); }, kLongestWaitMs));
    test::expectText(m_window.messageBar()->sentence());
    open();
    EXPECT_TRUE(control<QLabel>("trialSentence")->isVisible());
}

TEST_F(WindowTrialTest, TheWindowAsksBeforeItClosesOverATrial)
{
    startStandIn("trap 'exit 130' INT\n" + StandIn::news(1) + "while :; do sleep 0.05; done\n");
    m_window.close();
    EXPECT_TRUE(m_window.isVisible());
    auto* question = control<QMessageBox>("trialLeaveQuestion");
    ASSERT_TRUE(question != nullptr && question->isVisible());
    QTest::keyClick(question, Qt::Key_Escape);
    EXPECT_TRUE(run()->running());
    handleEvents();
    m_window.close();
    press("trialLeave");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_window.isVisible(); }, kLongestWaitMs));
    EXPECT_FALSE(run()->running());
}

}  // namespace
}  // namespace overlane
