// The laboratory on this machine's GPU, with a run that stands for a real one.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStandardItemModel>

#include "app/second/second_timelines.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_view.h"
#include "app/verdict/verdict_bar.h"
#include "app/widgets/message_bar.h"
#include "core/base/units.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/staged_run.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class GpuRunTest : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        runs()->setStarter(stagedStarter(m_stage));
    }
    GpuRuns* runs() { return document()->gpuRuns(); }
    QComboBox* engine() { return control<QComboBox>("engine"); }
    void detect(const GpuSupport& support)
    {
        QSignalSpy answered(runs(), &GpuRuns::supportChanged);
        runs()->detect([support] { return support; });
        ASSERT_TRUE(answered.wait(kLongestWaitMs));
    }
    void chooseGpu()
    {
        detect(describeGpuSupport(true, 13000, {"NVIDIA H200"}, true));
        engine()->setFocus();
        QTest::keyClick(engine(), Qt::Key_Down);
        ASSERT_EQ(document()->engine(), Document::Engine::Gpu);
    }
    QPushButton* button(const char* name) { return control<QPushButton>(name); }
    void press(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }
    bool measured() { return !document()->current().gpu.isEmpty(); }

    Stage m_stage;
};

TEST_F(GpuRunTest, WithoutAGpuTheChoiceIsDisabledAndSaysWhy)
{
    const GpuSupport none = describeGpuSupport(false, 0, {}, false);
    detect(none);
    ASSERT_EQ(engine()->count(), 2);
    const auto* model = qobject_cast<QStandardItemModel*>(engine()->model());
    EXPECT_FALSE(model->item(1)->isEnabled());
    EXPECT_EQ(engine()->itemData(1, Qt::ToolTipRole).toString().toStdString(), none.sentence);
    EXPECT_TRUE(engine()->toolTip().contains(QString::fromStdString(none.sentence)));
    engine()->setFocus();
    QTest::keyClick(engine(), Qt::Key_Down);
    EXPECT_EQ(document()->engine(), Document::Engine::Simulated);
    EXPECT_FALSE(button("run")->isVisible());
}

TEST_F(GpuRunTest, SettingsStartNoRunByThemselvesAndRunDoes)
{
    chooseGpu();
    EXPECT_TRUE(button("run")->isVisible());
    const auto before = document()->trace();
    QTest::keyClick(control<QSlider>("compute_us_slider"), Qt::Key_PageUp);
    settle();
    EXPECT_EQ(document()->trace(), before) << "nothing may run";
    EXPECT_EQ(m_stage.starts, 0);
    test::expectText(control<QLabel>("runStatus")->text());

    m_stage.ends = false;
    QTest::keyClick(&m_window, Qt::Key_R, Qt::ControlModifier);
    auto* status = control<QLabel>("runStatus");
    ASSERT_TRUE(QTest::qWaitFor([&] { return status->text().contains("copies so far"); }, kLongestWaitMs));
    EXPECT_FALSE(button("run")->isEnabled());
    EXPECT_TRUE(button("stopRun")->isEnabled());
    m_stage.ends = true;
    settle();
    EXPECT_EQ(m_stage.starts, 1);
    EXPECT_TRUE(measured());
    EXPECT_NE(document()->trace(), before);
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    test::expectText(test::withoutFigures(m_window.statusLine()->text().toStdString()));
    test::expectText(status->text());
    EXPECT_FALSE(m_window.messageBar()->isVisible());
}

TEST_F(GpuRunTest, StopBeforeAnythingRanKeepsWhatWasShown)
{
    chooseGpu();
    const auto before = document()->trace();
    m_stage.ends = false;
    m_stage.clockStarts = false;
    press("run");
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_stage.starts == 1; }, kLongestWaitMs));
    press("stopRun");
    EXPECT_FALSE(button("stopRun")->isEnabled()) << "once is enough";
    settle();
    EXPECT_TRUE(m_stage.stopped);
    EXPECT_EQ(document()->trace(), before);
    EXPECT_FALSE(measured());
    EXPECT_FALSE(m_window.messageBar()->isVisible());
    EXPECT_TRUE(button("run")->isEnabled());
}

TEST_F(GpuRunTest, TheLanesGrowWhileItRunsAndStopKeepsWhatRan)
{
    chooseGpu();
    m_stage.ends = false;
    m_stage.live = true;
    m_stage.grownNs = 60 * kNsPerMs;
    press("run");
    ASSERT_TRUE(QTest::qWaitFor([&] { return measured(); }, kLongestWaitMs));
    const std::int64_t early = document()->trace()->span().endNs;
    EXPECT_GT(device().kernels, 0);
    EXPECT_TRUE(document()->current().partial);
    EXPECT_TRUE(document()->current().live);
    test::expectText(document()->judgement()->verdict.sentence);
    EXPECT_FALSE(document()->measuredAsSet());
    EXPECT_EQ(document()->view()->range(), document()->view()->limits());
    test::expectText(test::withoutFigures(m_window.statusLine()->text().toStdString()));
    auto* status = control<QLabel>("runStatus");
    test::expectText(status->text());

    m_stage.grownNs = 120 * kNsPerMs;
    ASSERT_TRUE(QTest::qWaitFor([&] { return document()->trace()->span().endNs > early; }, kLongestWaitMs));
    press("stopRun");
    settle();
    EXPECT_FALSE(m_stage.cancelled);
    EXPECT_TRUE(measured());
    EXPECT_TRUE(document()->current().partial);
    EXPECT_FALSE(document()->current().live);
    test::expectText(document()->judgement()->verdict.sentence);
    EXPECT_EQ(document()->trace()->metadata().format, "measured") << "the answer of the run, not its file";
    test::expectText(status->text());
    test::expectText(test::withoutFigures(m_window.statusLine()->text().toStdString()));
}

TEST_F(GpuRunTest, WhoAsksForAnotherTraceMeanwhileIsNotPulledBackWhileItRuns)
{
    chooseGpu();
    m_stage.ends = false;
    m_stage.live = true;
    m_stage.grownNs = 60 * kNsPerMs;
    press("run");
    ASSERT_TRUE(QTest::qWaitFor([&] { return measured(); }, kLongestWaitMs));
    QSignalSpy opened(document(), &Document::opened);
    document()->open(recorded(kPinnedRun));
    ASSERT_TRUE(opened.wait(kLongestWaitMs));
    const auto shown = document()->trace();
    QSignalSpy grown(runs(), &GpuRuns::grown);
    for (const std::int64_t grownMs : {120, 180, 240}) {
        m_stage.grownNs = grownMs * kNsPerMs;
        ASSERT_TRUE(grown.wait(kLongestWaitMs));
        EXPECT_EQ(document()->trace(), shown) << grownMs;
    }
    m_stage.ends = true;
    settle();
}

TEST_F(GpuRunTest, WrongDataAndWarningsAreSaid)
{
    chooseGpu();
    m_stage.report.resultsChecked = 64;
    m_stage.report.wrongResults = 64;
    m_stage.report.batchesChecked = 64;
    m_stage.report.wrongBatches = 3;
    m_stage.warnings = {"CUPTI is missing."};
    press("run");
    settle();
    ASSERT_TRUE(m_window.messageBar()->isVisible());
    const QString said = m_window.messageBar()->sentence();
    test::expectText(said);
    EXPECT_TRUE(measured());
    m_stage.report = {};
    m_stage.warnings = {};
    press("run");
    settle();
    EXPECT_FALSE(m_window.messageBar()->isVisible()) << "a run that was right says nothing of the one before";
}

TEST_F(GpuRunTest, BothEnginesAreShownOneAboveTheOther)
{
    chooseGpu();
    press("runOnBoth");
    settle();
    EXPECT_TRUE(measured());
    ASSERT_NE(document()->baseline().trace, nullptr);
    EXPECT_EQ(document()->baseline().trace->metadata().format, "simulated");
    EXPECT_TRUE(document()->baseline().gpu.isEmpty());
    EXPECT_TRUE(document()->baseline().title.startsWith("simulated")) << document()->baseline().title.toStdString();
}

TEST_F(GpuRunTest, OnBothTheSimulatedRunIsAboveFromTheFirstLiveLaneAndNothingIsComparedYet)
{
    chooseGpu();
    m_stage.ends = false;
    m_stage.live = true;
    m_stage.grownNs = 60 * kNsPerMs;
    press("runOnBoth");
    ASSERT_TRUE(QTest::qWaitFor([&] { return measured(); }, kLongestWaitMs));
    ASSERT_NE(document()->baseline().trace, nullptr);
    const auto above = document()->baseline().trace;
    EXPECT_TRUE(document()->baseline().title.startsWith("simulated"));
    EXPECT_TRUE(differenceSentence(*document()).isEmpty());
    const SecondLanes* lanes = m_window.timeline()->above();
    EXPECT_EQ(lanes->second().trace, above);
    test::expectText(lanes->second().firstRest);
    EXPECT_GT(document()->view()->limits().endNs, document()->trace()->span().endNs);
    m_stage.ends = true;
    settle();
    EXPECT_EQ(document()->baseline().trace, above);
    EXPECT_FALSE(document()->current().partial);
    EXPECT_TRUE(differenceSentence(*document()).isEmpty()) << "a simulated run beside a measured one";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_window.secondTimelines()->busy(); }, kLongestWaitMs));
    test::expectText(lanes->second().firstRest);
}

TEST_F(GpuRunTest, ARefusedRunIsOneSentenceAndNothingIsLost)
{
    chooseGpu();
    document()->keepAsBaseline();
    const auto before = document()->trace();
    m_stage.refusal = "The scenario would lock 90 GiB of 100 GiB.";
    press("runOnBoth");
    settle();
    EXPECT_EQ(m_window.messageBar()->sentence().toStdString(), m_stage.refusal);
    EXPECT_EQ(document()->trace(), before);
    EXPECT_EQ(document()->baseline().trace, before);
}

TEST_F(GpuRunTest, BackOnTheSimulationAChangeRunsAtOnce)
{
    chooseGpu();
    press("run");
    settle();
    ASSERT_TRUE(measured());
    engine()->setFocus();
    QTest::keyClick(engine(), Qt::Key_Up);
    settle();
    EXPECT_TRUE(measured()) << "the measured run stays until something is asked for";
    QTest::keyClick(control<QSlider>("compute_us_slider"), Qt::Key_PageUp);
    settle();
    EXPECT_FALSE(measured());
}

TEST_F(GpuRunTest, WhatTheMachineIsCannotBeSetForItsGpu)
{
    chooseGpu();
    EXPECT_FALSE(control<QSlider>("ram_bytes_slider")->isEnabled());
    EXPECT_FALSE(control<QSlider>("cores_slider")->isEnabled());
    EXPECT_TRUE(control<QSlider>("compute_us_slider")->isEnabled());
    engine()->setFocus();
    QTest::keyClick(engine(), Qt::Key_Up);
    EXPECT_TRUE(control<QSlider>("ram_bytes_slider")->isEnabled());
}

}  // namespace
}  // namespace overlane
