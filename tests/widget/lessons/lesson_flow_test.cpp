// A lesson from the prediction to the solved exercise, as a person goes through it.
#include <cmath>
#include <gtest/gtest.h>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>

#include "app/lessons/difference_strip.h"
#include "app/timeline/title_label.h"
#include "app/widgets/firm_units.h"
#include "app/widgets/text.h"
#include "core/runs/run_metrics.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/lessons/lessons_window.h"

namespace overlane
{
namespace
{

class LessonFlow : public LessonsWindow
{
protected:
    void choose(int place, const char* choice)
    {
        QTest::mouseClick(in<QRadioButton>(reader()->predictionCard(place), choice), Qt::LeftButton, {}, QPoint(6, 8));
    }
    QLineEdit* number(int place) { return in<QLineEdit>(reader()->predictionCard(place), "number"); }
    void turnOn(QWidget* card, const char* name)
    {
        auto* button = in<QAbstractButton>(card, name);
        ASSERT_TRUE(button->isEnabled()) << qPrintable(button->toolTip());
        reader()->ensureWidgetVisible(button);
        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(8, button->height() / 2));
    }
};

TEST_F(LessonFlow, NothingRunsBeforeEveryPredictionIsMade)
{
    openOwn();
    EXPECT_FALSE(reader()->runButton()->isEnabled());
    choose(0, "choice1");
    EXPECT_FALSE(reader()->runButton()->isEnabled());
    QTest::keyClicks(number(1), "soon");
    EXPECT_FALSE(reader()->runButton()->isEnabled());
    test::expectText(reader()->text());
    number(1)->selectAll();
    QTest::keyClicks(number(1), "6 ms");
    EXPECT_TRUE(reader()->runButton()->isEnabled());
    EXPECT_EQ(page()->session()->result(), nullptr);
    // No figure of a run is told before.
    test::expectText(reader()->text());

    QTest::mouseClick(reader()->runButton(), Qt::LeftButton);
    settle();
    ASSERT_NE(page()->session()->result(), nullptr);
    EXPECT_TRUE(reader()->predictionCard(0)->answerText().contains("Right"));
    test::expectText(reader()->predictionCard(0)->answerText());
    test::expectText(reader()->predictionCard(1)->answerText());
    test::expectText(reader()->text());
    EXPECT_FALSE(reader()->text().contains("(unknown"));
}

// The text has the room that is empty until the runs are there.
TEST_F(LessonFlow, BeforeTheRunsTheTextIsWiderAndEnterGoesOn)
{
    m_window->resize(1920, 1080);
    openOwn();
    const int alone = reader()->width();
    choose(0, "choice1");
    number(1)->setFocus();
    QTest::keyClicks(number(1), "6 ms");
    QTest::keyClick(number(1), Qt::Key_Return);
    EXPECT_TRUE(reader()->runButton()->hasFocus());
    QTest::keyClick(reader()->runButton(), Qt::Key_Space);
    settle();
    EXPECT_LT(reader()->width(), alone);
}

TEST_F(LessonFlow, BothRunsStandOnOneTimeAxisWithTheirDifference)
{
    runOwn();
    TimelineView* timeline = page()->timelines()->timeline();
    ASSERT_TRUE(timeline->below()->isVisible());
    const auto& runs = page()->session()->result()->runs();
    EXPECT_EQ(timeline->trace().get(), &runs[0]->result.trace);
    EXPECT_EQ(timeline->below()->second().trace.get(), &runs[1]->result.trace);
    test::expectText(page()->timelines()->sentence());
    const auto step = [&](std::size_t run) { return durationText(std::llround(runMetric("step").value(*runs[run]))); };
    EXPECT_EQ(page()->timelines()->sentence().section(": ", 1).toStdString(),
              withFirmUnits(step(1) + " a step instead of " + step(0)).toStdString())
        << "as the table of the lesson says";
    EXPECT_TRUE(page()->timelines()->strip()->isVisible());
    test::expectText(page()->timelines()->strip()->savingText());
    // The lower one follows the upper one.
    const Interval before = timeline->below()->view()->range();
    QTest::keyClick(timeline, Qt::Key_W);
    EXPECT_LT(timeline->below()->view()->range().lengthNs(), before.lengthNs());
}

TEST_F(LessonFlow, APredictionCanBeSkipped)
{
    openOwn();
    QTest::mouseClick(in<QPushButton>(page(), "lessonSkip"), Qt::LeftButton);
    settle();
    ASSERT_NE(page()->session()->result(), nullptr);
    EXPECT_TRUE(reader()->predictionCard(0)->answerText().startsWith("Skipped"));
}

TEST_F(LessonFlow, AnExerciseIsSolvedWithItsKnobsAndTheLaboratoryStaysAsItIs)
{
    runOwn();
    const Laboratory::State before = m_window->document()->laboratory()->state();
    const auto trace = m_window->document()->trace();
    ExerciseCard* card = reader()->exerciseCard(0);
    ASSERT_NE(card, nullptr);
    waitForTrial(0, [&] { turnOn(card, "non_blocking"); });
    test::expectText(card->status());
    auto* pin = in<QComboBox>(card, "pin");
    waitForTrial(0, [&] {
        pin->setFocus();
        QTest::keyClick(pin, Qt::Key_End);
        for (int i = 0; i < pin->count() && pin->currentText() != "thread"; ++i)
            QTest::keyClick(pin, Qt::Key_Up);
    });
    waitForTrial(0, [&] { turnOn(card, "copy_stream_side"); });
    EXPECT_TRUE(card->status().contains("Solved")) << qPrintable(card->status());
    EXPECT_TRUE(page()->session()->solved(0));
    EXPECT_FALSE(page()->session()->solved(1));
    // The start stands above.
    EXPECT_EQ(page()->timelines()->timeline()->trace().get(), &page()->session()->trial(0)->run->result.trace);
    EXPECT_EQ(m_window->document()->laboratory()->state(), before);
    EXPECT_EQ(m_window->document()->trace(), trace);
    EXPECT_EQ(m_window->document()->laboratory()->undoStack()->count(), 0);
}

TEST_F(LessonFlow, OnlyTheKnobsOfAnExerciseAreThere)
{
    runOwn();
    ExerciseCard* card = reader()->exerciseCard(1);
    EXPECT_NE(card->findChild<QWidget*>("batch_bytes"), nullptr);
    EXPECT_EQ(card->findChild<QWidget*>("workers"), nullptr);
    EXPECT_EQ(card->findChild<QWidget*>("pin"), nullptr);
}

TEST_F(LessonFlow, UndoInAnExerciseIsThatOfTheExercise)
{
    runOwn();
    m_window->document()->laboratory()->set(*findSetting("workers"), 3);
    settle();
    ExerciseCard* card = reader()->exerciseCard(0);
    waitForTrial(0, [&] { turnOn(card, "non_blocking"); });
    const Scenario turned = card->laboratory().scenario();
    QStringList titles;  // of the start and of what was made of it
    for (const TitleLabel* title : page()->timelines()->findChildren<TitleLabel*>())
        titles << title->toolTip().section('\n', 0, 0);
    test::expectText(titles);
    in<QAbstractButton>(card, "non_blocking")->setFocus();
    waitForTrial(0,
                 [&] { QTest::keyClick(in<QAbstractButton>(card, "non_blocking"), Qt::Key_Z, Qt::ControlModifier); });
    EXPECT_FALSE(card->laboratory().scenario() == turned);
    EXPECT_EQ(m_window->document()->laboratory()->scenario().workers, 3);
}

TEST_F(LessonFlow, AnExerciseTakenToTheLaboratoryKeepsWhatWasThere)
{
    const auto before = m_window->document()->laboratory()->state();
    const auto trace = m_window->document()->trace();
    runOwn();
    QTest::mouseClick(in<QPushButton>(reader()->exerciseCard(0), "exerciseOpen"), Qt::LeftButton);
    settle();
    EXPECT_FALSE(m_lessons->shown());
    EXPECT_EQ(m_window->document()->baseline().trace, trace);
    EXPECT_EQ(m_window->document()->laboratory()->scenario().batches, 12);
    m_window->document()->laboratory()->undoStack()->undo();
    EXPECT_EQ(m_window->document()->laboratory()->state(), before);
}

TEST_F(LessonFlow, ThePanelsComeBackAsTheyWere)
{
    QList<QDockWidget*> shown;
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>())
        if (dock->isVisible())
            shown << dock;
    ASSERT_FALSE(shown.isEmpty());
    QAction* lessons = in<QAction>(m_window.get(), "lessonsAction");
    EXPECT_EQ(lessons->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_L));
    QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
    ASSERT_TRUE(m_lessons->shown());
    for (QDockWidget* dock : shown)
        EXPECT_FALSE(dock->isVisible()) << qPrintable(dock->objectName());
    QTest::mouseClick(in<QPushButton>(page(), "lessonsClose"), Qt::LeftButton);
    EXPECT_FALSE(m_lessons->shown());
    for (QDockWidget* dock : shown)
        EXPECT_TRUE(dock->isVisible()) << qPrintable(dock->objectName());
    QMenu* edit = m_window->menuBar()->findChild<QMenu*>("editMenu");
    EXPECT_TRUE(edit->menuAction()->isEnabled());
}

TEST_F(LessonFlow, OpeningATraceLeavesTheLessons)
{
    runOwn();
    m_window->document()->open(QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples/pipeline_pinned.overlane"));
    settle();
    EXPECT_FALSE(m_lessons->shown());
    EXPECT_EQ(m_window->document()->origin(), Document::Origin::File);
}

TEST_F(LessonFlow, TheEngineIsTheOneOfTheLaboratory)
{
    openOwn();
    int runs = 0;
    LessonGpu gpu;
    gpu.name = "NVIDIA H200";
    gpu.engine = [&runs](const Scenario& scenario, const DeviceProfile& device, Progress& progress) {
        ++runs;
        auto run = simulate(scenario, device, &progress);
        return Result<JudgedRunPointer>(JudgedRunPointer(
            std::make_shared<const JudgedRun>(scenario, device, std::move(run).value(), GpuRunReport{})));
    };
    page()->setGpu(gpu);
    page()->runOnGpu(true);
    page()->session()->skip();
    EXPECT_TRUE(reader()->runButton()->text().contains("GPU"));
    QTest::mouseClick(reader()->runButton(), Qt::LeftButton);
    settle();
    EXPECT_EQ(runs, 2);
    EXPECT_TRUE(page()->session()->result()->measured());
    // A knob alone starts nothing on a GPU.
    ExerciseCard* card = reader()->exerciseCard(0);
    turnOn(card, "non_blocking");
    settle();
    EXPECT_EQ(runs, 2);
    waitForTrial(0, [&] { QTest::mouseClick(in<QPushButton>(card, "exerciseRun"), Qt::LeftButton); });
    EXPECT_EQ(runs, 4);  // the start, and these settings
}

}  // namespace
}  // namespace overlane
