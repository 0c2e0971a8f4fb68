// A trace that was opened is a document: what takes its place, what returns to it, and what of the trace
// before stays behind.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <QStatusBar>

#include "app/laboratory/laboratory_panel.h"
#include "app/second/compare_panel.h"
#include "app/second/second_timelines.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

const char* const kOther = "w4_page_b_main_d4.pt.trace.json.gz";

class OpenedTraceTest : public WindowTest
{
protected:
    Laboratory& laboratory() { return *document()->laboratory(); }
    ViewRange* view() { return document()->view(); }
    CompareSource* comparison() { return m_window.secondTimelines()->comparison(); }
    void press(const char* label)
    {
        QAction* action = actionNamed(m_window, QString::fromUtf8(label));
        ASSERT_NE(action, nullptr) << label;
        action->trigger();
    }
    // The action's text has what it would take back.
    void undo()
    {
        for (QAction* action : allActions(m_window))
            if (action->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_Z)))
                return action->trigger();
        FAIL() << "no undo";
    }
    void redo()
    {
        for (QAction* action : allActions(m_window))
            if (action->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_Y)))
                return action->trigger();
        FAIL() << "no redo";
    }
    void wait()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !document()->busy() && !m_window.secondTimelines()->busy(); },
                                    kLongestWaitMs));
    }
    QTemporaryDir m_folder;
};

TEST_F(OpenedTraceTest, NoChangeOfTheLaboratoryTakesItsPlace)
{
    open(recorded(kPinnedRun));
    const auto trace = document()->trace();
    QTest::keyClick(control<QSlider>("workers_slider"), Qt::Key_Right);
    QTest::keyClick(control<QComboBox>("preset"), Qt::Key_Down);
    QTest::keyClick(control<QComboBox>("device"), Qt::Key_Down);
    laboratory().undoStack()->undo();
    settle();
    EXPECT_EQ(document()->trace(), trace);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    EXPECT_EQ(m_window.timeline()->trace(), trace);
}

TEST_F(OpenedTraceTest, AskedForTheRunComesAndUndoReturnsToAllOfIt)
{
    open(recorded(kPinnedRun));
    const auto trace = document()->trace();
    document()->setNotes("of the file");
    m_window.timeline()->setFocus();
    QTest::keyClick(m_window.timeline(), Qt::Key_M);
    const QString bookmarks = document()->bookmarks();
    ASSERT_FALSE(bookmarks.isEmpty());
    const QString path = m_folder.filePath("kept.overlane");
    document()->save(path);
    settle();
    const Interval whole = view()->limits();
    const Interval looked{whole.startNs + whole.lengthNs() / 4, whole.startNs + whole.lengthNs() / 3};
    view()->setRange(looked);
    document()->selection()->setRange(looked);
    document()->selection()->setEvent(EventIndex(7));

    laboratory().set(*findSetting("workers"), 2);
    auto* simulate = m_window.findChild<QPushButton*>("simulateInstead");
    ASSERT_NE(simulate, nullptr);
    QTest::mouseClick(simulate, Qt::LeftButton);
    settle();
    ASSERT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_TRUE(document()->notes().isEmpty());
    EXPECT_EQ(view()->range(), view()->limits());
    EXPECT_FALSE(simulate->isVisible());
    const auto run = document()->trace();
    laboratory().set(*findSetting("workers"), 3);
    settle();
    ASSERT_NE(document()->trace(), run) << "a run follows the settings again";

    undo();
    settle();
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    undo();
    settle();
    EXPECT_EQ(document()->trace(), trace);
    EXPECT_EQ(document()->path(), path);
    EXPECT_EQ(document()->notes(), "of the file");
    EXPECT_EQ(control<QPlainTextEdit>("notes")->toPlainText(), "of the file");
    EXPECT_EQ(document()->bookmarks(), bookmarks);
    EXPECT_EQ(m_window.timeline()->bookmarks()->toText(), bookmarks);
    EXPECT_EQ(view()->range(), looked);
    EXPECT_EQ(document()->selection()->range(), looked);
    EXPECT_EQ(document()->selection()->event(), EventIndex(7));
    EXPECT_FALSE(document()->dirty());
    EXPECT_TRUE(m_window.windowTitle().contains("kept.overlane"));
    EXPECT_EQ(scenario().workers, 2);

    redo();
    settle();
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    undo();
    EXPECT_EQ(document()->trace(), trace);
}

TEST_F(OpenedTraceTest, NotesGivenUpForARunAreUnsavedAgainWhenUndoReturns)
{
    open(recorded(kPinnedRun));
    document()->setNotes("given up");
    {
        const Answering answer(QMessageBox::Cancel);
        document()->run();
        EXPECT_TRUE(QTest::qWaitFor([&] { return answer.questions() == 1; }));
        settle();
        EXPECT_EQ(document()->path(), recorded(kPinnedRun));
        EXPECT_EQ(document()->notes(), "given up");
    }
    const Answering answer(QMessageBox::Discard);
    document()->run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return document()->origin() == Document::Origin::Laboratory; }, kLongestWaitMs));
    EXPECT_FALSE(document()->dirty());
    undo();
    EXPECT_EQ(document()->notes(), "given up");
    EXPECT_TRUE(document()->dirty());
    document()->giveUpNotes();
}

TEST_F(OpenedTraceTest, CancelledTheFirstStepsChangeNoSetting)
{
    laboratory().set(*findSetting("workers"), 2);
    settle();
    open(recorded(kPinnedRun));
    document()->setNotes("mine");
    const Laboratory::State before = laboratory().state();
    const Answering answer(QMessageBox::Cancel);
    press("First steps");
    EXPECT_TRUE(QTest::qWaitFor([&] { return answer.questions() == 1; }));
    settle();
    EXPECT_EQ(laboratory().state(), before);
    EXPECT_EQ(control<QDoubleSpinBox>("workers")->value(), 2);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    document()->giveUpNotes();
}

TEST_F(OpenedTraceTest, AnotherFileEndsWhatUndoWouldReturnTo)
{
    open(recorded(kPinnedRun));
    document()->run();
    settle();
    open(recorded(kOther));
    const auto trace = document()->trace();
    undo();
    settle();
    EXPECT_EQ(document()->trace(), trace);
    EXPECT_EQ(laboratory().undoStack()->count(), 0);
}

TEST_F(OpenedTraceTest, TheKeptRunIsOfTheLaboratoryAndEndsWithAFile)
{
    document()->keepAsBaseline();
    ASSERT_NE(document()->baseline().trace, nullptr);
    laboratory().applyPreset(allPresets()[3]);
    settle();
    EXPECT_NE(document()->baseline().trace, nullptr) << "it is there to be compared with other runs";
    open(recorded(kPinnedRun));
    EXPECT_EQ(document()->baseline().trace, nullptr);
    // Kept on purpose, a file is compared with the run that is asked for next.
    document()->keepAsBaseline();
    document()->run();
    settle();
    EXPECT_NE(document()->baseline().trace, nullptr);
    open(recorded(kOther));
    EXPECT_EQ(document()->baseline().trace, nullptr);
}

TEST_F(OpenedTraceTest, AComparisonEndsWithTheTraceItWasChosenFor)
{
    open(recorded(kPinnedRun));
    m_window.compareWith(recorded(kOther));
    wait();
    ASSERT_TRUE(comparison()->active());
    open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/hta_alexnet.json.gz"));
    wait();
    EXPECT_FALSE(comparison()->active());
    EXPECT_FALSE(m_window.secondTimelines()->comparePanel()->isVisible());
    // Asked for with the file, whichever of the two is read first.
    document()->open(recorded(kPinnedRun));
    m_window.compareWith(recorded(kOther));
    wait();
    EXPECT_TRUE(comparison()->active());
    document()->run();
    wait();
    EXPECT_FALSE(comparison()->active());
    // Runs of the laboratory follow each other under it.
    m_window.compareWith(recorded(kOther));
    wait();
    laboratory().set(*findSetting("workers"), 2);
    wait();
    EXPECT_TRUE(comparison()->active());
}

TEST_F(OpenedTraceTest, AFileAndAPresetAreShownAfresh)
{
    const Interval whole = view()->limits();
    const Interval looked{whole.startNs + whole.lengthNs() / 4, whole.startNs + whole.lengthNs() / 3};
    view()->setRange(looked);
    open(recorded(kPinnedRun));
    const Interval active = document()->judgedRange();
    const auto stepsInSight = [this] { return wholeSteps(document()->current().steps.steps, view()->range()); };
    EXPECT_TRUE(view()->range() == view()->limits() || stepsInSight() == 3)
        << view()->range().startNs << " " << view()->range().endNs;
    EXPECT_FALSE(view()->canGoBack()) << "the old ranges are of another trace";
    view()->setRange({active.startNs, active.startNs + active.lengthNs() / 4});
    open(recorded(kOther));
    EXPECT_TRUE(view()->range() == view()->limits() || stepsInSight() == 3)
        << view()->range().startNs << " " << view()->range().endNs;
    document()->run();
    settle();
    view()->setRange(looked);
    laboratory().set(*findSetting("workers"), 2);
    settle();
    EXPECT_EQ(view()->range(), looked) << "a run after a run does not jump";
    laboratory().applyPreset(allPresets()[3]);
    settle();
    EXPECT_EQ(view()->range(), view()->limits());
}

TEST_F(OpenedTraceTest, SavedUnderAnotherNameItIsCalledByThat)
{
    open(recorded(kPinnedRun));
    QString path = m_folder.filePath("renamed.overlane");
    m_window.setFileChooser({{}, [&](auto...) { return path; }});
    ASSERT_TRUE(m_window.saveAs());
    settle();
    EXPECT_TRUE(m_window.windowTitle().contains("renamed.overlane")) << m_window.windowTitle().toStdString();
    EXPECT_TRUE(m_window.statusBar()->currentMessage().contains("renamed.overlane"));
    open(recorded(kOther));
    EXPECT_TRUE(m_window.statusBar()->currentMessage().isEmpty())
        << m_window.statusBar()->currentMessage().toStdString();
}

TEST_F(OpenedTraceTest, ANameThatSettingsBroughtIsTheirsAlone)
{
    Scenario other = scenario();
    other.name = "one stream";
    other.copyStream = CopyStream::Compute;
    laboratory().takeOver({other, {}, {}}, "elsewhere");
    settle();
    EXPECT_EQ(document()->title(), "one stream");
    laboratory().set(*findSetting("copy_stream"), 1);
    settle();
    test::expectText(document()->title());
    laboratory().set(*findSetting("copy_stream"), 0);
    settle();
    EXPECT_EQ(document()->title(), "one stream");
}

TEST_F(OpenedTraceTest, ThePanelSaysWhereItsSettingsAreFrom)
{
    auto* preset = control<QComboBox>("preset");
    // Settings that no file brought are not from one.
    Scenario point = scenario();
    point.name = "a point";
    laboratory().takeOver({point, {}, {}}, "Point of a sweep");
    settle();
    EXPECT_EQ(preset->currentIndex(), -1);
    EXPECT_FALSE(preset->placeholderText().contains("file")) << preset->placeholderText().toStdString();
    const QString path = m_folder.filePath("kept.overlane");
    document()->save(path);
    settle();
    open(path);
    EXPECT_TRUE(preset->placeholderText().contains("file"));
}

}  // namespace
}  // namespace overlane
