// Closing the dialog while settings are tried.
#include <QFile>
#include <QMessageBox>
#include <QSignalSpy>

#include "tests/widget/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/trial/trial_dialog_test.h"

namespace overlane
{
namespace
{

TEST_F(TrialDialogTest, ClosedWhileRunningItAsksAndMayGoOn)
{
    ASSERT_EQ(QProcess::execute("mkfifo", {m_standIn.file("go")}), 0);
    startWith(StandIn::news(1) + "read go < " + m_standIn.file("go") + "\n" + StandIn::news(2) +
              StandIn::answer(StandIn::fasterJson()));
    ASSERT_TRUE(waitForRows(1));
    QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
    EXPECT_TRUE(m_dialog->isVisible());
    auto* question = in<QMessageBox>("trialQuestion");
    ASSERT_TRUE(question != nullptr && question->isVisible());
    press("trialStay");
    EXPECT_TRUE(m_dialog->isVisible());
    EXPECT_TRUE(m_dialog->run()->running());
    handleEvents();
    press("trialClose");
    EXPECT_TRUE(m_dialog->isVisible());
    press("trialGoOn");
    EXPECT_FALSE(m_dialog->isVisible());
    EXPECT_TRUE(m_dialog->run()->running());
    QSignalSpy ended(m_dialog.get(), &TrialDialog::ended);
    QFile go(m_standIn.file("go"));
    ASSERT_TRUE(go.open(QIODevice::WriteOnly));
    go.write("go\n");
    go.close();
    ASSERT_TRUE(waitForEnd());
    EXPECT_EQ(ended.count(), 1);
    m_dialog->show();
    test::expectText(m_dialog->sentence());
}

TEST_F(TrialDialogTest, ClosedWhileRunningItMayEnd)
{
    startWith(interruptible(StandIn::partialJson()) + StandIn::news(2) + kUntilInterrupted);
    ASSERT_TRUE(waitForRows(2));
    m_dialog->close();
    EXPECT_TRUE(m_dialog->isVisible());
    take("question");
    press("trialEnd");
    EXPECT_FALSE(m_dialog->isVisible());
    ASSERT_TRUE(waitForEnd());
    m_dialog->show();
    test::expectText(m_dialog->sentence());
    m_dialog->close();
    EXPECT_FALSE(m_dialog->isVisible()) << "nothing is left to ask";
}

TEST_F(TrialDialogTest, AnEndTakesTheQuestionAway)
{
    ASSERT_EQ(QProcess::execute("mkfifo", {m_standIn.file("go")}), 0);
    startWith(StandIn::news(1) + "read go < " + m_standIn.file("go") + "\n" + StandIn::answer(StandIn::fasterJson()));
    ASSERT_TRUE(waitForRows(1));
    m_dialog->close();
    EXPECT_TRUE(in<QMessageBox>("trialQuestion")->isVisible());
    QFile go(m_standIn.file("go"));
    ASSERT_TRUE(go.open(QIODevice::WriteOnly));
    go.write("go\n");
    go.close();
    ASSERT_TRUE(waitForEnd());
    handleEvents();
    EXPECT_TRUE(m_dialog->isVisible());
    EXPECT_TRUE(in<QLabel>("trialSentence")->isVisible());
}

TEST_F(TrialDialogTest, DestroyedItInterruptsWhatRuns)
{
    startWith("trap 'echo interrupted > " + m_standIn.file("mark") + "; exit 130' INT\n" + StandIn::news(1) +
              kUntilInterrupted);
    ASSERT_TRUE(waitForRows(1));
    m_dialog.reset();
    EXPECT_TRUE(QFile::exists(m_standIn.file("mark")));
}

}  // namespace
}  // namespace overlane
