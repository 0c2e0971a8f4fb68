// Recording a program from the window, with a program that stands for one that uses CUDA.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include "app/recording/record_bar.h"
#include "app/recording/record_dialog.h"
#include "app/session/document.h"
#include "app/session/gpu_runs.h"
#include "app/session/recorder.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"
#include "app/verdict/verdict_bar.h"
#include "core/spool/record_environment.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class RecordTest : public WindowTest
{
protected:
    void SetUp() override
    {
        qunsetenv(record_environment::kCudaInjection);
        m_window.setRecordLibrary("/dev/null");  // what stands for the program writes its spool itself
        WindowTest::SetUp();
    }

    // The dialog, from the menu.
    RecordDialog* ask()
    {
        actionNamed(m_window, "Record a program …")->trigger();
        auto* dialog = control<RecordDialog>("recordDialog");
        EXPECT_TRUE(QTest::qWaitForWindowActive(dialog));
        return dialog;
    }
    void type(const char* field, const QString& words)
    {
        auto* line = control<QLineEdit>(field);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, words);
    }
    void fill(const QString& arguments)
    {
        type("recordCommand", QStringLiteral("'" OVERLANE_RECORDED_PROGRAM "' ") + arguments);
        type("recordOutputFile", m_file);
    }
    void press(const char* button) { QTest::mouseClick(control<QPushButton>(button), Qt::LeftButton); }
    bool waitForPhase(Recorder::Phase phase)
    {
        return QTest::qWaitFor([&] { return m_window.recorder()->phase() == phase; }, kLongestWaitMs);
    }
    void record(const QString& arguments)
    {
        ask();
        fill(arguments);
        press("recordStart");
        auto* dialog = control<RecordDialog>("recordDialog");
        ASSERT_TRUE(QTest::qWaitFor([&] { return bar()->isVisible() || !dialog->error().isEmpty(); }, kLongestWaitMs));
        ASSERT_TRUE(bar()->isVisible()) << dialog->error().toStdString();
    }
    RecordBar* bar() { return m_window.recordBar(); }
    // With plain spaces.
    QString sentence() { return bar()->sentence().simplified(); }

    QTemporaryDir m_folder;
    QString m_file = m_folder.filePath("recorded.overlane");
};

TEST_F(RecordTest, WithoutAGpuThatIsSaidBeforeAnythingIsTyped)
{
    const auto answer = [&](const GpuSupport& support) {
        QSignalSpy changed(document()->gpuRuns(), &GpuRuns::supportChanged);
        document()->gpuRuns()->detect([support] { return support; });
        ASSERT_TRUE(QTest::qWaitFor([&] { return changed.count() > 0; }, kLongestWaitMs));
    };
    answer(describeGpuSupport(false, 0, {}, false));
    RecordDialog* dialog = ask();
    auto* notice = dialog->findChild<QLabel*>("gpuNotice");
    EXPECT_TRUE(notice->isVisible());
    EXPECT_LT(notice->geometry().bottom(), control<QLineEdit>("recordCommand")->geometry().top());
    EXPECT_LE(control<QPlainTextEdit>("recordEnvironment")->geometry().bottom(),
              control<QLineEdit>("recordOutputFile")->geometry().top())
        << "nothing is squeezed";
    test::expectText(notice->text());
    press("recordStart");
    ASSERT_FALSE(dialog->error().isEmpty());
    QCoreApplication::processEvents();
    EXPECT_LE(control<QPlainTextEdit>("recordEnvironment")->geometry().bottom(),
              control<QLineEdit>("recordOutputFile")->geometry().top())
        << "nor when a sentence is added";
    answer(describeGpuSupport(true, 13000, {"NVIDIA H200"}, true));
    EXPECT_FALSE(notice->isVisible());
    dialog->close();
}

TEST_F(RecordTest, WhatWasRecordedOpensAtTheEnd)
{
    QSignalSpy opened(document(), &Document::opened);
    record("20 1");
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, kLongestWaitMs));
    EXPECT_EQ(document()->path(), m_file);
    EXPECT_EQ(device().kernels, 20);
    EXPECT_EQ(m_window.recorder()->phase(), Recorder::Phase::Idle);
    test::expectText(test::withoutFigures(sentence().toStdString()));
    EXPECT_FALSE(control<QPushButton>("recordStop")->isVisible());
    EXPECT_EQ(m_window.findChild<RecordDialog*>("recordDialog"), nullptr);
    EXPECT_TRUE(bar()->isVisible());
    open(recorded(kPinnedRun));
    EXPECT_FALSE(bar()->isVisible()) << "beside another trace";
}

TEST_F(RecordTest, TheLanesGrowWhileTheProgramRuns)
{
    record("300 10");
    ASSERT_TRUE(QTest::qWaitFor([&] { return document()->origin() == Document::Origin::Recording; }, kLongestWaitMs));
    const int early = device().kernels;
    EXPECT_LT(early, 300);
    const Interval whole = document()->trace()->span();
    EXPECT_EQ(document()->view()->range(), document()->view()->limits());
    EXPECT_TRUE(sentence().startsWith("Recording")) << sentence().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return device().kernels > early; }, kLongestWaitMs));
    EXPECT_GT(document()->trace()->span().endNs, whole.endNs);
    ASSERT_TRUE(QTest::qWaitFor([&] { return document()->origin() == Document::Origin::File; }, kLongestWaitMs));
    EXPECT_EQ(device().kernels, 300);
}

TEST_F(RecordTest, NotesAndBookmarksMadeMeanwhileStayWithWhatWasRecorded)
{
    record("300 10");
    ASSERT_TRUE(QTest::qWaitFor([&] { return document()->origin() == Document::Origin::Recording; }, kLongestWaitMs));
    auto* notes = control<QPlainTextEdit>("notes");
    QTest::keyClicks(notes, "seen live");
    TimelineView* timeline = m_window.timeline();
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_M);
    const std::vector<Bookmark> made = timeline->bookmarks()->all();
    ASSERT_EQ(made.size(), 1u);

    // The lanes grow under them.
    const int early = device().kernels;
    ASSERT_TRUE(QTest::qWaitFor([&] { return device().kernels > early; }, kLongestWaitMs));
    ASSERT_EQ(document()->origin(), Document::Origin::Recording);
    EXPECT_EQ(document()->notes(), "seen live");
    EXPECT_EQ(notes->toPlainText(), "seen live");
    EXPECT_EQ(timeline->bookmarks()->all(), made);

    // The whole trace takes the place of its beginning, and they are still to be saved.
    ASSERT_TRUE(QTest::qWaitFor([&] { return document()->origin() == Document::Origin::File; }, kLongestWaitMs));
    EXPECT_EQ(device().kernels, 300);
    EXPECT_EQ(notes->toPlainText(), "seen live");
    EXPECT_EQ(timeline->bookmarks()->all(), made);
    EXPECT_TRUE(document()->dirty());
    ASSERT_TRUE(m_window.save());
    settle();
    EXPECT_FALSE(document()->dirty());
    MainWindow second(false);
    second.document()->open(m_file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !second.document()->busy(); }, kLongestWaitMs));
    EXPECT_EQ(second.document()->notes(), "seen live");
    EXPECT_EQ(second.timeline()->bookmarks()->all(), made);
}

TEST_F(RecordTest, WithTheLightKindsTheVerdictClaimsNothingOfKernels)
{
    QSignalSpy opened(document(), &Document::opened);
    ask();
    fill("300 1");
    auto* kinds = control<QComboBox>("recordKinds");
    kinds->setCurrentIndex(kinds->findData("light"));
    press("recordStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, kLongestWaitMs));
    const std::string said = m_window.verdictBar()->sentence().toStdString();
    test::expectText(said);
    EXPECT_TRUE(control<QLabel>("verdictNumbers")->text().isEmpty());
}

TEST_F(RecordTest, StoppingKeepsTheTraceAndLeavesTheProgramToBeEnded)
{
    record("100000 5");
    ASSERT_TRUE(QTest::qWaitFor([&] { return sentence().contains("kernels"); }, kLongestWaitMs));
    QSignalSpy opened(document(), &Document::opened);
    press("recordStop");
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, kLongestWaitMs));
    EXPECT_GT(device().kernels, 0);
    EXPECT_EQ(m_window.recorder()->phase(), Recorder::Phase::GoesOn);
    test::expectText(test::withoutFigures(sentence().toStdString()));
    press("recordEnd");
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Idle));
    EXPECT_TRUE(sentence().contains("signal 2")) << sentence().toStdString();
}

TEST_F(RecordTest, AProgramThatIgnoresTheFirstRequestIsKilledByTheSecond)
{
    ask();
    type("recordCommand", QStringLiteral("sh -c \"trap 'echo heard' INT; echo deaf; while :; do sleep 0.05; done\""));
    type("recordOutputFile", m_file);
    press("recordStart");
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Recording));
    QTest::mouseClick(control<QToolButton>("recordDetails"), Qt::LeftButton);
    auto* output = control<QPlainTextEdit>("recordOutput");
    ASSERT_TRUE(QTest::qWaitFor([&] { return output->toPlainText().contains("deaf"); }, kLongestWaitMs));
    auto* end = control<QPushButton>("recordEnd");
    EXPECT_EQ(end->text(), "End program");
    press("recordEnd");
    EXPECT_EQ(end->text(), "Kill program");
    ASSERT_TRUE(QTest::qWaitFor([&] { return output->toPlainText().contains("heard"); }, kLongestWaitMs));
    EXPECT_EQ(m_window.recorder()->phase(), Recorder::Phase::Recording);
    press("recordEnd");
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Idle));
    EXPECT_TRUE(sentence().contains("signal 9")) << sentence().toStdString();
    test::expectText(bar()->warning());
    settle();
}

TEST_F(RecordTest, WhatCannotBeDoneIsSaidInTheDialogThatKeepsWhatWasTyped)
{
    RecordDialog* dialog = ask();
    press("recordStart");
    test::expectText(dialog->error());

    type("recordCommand", "a | b");
    press("recordStart");
    test::expectText(dialog->error());
    type("recordCommand", "python 'x");
    press("recordStart");
    EXPECT_TRUE(dialog->error().contains("quote")) << dialog->error().toStdString();

    QFile log(m_file + ".log");  // of an earlier recording
    ASSERT_TRUE(log.open(QIODevice::WriteOnly));
    log.write("precious");
    log.close();
    type("recordCommand", "no-such-program --epochs 3");
    type("recordOutputFile", m_file);
    press("recordStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return dialog->error().contains("no-such-program"); }, kLongestWaitMs));
    EXPECT_EQ(control<QLineEdit>("recordCommand")->text(), "no-such-program --epochs 3");
    EXPECT_FALSE(QFile::exists(m_file));
    EXPECT_EQ(QFileInfo(log).size(), 8);
    EXPECT_EQ(QDir(m_folder.path()).entryList(QDir::Files).size(), 1) << "nothing is left of it";
    EXPECT_FALSE(bar()->isVisible());

    control<QPlainTextEdit>("recordEnvironment")->setPlainText("A=1\nhello\n");
    press("recordStart");
    EXPECT_TRUE(dialog->error().contains("\"hello\"")) << dialog->error().toStdString();
    control<QPlainTextEdit>("recordEnvironment")->clear();
    type("recordDirectory", "/no/such/folder");
    press("recordStart");
    EXPECT_TRUE(dialog->error().contains("/no/such/folder")) << dialog->error().toStdString();
    type("recordDirectory", m_folder.path());

    QFile there(m_file);
    ASSERT_TRUE(there.open(QIODevice::WriteOnly));
    there.write("precious");
    there.close();
    press("recordStart");
    test::expectText(dialog->error());
    EXPECT_EQ(QFileInfo(m_file).size(), 8);
    EXPECT_TRUE(dialog->isVisible());

    m_window.setRecordLibrary({});
    EXPECT_EQ(m_window.recorder()->phase(), Recorder::Phase::Idle);
}

TEST_F(RecordTest, WithoutTheLibraryTheDialogSaysSo)
{
    m_window.setRecordLibrary({});
    RecordDialog* dialog = ask();
    fill("3");
    press("recordStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !dialog->error().isEmpty(); }, kLongestWaitMs));
    test::expectText(dialog->error());
    EXPECT_TRUE(control<QPushButton>("recordStart")->isEnabled());
}

TEST_F(RecordTest, EveryFieldReachesTheRecording)
{
    RecordDialog* dialog = ask();
    type("recordCommand", "'my program' --name \"a b\" '$x'");
    type("recordDirectory", m_folder.path());
    control<QPlainTextEdit>("recordEnvironment")->setPlainText("A=1\n\n B=x=y\n");
    auto* kinds = control<QComboBox>("recordKinds");
    kinds->setCurrentIndex(kinds->findData("light"));
    control<QCheckBox>("recordPytorch")->setChecked(true);
    EXPECT_TRUE(control<QCheckBox>("recordStacks")->isChecked());
    control<QCheckBox>("recordStacks")->setChecked(false);
    control<QDoubleSpinBox>("recordDelay")->setValue(2.5);
    control<QDoubleSpinBox>("recordDuration")->setValue(10);
    control<QDoubleSpinBox>("recordSize")->setValue(0.5);
    type("recordOutputFile", m_folder.filePath("named"));
    control<QCheckBox>("recordOverwrite")->setChecked(true);

    const auto read = dialog->options();
    ASSERT_TRUE(read.ok()) << read.error();
    const RecordOptions& options = read.value();
    EXPECT_EQ(options.program.command, (std::vector<std::string>{"my program", "--name", "a b", "$x"}));
    EXPECT_EQ(options.program.directory, m_folder.path().toStdString());
    EXPECT_EQ(options.program.environment,
              (std::vector<std::pair<std::string, std::string>>{{"A", "1"}, {"B", "x=y"}}));
    EXPECT_EQ(options.kinds, RecordKinds::light());
    EXPECT_TRUE(options.pytorch);
    EXPECT_EQ(options.stacksUs, 0);
    EXPECT_EQ(options.delaySeconds, 2.5);
    EXPECT_EQ(options.durationSeconds, 10);
    EXPECT_EQ(options.iterations, 0);
    EXPECT_EQ(options.maxBytes, 512u << 20);
    EXPECT_EQ(options.output, m_folder.filePath("named.overlane").toStdString());
    EXPECT_TRUE(options.overwrite);
}

TEST_F(RecordTest, IterationsStandInPlaceOfSeconds)
{
    RecordDialog* dialog = ask();
    type("recordCommand", "train");
    auto* delay = control<QDoubleSpinBox>("recordDelay");
    delay->setValue(2.5);
    EXPECT_FALSE(control<QSpinBox>("recordAfter")->isEnabled());
    control<QSpinBox>("recordIterations")->setValue(12);
    EXPECT_FALSE(delay->isEnabled());
    EXPECT_FALSE(control<QDoubleSpinBox>("recordDuration")->isEnabled());
    control<QSpinBox>("recordAfter")->setValue(8);
    const auto read = dialog->options();
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().iterations, 12);
    EXPECT_EQ(read.value().afterIterations, 8);
    EXPECT_EQ(read.value().delaySeconds, 0);
    control<QSpinBox>("recordIterations")->setValue(0);
    EXPECT_TRUE(delay->isEnabled());
    EXPECT_EQ(dialog->options().value().delaySeconds, 2.5);
}

TEST_F(RecordTest, TheFileIsNamedAfterTheProgramUntilItIsNamedByHand)
{
    ask();
    const auto* output = control<QLineEdit>("recordOutputFile");
    type("recordCommand", "python -u jobs/train.py --lr 1");
    EXPECT_TRUE(QFileInfo(output->text()).fileName().startsWith("train-20")) << output->text().toStdString();
    type("recordCommand", "/opt/bin/simulate fast");
    EXPECT_TRUE(QFileInfo(output->text()).fileName().startsWith("simulate-20")) << output->text().toStdString();
    type("recordOutputFile", m_file);
    type("recordCommand", "other");
    EXPECT_EQ(output->text(), m_file);
}

TEST_F(RecordTest, WhoLooksAtAnotherTraceIsNotPulledAway)
{
    record("60 5");
    open(recorded(kPinnedRun));
    ASSERT_EQ(document()->path(), recorded(kPinnedRun));
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Idle));
    settle();
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    auto* button = control<QPushButton>("recordOpen");
    ASSERT_TRUE(button->isVisible());
    press("recordOpen");
    settle();
    EXPECT_EQ(document()->path(), m_file);
    EXPECT_EQ(device().kernels, 60);
}

TEST_F(RecordTest, AClosingWindowAsksAndKeepsWhatWasRecorded)
{
    record("2000 5");
    ASSERT_TRUE(QTest::qWaitFor([&] { return sentence().contains("kernels"); }, kLongestWaitMs));
    {
        const Answering no(QMessageBox::Cancel);
        EXPECT_FALSE(m_window.close());
        EXPECT_EQ(no.questions(), 1);
    }
    EXPECT_TRUE(m_window.recorder()->recording());
    const Answering yes(QMessageBox::Close);
    EXPECT_TRUE(m_window.close());
    EXPECT_EQ(yes.questions(), 1);
    m_window.recorder()->endProgram();
    m_window.recorder()->endProgram();
    ASSERT_TRUE(waitForPhase(Recorder::Phase::Idle));
    settle();
}

TEST_F(RecordTest, CommandAndEnvironmentAreInAFontOfOneWidth)
{
    ask();
    for (const char* name : {"recordCommand", "recordEnvironment"}) {
        const auto* field = control<QWidget>(name);
        EXPECT_EQ(field->fontMetrics().horizontalAdvance("iiii"), field->fontMetrics().horizontalAdvance("MMMM"))
            << name;
    }
}

}  // namespace
}  // namespace overlane
