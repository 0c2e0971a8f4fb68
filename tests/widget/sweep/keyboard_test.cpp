// Laboratory, sweeps and advisor without a mouse.
#include <gmock/gmock.h>

#include <QPlainTextEdit>

#include "app/ui/laboratory_panel.h"
#include "tests/widget/sweep/sweep_window_test.h"
#include "tests/widget/ui/tab_walk.h"

namespace overlane
{
namespace
{

class Keyboard : public SweepWindowTest
{
protected:
    int plotHeightPx() { return panel()->plot()->height(); }
};

TEST_F(Keyboard, TabComesToEverySettingOfTheLaboratory)
{
    expectWalked(m_window.laboratoryPanel(), 20);
}

TEST_F(Keyboard, TabComesToEverythingOfTheSweeps)
{
    m_lab->openSweeps();
    panel()->takeReady(QStringLiteral("workers"));
    panel()->run();
    wait();
    expectWalked(panel(), 10);
}

TEST_F(Keyboard, TabComesToEverythingOfTheAdvisor)
{
    m_lab->openAdvisor();
    click("adviceSearch");
    wait();
    expectWalked(advisor(), 6);
}

TEST_F(Keyboard, ArrowsGoAlongThePointsAndEnterOpensOne)
{
    m_lab->openSweeps();
    panel()->takeReady(QStringLiteral("workers"));
    panel()->run();
    wait();
    SweepPlot* plot = panel()->plot();
    plot->setFocus(Qt::TabFocusReason);
    ASSERT_TRUE(plot->hasFocus());
    const QImage first = plot->grab().toImage();
    QTest::keyClick(plot, Qt::Key_Home);
    QTest::keyClick(plot, Qt::Key_Right);
    QTest::keyClick(plot, Qt::Key_Right);
    EXPECT_NE(plot->grab().toImage(), first);
    QSignalSpy chosen(plot, &SweepPlot::pointChosen);
    QTest::keyClick(plot, Qt::Key_Return);
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][1].toULongLong(), plot->points()[2].point);
    settle();
}

TEST_F(Keyboard, APlotHasTheRoomThatItNeedsAndGivesItBack)
{
    BottomPanel* tabs = m_window.bottomPanel();
    tabs->setCurrentWidget(tabs->notes());
    QTest::qWait(20);
    const int before = tabs->height();
    tabs->setCurrentWidget(panel());
    ASSERT_TRUE(QTest::qWaitFor([&] { return tabs->height() > before; }, 2000));
    EXPECT_GE(plotHeightPx(), 140);
    tabs->setCurrentIndex(0);
    EXPECT_TRUE(QTest::qWaitFor([&] { return tabs->height() <= before + 4; }, 2000)) << tabs->height() << " " << before;
}

}  // namespace
}  // namespace overlane
