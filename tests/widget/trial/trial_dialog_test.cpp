// The dialog that tries settings: what it asks, what it shows of a trial, and what it says where there is none.
#include "tests/widget/trial/trial_dialog_test.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QTabWidget>

#include "app/trial/budget_box.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/tab_walk.h"

namespace overlane
{
namespace
{

TEST_F(TrialDialogTest, SaysFirstThatTheProgramIsRunAgainAndAgain)
{
    auto* warning = in<QLabel>("trialWarning");
    EXPECT_TRUE(warning->isVisible());
    test::expectText(warning->text());
    EXPECT_LT(warning->mapTo(m_dialog.get(), QPoint()).y(),
              in<QLineEdit>("trialCommand")->mapTo(m_dialog.get(), QPoint()).y());
    EXPECT_TRUE(in<QLabel>("trialEmpty")->isVisible());
    test::expectText(in<QLabel>("trialEmpty")->text());
    EXPECT_FALSE(in<QPushButton>("trialCancel")->isVisible());
    EXPECT_EQ(in<QAbstractSpinBox>("trialBudget")->text(), "5 min");
    take("empty");
}

TEST_F(TrialDialogTest, EveryControlHasANameAndIsReachedByTab)
{
    int controls = 0;
    const QStringList unnamed = unnamedBelow(*m_dialog, &controls);
    EXPECT_TRUE(unnamed.isEmpty()) << qPrintable(unnamed.join('\n'));
    EXPECT_GE(controls, 10);
    expectWalked(m_dialog.get(), 6);
    startWith(StandIn::answer(StandIn::fasterJson()));
    ASSERT_TRUE(waitForEnd());
    auto* pages = in<QTabWidget>("trialTabs");
    for (int page = 0; page < pages->count(); ++page) {
        SCOPED_TRACE(page);
        pages->setCurrentIndex(page);
        handleEvents();
        expectWalked(m_dialog.get(), 8);
    }
}

TEST_F(TrialDialogTest, RunsAreRowsAsTheyEndThenTheAnswerIsShown)
{
    ASSERT_EQ(QProcess::execute("mkfifo", {m_standIn.file("go")}), 0);
    in<QLineEdit>("trialDirectory")->setText(m_standIn.folder());
    auto* budget = in<QAbstractSpinBox>("trialBudget");
    budget->setFocus();
    budget->selectAll();
    QTest::keyClicks(budget, "90 s");
    startWith("printf '%s|' \"$@\" > " + m_standIn.file("asked") + "\n" + StandIn::news(3) + "read go < " +
              m_standIn.file("go") + "\n" + StandIn::answer(StandIn::fasterJson()));
    ASSERT_TRUE(waitForRows(3));
    EXPECT_EQ(cell("trialRuns", 1, 0), "2");
    EXPECT_EQ(cell("trialRuns", 1, 1), "pin_memory=True");
    EXPECT_EQ(cell("trialRuns", 1, 2), "36.1\u2009ms a batch");
    EXPECT_TRUE(in<QPushButton>("trialCancel")->isVisible());
    EXPECT_FALSE(in<QPushButton>("trialStart")->isVisible());
    EXPECT_TRUE(in<QLineEdit>("trialCommand")->isReadOnly());
    EXPECT_FALSE(in<QTabWidget>("trialTabs")->isTabEnabled(1));
    EXPECT_EQ(in<QProgressBar>("trialProgress")->maximum(), 90'000);
    ASSERT_TRUE(QTest::qWaitFor([this] { return in<QProgressBar>("trialProgress")->value() > 0; }, kLongestWaitMs));
    test::expectText(in<QLabel>("trialTime")->text());
    take("running");

    QFile go(m_standIn.file("go"));
    ASSERT_TRUE(go.open(QIODevice::WriteOnly));
    go.write("go\n");
    go.close();
    ASSERT_TRUE(waitForEnd());
    QFile asked(m_standIn.file("asked"));
    ASSERT_TRUE(asked.open(QIODevice::ReadOnly));
    EXPECT_EQ(asked.readAll().toStdString(), "try|--json|--progress-json|--budget|90s|--directory|" +
                                                 m_standIn.folder().toStdString() + "|--|true|--epochs|1|");
    EXPECT_TRUE(in<QLabel>("trialSentence")->isVisible());
    test::expectText(m_dialog->sentence());
    EXPECT_TRUE(in<QLabel>("trialSentence")->text().contains("font-size:17px"));
    ASSERT_EQ(in<QTableView>("trialSettings")->model()->rowCount(), 7);
    EXPECT_EQ(cell("trialSettings", 1, 3), "-16.4 % ± 0.9, faster");
    EXPECT_EQ(cell("trialSettings", 1, 4), QString::fromUtf8("34.8\u2009ms (31.2\u2009ms to 38.1\u2009ms)"));
    EXPECT_EQ(cell("trialSettings", 5, 2), "failed");
    test::expectText(in<QLabel>("trialRemarks")->text());
    EXPECT_TRUE(in<QPushButton>("trialStart")->isVisible());
    QApplication::clipboard()->clear();
    press("trialCopy");
    test::expectText(QApplication::clipboard()->text());
    take("answer");
    m_dialog->resize(1500, 960);
    take("answer_large");
    m_dialog->resize(620, 420);
    take("answer_small");
}

TEST_F(TrialDialogTest, CancelShowsWhatItHas)
{
    startWith(interruptible(StandIn::partialJson()) + StandIn::news(2) + kUntilInterrupted);
    ASSERT_TRUE(waitForRows(2));
    press("trialCancel");
    EXPECT_FALSE(in<QPushButton>("trialCancel")->isEnabled());
    ASSERT_TRUE(waitForEnd());
    test::expectText(m_dialog->sentence());
    EXPECT_EQ(in<QTableView>("trialSettings")->model()->rowCount(), 2) << "what never ran is not listed";
    EXPECT_EQ(cell("trialSettings", 1, 3), "-16.0 %, too few runs");
    EXPECT_FALSE(in<QWidget>("trialChange")->isVisible());
    EXPECT_EQ(in<QTabWidget>("trialTabs")->currentIndex(), 1);
    take("cancelled");
}

TEST_F(TrialDialogTest, CancelledBeforeAnyRunItSaysSo)
{
    startWith("trap 'echo overlane: Cancelled. >&2; exit 130' INT\n" + StandIn::news(0) + kUntilInterrupted);
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return in<QLabel>("trialNow")->text().startsWith("the loader of"); }, kLongestWaitMs));
    press("trialCancel");
    ASSERT_TRUE(waitForEnd());
    test::expectText(m_dialog->sentence());
}

TEST_F(TrialDialogTest, AProgramThatFailsIsShownWithItsWords)
{
    startWith(StandIn::news(0) +
              "echo 'overlane: No process of the program made a torch.utils.data.DataLoader. The program ended with "
              "exit code "
              "2. It printed last:' >&2\necho '  python: can not open file train.py' >&2\nexit 1\n");
    ASSERT_TRUE(waitForEnd());
    test::expectText(m_dialog->sentence());
    EXPECT_FALSE(m_dialog->sentence().contains("overlane:"));
    EXPECT_EQ(in<QPlainTextEdit>("trialCode")->toPlainText(), "python: can not open file train.py");
    EXPECT_FALSE(in<QPushButton>("trialCopy")->isVisible());
    EXPECT_FALSE(in<QTableView>("trialSettings")->isVisible());
    EXPECT_TRUE(in<QPushButton>("trialStart")->isEnabled());
    take("failed");

    m_standIn.write("kill -9 $$\n");
    press("trialStart");
    ASSERT_TRUE(waitForEnd());
    test::expectText(m_dialog->sentence());
    m_standIn.write("echo Faster; exit 0\n");
    press("trialStart");
    ASSERT_TRUE(waitForEnd());
    test::expectText(m_dialog->sentence());
}

TEST_F(TrialDialogTest, SaysWhatIsMissing)
{
    m_standIn.write("exit 0\n");
    press("trialStart");
    test::expectText(error());
    type("no-such-python train.py");
    QTest::keyClick(in<QLineEdit>("trialCommand"), Qt::Key_Return);
    test::expectText(error());
    type("./nothing");
    press("trialStart");
    test::expectText(error());
    type("true 'open");
    press("trialStart");
    EXPECT_TRUE(error().contains("quote")) << error().toStdString();
    type("true");
    in<QLineEdit>("trialDirectory")->setText("/nowhere/at/all");
    press("trialStart");
    test::expectText(error());
    in<QLineEdit>("trialDirectory")->clear();
    m_dialog->setHindrance([] { return QStringLiteral("The GPU is busy."); });
    press("trialStart");
    test::expectText(error());
    EXPECT_FALSE(m_dialog->run()->running());

    m_dialog->run()->setProgram({});
    m_dialog->refresh();
    test::expectText(error());
    EXPECT_FALSE(in<QPushButton>("trialStart")->isEnabled());
    EXPECT_EQ(in<QLabel>("trialEmpty")->text(), QString());
    take("without_overlane");
}

TEST_F(TrialDialogTest, WithoutPythonOnThePathItSaysSo)
{
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_standIn.folder().toLocal8Bit());
    m_dialog->refresh();
    const QString said = in<QLabel>("trialEmpty")->text();
    qputenv("PATH", path);
    test::expectText(said);
    m_dialog->refresh();
    test::expectText(in<QLabel>("trialEmpty")->text());
}

TEST(BudgetBoxTest, IsTypedAndTurnedWithUnits)
{
    BudgetBox box;
    box.setValue(300);
    box.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&box));
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Up);
    EXPECT_EQ(box.text(), "10 min");
    QTest::keyClick(&box, Qt::Key_Down);
    QTest::keyClick(&box, Qt::Key_Down);
    EXPECT_EQ(box.text(), "3 min");
    box.selectAll();
    QTest::keyClicks(&box, "1.5 h");
    QTest::keyClick(&box, Qt::Key_Return);
    EXPECT_EQ(box.value(), 5400);
    box.selectAll();
    QTest::keyClicks(&box, "1 s");
    QTest::keyClick(&box, Qt::Key_Return);
    EXPECT_EQ(box.value(), 10) << "no run fits into less";
}

}  // namespace
}  // namespace overlane
