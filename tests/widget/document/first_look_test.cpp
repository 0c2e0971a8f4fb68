// What of a trace is in sight before anybody zooms, scrolls or opens a lane.
#include <algorithm>
#include <gtest/gtest.h>

#include <QPushButton>
#include <QScrollBar>

#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "core/analysis/verdict.h"
#include "core/loader/settings.h"
#include "core/trace/track_kinds.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class FirstLookTest : public WindowTest
{
protected:
    static QString program(const char* name)
    {
        return QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/programs/") + QString::fromUtf8(name);
    }
    ViewRange* view() { return document()->view(); }
    const std::vector<Step>& steps() { return document()->current().steps.steps; }
    LaneCanvas* lanes() { return m_window.timeline()->lanes(); }
    void trigger(const QKeySequence& keys)
    {
        for (QAction* action : allActions(m_window))
            if (action->shortcuts().contains(keys))
                return action->trigger();
        FAIL() << "no " << keys.toString().toStdString();
    }
    QString m_page = program("resnet_page.overlane");
};

TEST_F(FirstLookTest, AFileShowsThreeStepsBehindWarmUpAndAKeyShowsAll)
{
    open(m_page);
    ASSERT_GT(steps().size(), 20u);
    const std::vector<Step> seen = stepsWithin(steps(), view()->range());
    ASSERT_EQ(seen.size(), 3u);
    for (const Step& step : seen)
        EXPECT_FALSE(step.warmUp) << step.name;
    const auto warm = std::find_if(steps().begin(), steps().end(), [](const Step& step) { return !step.warmUp; });
    EXPECT_LE(seen.front().interval.startNs - warm->interval.startNs, 10 * warm->timeNs) << "from the beginning";
    EXPECT_LT(view()->range().startNs, seen.front().interval.startNs) << "with a margin";
    EXPECT_LT(view()->range().lengthNs(), 4 * (seen.back().interval.endNs - seen.front().interval.startNs) / 3);
    EXPECT_EQ(view()->limits(), document()->trace()->span()) << "the overview has the whole";

    QTest::keyClick(m_window.timeline(), Qt::Key_F, Qt::ShiftModifier);
    EXPECT_TRUE(QTest::qWaitFor([&] { return view()->range() == view()->limits(); }, kLongestWaitMs));
    EXPECT_TRUE(view()->canGoBack());
    view()->back();
    EXPECT_TRUE(QTest::qWaitFor([&] { return stepsWithin(steps(), view()->range()).size() == 3; }, kLongestWaitMs));
    trigger(Qt::CTRL | Qt::Key_0);
    EXPECT_TRUE(QTest::qWaitFor([&] { return view()->range() == view()->limits(); }, kLongestWaitMs));
}

TEST_F(FirstLookTest, WithoutStepsItIsWhatTheVerdictIsAbout)
{
    const QString path = QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/hta_alexnet.json.gz");
    open(path);
    if (!steps().empty())
        GTEST_SKIP() << "this sample has steps";
    const Interval active = document()->judgedRange();
    EXPECT_LE(view()->range().startNs, active.startNs);
    EXPECT_GE(view()->range().endNs, active.endNs);
}

TEST_F(FirstLookTest, ARunOfTheLaboratoryShowsAllAndUndoReturnsToTheZoom)
{
    EXPECT_EQ(view()->range(), view()->limits());
    open(m_page);
    const Interval looked = steps()[20].interval;
    view()->setRange(looked);
    auto* simulate = m_window.findChild<QPushButton*>("simulateInstead");
    ASSERT_NE(simulate, nullptr);
    QTest::mouseClick(simulate, Qt::LeftButton);
    settle();
    ASSERT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_EQ(view()->range(), view()->limits());
    trigger(Qt::CTRL | Qt::Key_Z);
    settle();
    ASSERT_EQ(document()->path(), m_page);
    EXPECT_EQ(view()->range(), looked);
}

TEST_F(FirstLookTest, TheGpuIsInSightOnASmallScreen)
{
    m_window.resize(1280, 800);
    for (const char* name : {"resnet_page.overlane", "lightning_page.overlane", "jax_dev.overlane"}) {
        open(program(name));
        QCoreApplication::processEvents();
        const Trace& trace = *document()->trace();
        const int scrolled = lanes()->findChild<QScrollBar*>()->value();
        const LaneCanvas* pinned = m_window.timeline()->pinned();
        int engines = 0;
        for (const LaneRow& row : lanes()->trackLayout().rows)
            if (rowOf(trace.track(row.track).kind).isEngine()) {
                ++engines;
                EXPECT_GE(row.topPx, scrolled) << name << ": " << rowTitle(trace, row);
                EXPECT_LE(row.bottomPx(), scrolled + lanes()->height()) << name << ": " << rowTitle(trace, row);
            }
        for (const LaneRow& row : pinned->trackLayout().rows)
            if (rowOf(trace.track(row.track).kind).isEngine()) {
                ++engines;
                EXPECT_TRUE(pinned->isVisible());
                EXPECT_LE(row.bottomPx(), pinned->height()) << name << ": " << rowTitle(trace, row);
            }
        EXPECT_GE(engines, 2) << name;
    }
}

TEST_F(FirstLookTest, ManyWorkersAreOneLaneOfAFileButNotOfTheLaboratory)
{
    const auto titles = [&] {
        std::vector<std::string> all;
        for (const LaneRow& row : lanes()->trackLayout().rows)
            all.push_back(rowTitle(*document()->trace(), row));
        if (!m_window.timeline()->pinned()->isHidden())
            all.emplace_back("(kept in sight)");
        for (const LaneRow& row : m_window.timeline()->pinned()->trackLayout().rows)
            all.push_back(rowTitle(*document()->trace(), row));
        return all;
    };
    document()->laboratory()->set(*findSetting("workers"), 6);
    settle();
    test::expectText(titles());
    open(m_page);
    test::expectText(titles());
    const std::vector<LaneRow> rows = lanes()->trackLayout().rows;
    const auto workers = std::find_if(rows.begin(), rows.end(), [](const LaneRow& row) { return row.bundle; });
    ASSERT_NE(workers, rows.end());
    const int scrolled = lanes()->findChild<QScrollBar*>()->value();
    QTest::mouseClick(lanes(), Qt::LeftButton, {}, {30, workers->topPx + workers->heightPx / 2 - scrolled});
    test::expectText(titles());
    open(program("jax_dev.overlane"));
    test::expectText(titles());
    open(m_page);
    test::expectText(titles());
}

TEST_F(FirstLookTest, AnotherLoopMovesNothing)
{
    open(m_page);
    const Interval looked = view()->range();
    document()->takeSteps(document()->current().analysis, 0);
    EXPECT_EQ(view()->range(), looked);
}

}  // namespace
}  // namespace overlane
