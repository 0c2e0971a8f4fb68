// The advisor in the window: search, use, copy, click the front, confirm.
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTextDocument>
#include <qcustomplot.h>

#include "app/sweep/front_plot.h"
#include "core/loader/run.h"
#include "core/sweep/advisor_text.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/sweep/sweep_window_test.h"

namespace overlane
{
namespace
{

class AdvisorPanelTest : public SweepWindowTest
{
protected:
    void SetUp() override
    {
        SweepWindowTest::SetUp();
        document()->laboratory()->set(*findSetting("produce_us"), 2000);
        document()->laboratory()->set(*findSetting("sync_every_step"), 1);
        document()->laboratory()->set(*findSetting("cores"), 6);  // a third of the runs: the panel shows them the same
        settle();
        m_lab->openAdvisor();
    }
    void search()
    {
        click("adviceSearch");
        wait();
        ASSERT_TRUE(advisor()->advice());
    }
};

TEST_F(AdvisorPanelTest, AnEmptyPanelSaysWhatItWouldDo)
{
    test::expectText(control<QLabel>("adviceWords")->text());
    EXPECT_FALSE(control<QPushButton>("adviceUse")->isEnabled());
    EXPECT_FALSE(control<QToolButton>("adviceCopy")->isEnabled());
    EXPECT_FALSE(control<QPushButton>("adviceConfirm")->isEnabled());
}

TEST_F(AdvisorPanelTest, TheAdviceIsUsedAsOneStep)
{
    search();
    const Advice& advice = *advisor()->advice();
    EXPECT_EQ(advice.kind, AdviceKind::Change);
    EXPECT_TRUE(control<QLabel>("adviceWords")->text().contains("pin_memory=True"));
    const auto* code = control<QPlainTextEdit>("adviceCode");
    EXPECT_TRUE(code->toPlainText().contains("pin_memory=True"));
    EXPECT_EQ(code->fontMetrics().horizontalAdvance("iiii"), code->fontMetrics().horizontalAdvance("MMMM"));
    click("adviceCopy");
    EXPECT_TRUE(QApplication::clipboard()->text().contains("DataLoader("));
    const Scenario before = scenario();
    click("adviceUse");
    settle();
    EXPECT_EQ(scenario().pin, advice.advised.scenario.pin);
    EXPECT_EQ(scenario().workers, advice.advised.scenario.workers);
    EXPECT_EQ(scenario().batchBytes, before.batchBytes);
    EXPECT_EQ(scenario().ramBytes, before.ramBytes);
    document()->laboratory()->undoStack()->undo();
    EXPECT_EQ(scenario(), before);
}

TEST_F(AdvisorPanelTest, ARangeIsGivenWhereverATimeIs)
{
    search();
    const Advice& advice = *advisor()->advice();
    QTextDocument document;
    document.setHtml(control<QLabel>("adviceWords")->text());
    const QString words = document.toPlainText().simplified();
    EXPECT_TRUE(words.contains(QString::fromStdString(rangeText(advice.advised)).simplified())) << words.toStdString();
    EXPECT_TRUE(words.contains(QString::fromStdString(certaintySentence(advice)).simplified()));
    const FrontPlot* plot = advisor()->plot();
    EXPECT_TRUE(plot->describe(advice.now).startsWith(QString::fromStdString(rangeText(advice.now))));
    int ranges = 0;
    for (int at = 0; at < plot->canvas()->plottableCount(); ++at)
        ranges += qobject_cast<QCPErrorBars*>(plot->canvas()->plottable(at)) != nullptr;
    EXPECT_EQ(ranges, 2) << "of the present and the advised settings";
    EXPECT_GE(plot->canvas()->yAxis->range().upper, timeRange(advice.now).highNs);
}

TEST_F(AdvisorPanelTest, LimitsAreThoseThatWereSet)
{
    control<QDoubleSpinBox>("advicePinned")->setValue(200.0 * 1024 * 1024);
    control<QSpinBox>("adviceCores")->setValue(3);
    search();
    EXPECT_EQ(advisor()->advice()->limits.pinnedBytes, 200ll << 20);
    EXPECT_EQ(advisor()->advice()->limits.cores, 3);
    EXPECT_LE(advisor()->advice()->advised.pinnedPeakBytes, 200ll << 20);
}

TEST_F(AdvisorPanelTest, AClickOnTheFrontUsesThatPoint)
{
    search();
    const Advice advice = *advisor()->advice();
    const std::size_t last = advice.front.size() - 1;
    QTest::mouseMove(advisor()->plot()->canvas(), advisor()->plot()->placeOf(last));
    QTest::mouseClick(advisor()->plot()->canvas(), Qt::LeftButton, {}, advisor()->plot()->placeOf(last));
    settle();
    // The advised one may lie so near that it is the one that was hit.
    EXPECT_TRUE(scenario().workers == advice.front[last].scenario.workers ||
                scenario().workers == advice.advised.scenario.workers);
    EXPECT_NE(scenario().pin, PinStrategy::None);
}

TEST_F(AdvisorPanelTest, ASearchCanBeCancelled)
{
    click("adviceSearch");
    click("adviceSearch");  // which now cancels
    wait();
    test::expectText(control<QPushButton>("adviceSearch")->text());
}

}  // namespace
}  // namespace overlane
