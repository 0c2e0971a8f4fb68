// Several traces in one window: opened, switched, closed, moved, and opened again.
#include <array>
#include <memory>

#include <QAbstractButton>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>

#include "app/second/split_view.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/last_traces.h"
#include "app/shell/offer_bar.h"
#include "app/shell/trace_tabs.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class TabsTest : public WindowTest
{
protected:
    TraceTabs& tabs() { return *m_window.tabs(); }
    void openTab(const QString& path)
    {
        m_window.openFile(path);
        settle();
    }
    void openBoth()
    {
        openTab(recorded(kPinnedRun));
        openTab(recorded(kPageableRun));
        ASSERT_EQ(tabs().count(), 2);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        QTest::keyClick(&m_window, key, modifiers);
        settle();
    }
};

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
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_window.split()->comparison()->answer() != nullptr; }, kLongestWaitMs));

    openTab(recorded(kPageableRun));
    EXPECT_EQ(document()->notes(), QString());
    EXPECT_EQ(notes->toPlainText(), QString());
    EXPECT_FALSE(document()->dirty());
    EXPECT_FALSE(m_window.split()->comparison()->active());
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
    EXPECT_TRUE(m_window.split()->comparison()->active());
    // What was done in it can be taken back.
    ASSERT_EQ(m_window.timeline()->bookmarks()->all().size(), 1u);
    document()->laboratory()->undoStack()->undo();
    EXPECT_TRUE(m_window.timeline()->bookmarks()->all().empty());
}

// A save that is called off calls the end off: what was given up on the way to it is asked about again.
TEST_F(TabsTest, ACancelledSaveGivesNoNotesUp)
{
    openTab(recorded(kPinnedRun));
    m_window.bottomPanel()->notes()->insertPlainText(u"mine"_s);
    tabs().giveUpShown();
    ASSERT_FALSE(tabs().showUnsaved());
    m_window.findChild<QAbstractButton*>("cancel")->click();
    EXPECT_TRUE(tabs().showUnsaved());
    document()->giveUpNotes();
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

TEST_F(TabsTest, ClosingAsksOnlyWhereNotesWouldBeLost)
{
    openBoth();
    press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(tabs().count(), 1);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(document()->path(), recorded(kPageableRun));
    ASSERT_EQ(tabs().count(), 2);
    document()->setNotes(u"mine"_s);
    tabs().show(0);
    {
        const Answering answer(QMessageBox::Cancel);
        QTest::mouseClick(&tabs(), Qt::MiddleButton, {}, tabs().tabRect(1).center());
        settle();
        EXPECT_EQ(answer.questions(), 1);
        EXPECT_EQ(tabs().count(), 2);
        EXPECT_EQ(document()->path(), recorded(kPageableRun));  // the question is about what is in sight
        EXPECT_EQ(document()->notes(), u"mine"_s);
    }
    m_window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window));
    const Answering answer(QMessageBox::Discard);
    press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(answer.questions(), 1);
    EXPECT_EQ(tabs().count(), 1);
    EXPECT_FALSE(tabs().isVisible());
}

TEST_F(TabsTest, ATabHasAButtonThatClosesItAndAMenu)
{
    openBoth();
    EXPECT_EQ(tabs().tabText(0), u"w8_pin_nb_side_d16"_s);
    QContextMenuEvent ask(QContextMenuEvent::Mouse, tabs().tabRect(0).center());
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

TEST_F(TabsTest, AClosedTraceThatIsOpenAgainIsShownInItsTab)
{
    openBoth();
    press(Qt::Key_W, Qt::ControlModifier);
    openTab(recorded(kPageableRun));
    tabs().show(0);
    press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(tabs().count(), 2);
    EXPECT_EQ(document()->path(), recorded(kPageableRun));
    // Of several files, those that are open keep their tabs, and one that is named twice has one.
    EXPECT_TRUE(dropFiles(&m_window, {recorded(kPinnedRun), recorded("w4_page_b_main_d4.pt.trace.json.gz"),
                                      recorded("w4_page_b_main_d4.pt.trace.json.gz")}));
    settle();
    EXPECT_EQ(tabs().count(), 3);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
}

TEST_F(TabsTest, CloseTheOthersAsksOnceForAllUnsavedNotes)
{
    openBoth();
    openTab(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    document()->setNotes(u"of the third"_s);
    tabs().show(1);
    document()->setNotes(u"of the second"_s);
    tabs().show(0);
    const auto closeOthers = [this] {
        QContextMenuEvent ask(QContextMenuEvent::Mouse, tabs().tabRect(0).center());
        QApplication::sendEvent(&tabs(), &ask);
        auto* menu = control<QMenu>("traceTabMenu");
        for (QAction* action : menu->actions())
            if (action->text() == u"Close the &others"_s)
                action->trigger();
        menu->close();
        settle();
    };
    {
        const Answering answer(QMessageBox::Cancel);
        closeOthers();
        EXPECT_EQ(answer.questions(), 1);
        EXPECT_EQ(tabs().count(), 3);
        EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    }
    {
        // Saving stops at the first that is given no file.
        FileChooser none;
        none.toSave = [](auto&&...) { return QString(); };
        m_window.setFileChooser(none);
        const Answering answer(QMessageBox::SaveAll);
        closeOthers();
        EXPECT_EQ(answer.questions(), 1);
        EXPECT_EQ(tabs().count(), 3);
        EXPECT_EQ(document()->notes(), u"of the second"_s);
    }
    {
        QTemporaryDir folder;
        int saved = 0;
        FileChooser chooser;
        chooser.toSave = [&](auto&&...) { return folder.filePath(QString::number(++saved)); };
        m_window.setFileChooser(chooser);
        const Answering answer(QMessageBox::SaveAll);
        closeOthers();
        EXPECT_TRUE(QTest::qWaitFor([this] { return tabs().count() == 1; }, kLongestWaitMs));
        EXPECT_EQ(answer.questions(), 1);
        EXPECT_EQ(saved, 2);
        EXPECT_TRUE(QFile::exists(folder.filePath("1.overlane")));
        EXPECT_TRUE(QFile::exists(folder.filePath("2.overlane")));
    }
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    openTab(recorded(kPageableRun));
    document()->setNotes(u"given up"_s);
    tabs().show(0);
    const Answering answer(QMessageBox::Discard);
    closeOthers();
    EXPECT_EQ(answer.questions(), 1);
    EXPECT_EQ(tabs().count(), 1);
    EXPECT_FALSE(document()->dirty());
}

// Of traces that are not read yet, one is kept.
TEST_F(TabsTest, CloseTheOthersKeepsATraceThatIsNotReadYet)
{
    m_window.takeFiles({recorded(kPinnedRun), recorded(kPageableRun)});
    settle();
    ASSERT_EQ(tabs().count(), 2);
    ASSERT_EQ(tabs().path(1), recorded(kPageableRun));
    tabs().closeOthers(1);
    settle();
    EXPECT_EQ(tabs().count(), 1);
    EXPECT_EQ(document()->path().toStdString(), recorded(kPageableRun).toStdString());
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
    CompareSource* comparison = m_window.split()->comparison();
    const auto compareWithTab = [this](int tab) {
        QContextMenuEvent ask(QContextMenuEvent::Mouse, tabs().tabRect(tab).center());
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
    emit m_window.split()->swapRequested();
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

// A tab that is not in front keeps its notes in a file against a crash, as the one in front does.
TEST_F(TabsTest, UnsavedNotesOfATabBehindAreKeptAgainstACrash)
{
    const QString folder = qEnvironmentVariable("XDG_DATA_HOME") + "/tabs";  // outlives the window
    m_window.keepNotesIn(folder);
    openTab(recorded(kPinnedRun));
    document()->setNotes(u"of the first, kept"_s);
    openTab(recorded(kPageableRun));
    const auto holds = [&](const char* text) {
        for (const QString& name : QDir(folder).entryList(QDir::Files)) {
            QFile file(QDir(folder).filePath(name));
            if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text))
                return true;
        }
        return false;
    };
    EXPECT_TRUE(holds("of the first, kept"));
    document()->setNotes(u"of the second, kept"_s);
    EXPECT_TRUE(QTest::qWaitFor([&] { return holds("of the second, kept"); }, kLongestWaitMs));
    EXPECT_TRUE(holds("of the first, kept"));
    const Answering answer(QMessageBox::Discard);
    m_window.close();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !m_window.isVisible(); }, kLongestWaitMs));
    EXPECT_EQ(answer.questions(), 2);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !holds("of the first") && !holds("of the second"); }, kLongestWaitMs));
}

TEST_F(TabsTest, TheLastFileClosedLeavesTheLaboratory)
{
    openTab(recorded(kPinnedRun));
    press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_EQ(tabs().count(), 1);
    press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(tabs().count(), 1);
    press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
}

TEST_F(TabsTest, TheEndAsksForEveryTabAndACancelledOneKeepsAll)
{
    openBoth();
    document()->setNotes(u"of the second"_s);
    tabs().show(0);
    document()->setNotes(u"of the first"_s);
    {
        const Answering answer(QMessageBox::Cancel);
        m_window.close();
        handleEvents();
        EXPECT_EQ(answer.questions(), 1);
        EXPECT_TRUE(m_window.isVisible());
        EXPECT_TRUE(document()->dirty());
    }
    const Answering answer(QMessageBox::Discard);
    m_window.close();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !m_window.isVisible(); }, kLongestWaitMs));
    EXPECT_EQ(answer.questions(), 2);
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

TEST_F(TabsTest, ReopeningIsOfferedOnceATraceWasClosed)
{
    openBoth();
    const QAction* reopen = actionNamed(m_window, "Reopen the closed trace");
    EXPECT_FALSE(reopen->isEnabled());
    press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_TRUE(reopen->isEnabled());
    press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_FALSE(reopen->isEnabled());
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

// Windows that remember, in settings of their own.
TEST(LastTracesTest, TheTracesOfLastTimeAreOfferedAndAMissingOneIsSaid)
{
    QSettings().clear();
    const auto idle = [](MainWindow& window) {
        return QTest::qWaitFor([&] { return !window.document()->busy(); }, 60'000);
    };
    const QString data = QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/h200/");
    QTemporaryDir folder;
    const QString gone = folder.filePath("gone.json.gz");
    ASSERT_TRUE(QFile::copy(data + kPageableRun, gone));
    Interval range;
    {
        MainWindow window(true);
        window.show();
        window.takeFiles({data + kPinnedRun, gone});
        ASSERT_TRUE(idle(window));
        const Interval whole = window.document()->view()->limits();
        range = {whole.startNs + whole.lengthNs() / 4, whole.startNs + whole.lengthNs() / 2};
        window.document()->view()->setRange(range);
        window.close();
    }
    ASSERT_TRUE(QFile::remove(gone));
    MainWindow window(true);
    window.show();
    window.document()->simulate();
    ASSERT_TRUE(idle(window));
    window.offerLastTraces();
    ASSERT_TRUE(window.tracesOffer()->isVisible());
    EXPECT_TRUE(window.tracesOffer()->sentence().contains("2 traces"));
    auto* open = window.tracesOffer()->findChild<QPushButton*>();
    ASSERT_NE(open, nullptr);
    QTest::mouseClick(open, Qt::LeftButton);
    ASSERT_TRUE(idle(window));
    EXPECT_EQ(window.document()->path(), data + kPinnedRun);
    EXPECT_EQ(window.document()->view()->range(), range);
    EXPECT_EQ(window.tabs()->count(), 1);
    EXPECT_TRUE(window.messageBar()->isVisible());
    // A person's choice opens them unasked.
    LastTraces().setOpenedAtStart(true);
    MainWindow third(true);
    third.show();
    third.offerLastTraces();
    ASSERT_TRUE(idle(third));
    EXPECT_FALSE(third.tracesOffer()->isVisible());
    EXPECT_EQ(third.document()->path(), data + kPinnedRun);
    QSettings().clear();
}

}  // namespace
}  // namespace overlane
