// Several traces in one window: opened, switched and moved.
#include <array>
#include <memory>

#include <QAbstractButton>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QPlainTextEdit>

#include "app/second/second_timelines.h"
#include "app/shell/bottom_panel.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/shell/tabs_fixture.h"

namespace overlane
{
namespace
{

TEST_F(TabsTest, OneTraceHasNoBarAndASecondHasItsOwnTab)
{
    EXPECT_FALSE(tabs().isVisible());
    openTab(recorded(kPinnedRun));  // the run that the window began with makes room
    EXPECT_FALSE(tabs().isVisible());
    openTab(recorded(kPageableRun));
    EXPECT_TRUE(tabs().isVisible());
    ASSERT_EQ(tabs().count(), 2);
    EXPECT_EQ(tabs().currentIndex(), 1);
    EXPECT_EQ(document()->path(), recorded(kPageableRun));
    EXPECT_TRUE(tabs().tabToolTip(0).contains(recorded(kPinnedRun)));
    EXPECT_GT(tabs().tabToolTip(0).section('\n', 1).size(), 10);
    EXPECT_LE(tabs().tabText(0).size(), 40);
}

TEST_F(TabsTest, KeysGoFromTabToTabAndAFileThatIsOpenIsShown)
{
    openBoth();
    press(Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    press(Qt::Key_Tab, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(document()->path(), recorded(kPageableRun));
    press(Qt::Key_1, Qt::AltModifier);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    press(Qt::Key_PageDown, Qt::ControlModifier);
    EXPECT_EQ(document()->path(), recorded(kPageableRun));
    QTest::mouseClick(&tabs(), Qt::LeftButton, {}, tabs().tabRect(0).center());
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    openTab(recorded(kPageableRun));
    EXPECT_EQ(tabs().count(), 2);
    EXPECT_EQ(tabs().currentIndex(), 1);
}

TEST_F(TabsTest, ATabKeepsItsStateAndItsTrace)
{
    openTab(recorded(kPinnedRun));
    const auto trace = document()->trace();
    const Interval range{trace->span().startNs + 1'000'000, trace->span().startNs + 5'000'000};
    document()->view()->setRange(range);
    document()->selection()->setRange(range);
    document()->selection()->setEvent(EventIndex(100));
    m_window.timeline()->bookmarks()->add(range.startNs, u"here"_s);
    QPlainTextEdit* notes = m_window.bottomPanel()->notes();
    notes->insertPlainText(u"mine"_s);
    m_window.timeline()->collapseAll();
    const QString folding = m_window.timeline()->folding();
    m_window.compareWith(recorded(kPageableRun));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return m_window.secondTimelines()->comparison()->answer() != nullptr; }, kLongestWaitMs));

    openTab(recorded(kPageableRun));
    EXPECT_EQ(document()->notes(), QString());
    EXPECT_EQ(notes->toPlainText(), QString());
    EXPECT_FALSE(document()->dirty());
    EXPECT_FALSE(m_window.secondTimelines()->comparison()->active());
    EXPECT_TRUE(tabs().tabText(0).endsWith('*'));

    tabs().show(0);
    EXPECT_EQ(document()->trace(), trace);  // not read again
    EXPECT_EQ(document()->view()->range(), range);
    EXPECT_EQ(document()->selection()->range(), range);
    EXPECT_EQ(document()->selection()->event(), EventIndex(100));
    EXPECT_EQ(document()->notes(), u"mine"_s);
    EXPECT_EQ(notes->toPlainText(), u"mine"_s);
    EXPECT_TRUE(document()->dirty());
    EXPECT_EQ(m_window.timeline()->folding(), folding);
    EXPECT_TRUE(m_window.secondTimelines()->comparison()->active());
    // What was done in it can be taken back.
    ASSERT_EQ(m_window.timeline()->bookmarks()->all().size(), 1u);
    document()->laboratory()->undoStack()->undo();
    EXPECT_TRUE(m_window.timeline()->bookmarks()->all().empty());
}

TEST_F(TabsTest, UndoGoesToTheTabWhereTheChangeWasMade)
{
    openTab(recorded(kPinnedRun));
    m_window.timeline()->bookmarks()->add(document()->trace()->span().startNs + 10, u"here"_s);
    openTab(recorded(kPageableRun));
    press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    EXPECT_TRUE(m_window.timeline()->bookmarks()->all().empty());
}

TEST_F(TabsTest, ATabHasAButtonThatClosesItAndAMenu)
{
    openBoth();
    EXPECT_EQ(tabs().tabText(0), u"w8_pin_nb_side_d16"_s);
    const QPoint at = tabs().tabRect(0).center();
    QContextMenuEvent ask(QContextMenuEvent::Mouse, at, tabs().mapToGlobal(at));
    QApplication::sendEvent(&tabs(), &ask);
    auto* menu = control<QMenu>("traceTabMenu");
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions())
        if (action->text() == u"Copy the &path"_s)
            action->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), recorded(kPinnedRun));
    menu->close();
    auto* close = qobject_cast<QAbstractButton*>(tabs().tabButton(0, QTabBar::RightSide));
    ASSERT_NE(close, nullptr);
    QTest::mouseClick(close, Qt::LeftButton);
    EXPECT_EQ(tabs().count(), 1);
    EXPECT_EQ(document()->path(), recorded(kPageableRun));
}

TEST_F(TabsTest, ZoomHistoryScrollingAndFoldingBelongToTheirTab)
{
    m_window.resize(1000, 600);
    openTab(recorded(kPinnedRun));
    ViewRange* view = document()->view();
    LaneCanvas* lanes = m_window.timeline()->lanes();
    const Interval first = view->range();
    const Interval second{first.startNs, first.startNs + first.lengthNs() / 2};
    view->setRange(second);
    press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(view->range(), first);
    const int unscrolled = lanes->scrollPx();
    m_window.timeline()->setFocus();
    for (int page = 0; page < 20; ++page)
        QTest::keyClick(m_window.timeline(), Qt::Key_PageUp);
    QTest::keyClick(m_window.timeline(), Qt::Key_PageDown);
    const int scrolled = lanes->scrollPx();
    ASSERT_NE(scrolled, unscrolled);
    ASSERT_NE(scrolled, 0);
    m_window.timeline()->setCollapsed(TrackId(0), !m_window.timeline()->isCollapsed(TrackId(0)));
    const QString folding = m_window.timeline()->folding();
    const int foldedAt = lanes->scrollPx();

    openTab(recorded(kPageableRun));
    EXPECT_FALSE(view->canGoBack());
    EXPECT_FALSE(view->canGoForward());
    EXPECT_EQ(lanes->scrolledTo(), std::nullopt);
    EXPECT_NE(m_window.timeline()->folding(), folding);
    view->setRange({view->range().startNs, view->range().startNs + 1'000'000});
    const Interval ofOther = view->range();

    press(Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_FALSE(view->canGoBack());
    EXPECT_EQ(lanes->scrollPx(), foldedAt);
    EXPECT_EQ(m_window.timeline()->folding(), folding);
    press(Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(view->range(), second);
    press(Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_EQ(view->range(), ofOther);
    EXPECT_EQ(lanes->scrolledTo(), std::nullopt);
    press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_NE(view->range(), ofOther);
}

// Of a file that is open, what was read of it; also of a run, which no file holds.
TEST_F(TabsTest, TheComparisonTakesTheTraceOfTheOtherTab)
{
    openBoth();
    document()->run();
    settle();
    ASSERT_EQ(tabs().count(), 3);
    const auto run = document()->trace();
    tabs().show(0);
    const auto pinned = document()->trace();
    tabs().show(1);
    const auto pageable = document()->trace();
    CompareSource* comparison = m_window.secondTimelines()->comparison();
    const auto compareWithTab = [this](int tab) {
        const QPoint at = tabs().tabRect(tab).center();
        QContextMenuEvent ask(QContextMenuEvent::Mouse, at, tabs().mapToGlobal(at));
        QApplication::sendEvent(&tabs(), &ask);
        auto* menu = control<QMenu>("traceTabMenu");
        for (QAction* action : menu->actions())
            if (action->text() == u"Compare with the trace in &sight"_s) {
                EXPECT_TRUE(action->isEnabled());
                action->trigger();
            }
        menu->close();
        handleEvents();
    };
    compareWithTab(0);
    EXPECT_EQ(comparison->file().trace, pinned);
    EXPECT_FALSE(comparison->reader()->busy());
    ASSERT_TRUE(QTest::qWaitFor([&] { return comparison->answer() != nullptr; }, kLongestWaitMs));
    // The two change places, each in its own tab.
    emit m_window.secondTimelines()->swapRequested();
    EXPECT_EQ(tabs().count(), 3);
    EXPECT_EQ(tabs().currentIndex(), 0);
    EXPECT_EQ(document()->trace(), pinned);
    EXPECT_EQ(comparison->file().trace, pageable);
    compareWithTab(2);
    EXPECT_EQ(comparison->file().trace, run);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return comparison->answer() && comparison->answer()->b.trace == run; }, kLongestWaitMs));
    tabs().show(1);
    EXPECT_EQ(comparison->file().trace, pinned);  // as before the exchange
}

TEST_F(TabsTest, ARunOfTheLaboratoryIsATabOfItsOwn)
{
    openBoth();
    document()->setNotes(u"mine"_s);
    const Answering answer(QMessageBox::Cancel);
    document()->run();
    settle();
    EXPECT_EQ(answer.questions(), 0);  // nothing gives way
    ASSERT_EQ(tabs().count(), 3);
    EXPECT_EQ(tabs().tabText(tabs().currentIndex()), u"Laboratory"_s);
    tabs().show(1);
    EXPECT_EQ(document()->notes(), u"mine"_s);
    document()->run();
    settle();
    EXPECT_EQ(tabs().count(), 3);
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    document()->giveUpNotes();
}

TEST_F(TabsTest, AFileThatCannotBeReadHasNoTab)
{
    openBoth();
    openTab(u"/no/such/trace.json"_s);
    EXPECT_EQ(tabs().count(), 2);
    EXPECT_EQ(document()->path(), recorded(kPageableRun));
    EXPECT_EQ(tabs().currentIndex(), 1);
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    tabs().show(0);
    settle();
    EXPECT_FALSE(m_window.messageBar()->isVisible()) << "said of what was tried before";
}

TEST_F(TabsTest, TabsMoveByDragAndKeepTheirTraces)
{
    openBoth();
    const QPoint from = tabs().tabRect(1).center();
    const QPoint to = tabs().tabRect(0).center() - QPoint(tabs().tabRect(0).width() / 3, 0);
    QTest::mousePress(&tabs(), Qt::LeftButton, {}, from);
    for (int step = 1; step <= 10; ++step) {
        const QPoint at = from + (to - from) * step / 10;
        QMouseEvent move(QEvent::MouseMove, at, tabs().mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&tabs(), &move);
    }
    QTest::mouseRelease(&tabs(), Qt::LeftButton, {}, to);
    EXPECT_EQ(tabs().path(0), recorded(kPageableRun));
    EXPECT_EQ(tabs().currentIndex(), 0);
    tabs().show(1);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
}

TEST_F(TabsTest, SeveralFilesAreReadOnceTheyAreShown)
{
    EXPECT_TRUE(dropFiles(
        &m_window, {recorded(kPinnedRun), recorded(kPageableRun), recorded("w4_page_b_main_d4.pt.trace.json.gz")}));
    settle();
    ASSERT_EQ(tabs().count(), 3);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    tabs().show(2);
    settle();
    EXPECT_EQ(document()->path(), recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    EXPECT_EQ(tabs().count(), 3);
}

TEST_F(TabsTest, SwitchingReadsNothing)
{
    openBoth();
    std::array<std::shared_ptr<const Trace>, 2> traces;
    for (int tab = 0; tab < 2; ++tab) {
        tabs().show(tab);
        traces[static_cast<std::size_t>(tab)] = document()->trace();
    }
    EXPECT_NE(traces[0], traces[1]);
    for (int turn = 0; turn < 4; ++turn) {
        tabs().show(turn % 2);
        EXPECT_FALSE(document()->files()->busy());
        EXPECT_EQ(document()->trace(), traces[static_cast<std::size_t>(turn % 2)]);
    }
}

}  // namespace
}  // namespace overlane
