// Laboratory, sweeps and advisor without a mouse.
#include <gmock/gmock.h>

#include <QDockWidget>
#include <QPlainTextEdit>
#include <QTabBar>

#include "app/findings/findings_panel.h"
#include "app/laboratory/laboratory_panel.h"
#include "app/tables/events_panel.h"
#include "app/timeline/timeline_view.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/sweep/sweep_window_test.h"
#include "tests/widget/tab_walk.h"

namespace overlane
{
namespace
{

class Keyboard : public SweepWindowTest
{
protected:
    QDockWidget* dock() { return control<QDockWidget>("figuresDock"); }
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
    document()->laboratory()->set(*findSetting("cores"), 6);  // fewer runs, the same panel
    settle();
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
    handleEvents();
    const int before = dock()->height();
    tabs->setCurrentWidget(panel());
    EXPECT_TRUE(QTest::qWaitFor([&] { return plotHeightPx() >= 140; }, 2000)) << plotHeightPx();
    EXPECT_GT(dock()->height(), before);
    EXPECT_LE(dock()->height(), m_window.height() * 2 / 5);
    EXPECT_EQ(panel()->visibleRegion().boundingRect(), panel()->rect()) << "no part of it has to be scrolled to";
    tabs->setCurrentWidget(advisor());
    handleEvents();
    EXPECT_GT(dock()->height(), before);
    tabs->setCurrentIndex(0);
    handleEvents();
    EXPECT_EQ(dock()->height(), before);
}

// Else the next click at the same place meets what came there.
TEST_F(Keyboard, TabsStayBelowTheMouseWhateverTheirPageNeeds)
{
    BottomPanel* tabs = m_window.bottomPanel();
    const auto place = [&](int index) {
        return tabs->tabBar()->mapTo(&m_window, tabs->tabBar()->tabRect(index).center());
    };
    tabs->setCurrentIndex(0);
    handleEvents();
    const int before = dock()->height();
    bool isLent = false;
    for (const QWidget* page :
         std::initializer_list<const QWidget*>{panel(), advisor(), tabs->findings(), panel(), tabs->events()}) {
        const int index = tabs->indexOf(page);
        const QPoint at = place(index);
        QTest::mouseMove(m_window.windowHandle(), at);
        QTest::mouseClick(m_window.windowHandle(), Qt::LeftButton, {}, at);
        handleEvents();
        ASSERT_EQ(tabs->currentIndex(), index);
        EXPECT_EQ(place(index), at) << index;
        isLent |= dock()->height() > before;
    }
    EXPECT_TRUE(isLent);
}

TEST_F(Keyboard, AHeightThatAPersonChoseBesideAPlotStays)
{
    BottomPanel* tabs = m_window.bottomPanel();
    tabs->setCurrentWidget(panel());
    handleEvents();
    const QPoint edge = dock()->geometry().topLeft() + QPoint(dock()->width() / 2, -1);
    QTest::mousePress(&m_window, Qt::LeftButton, {}, edge);
    QTest::mouseMove(&m_window, edge + QPoint(0, 40));
    handleEvents();
    QTest::mouseRelease(&m_window, Qt::LeftButton, {}, edge + QPoint(0, 40));
    handleEvents();
    const int chosen = dock()->height();
    ASSERT_LT(chosen, m_window.height() * 2 / 5 - 20);
    tabs->setCurrentIndex(0);
    handleEvents();
    EXPECT_EQ(dock()->height(), chosen);
    m_lab->openSweeps();
    EXPECT_GT(dock()->height(), chosen);
}

}  // namespace
}  // namespace overlane
