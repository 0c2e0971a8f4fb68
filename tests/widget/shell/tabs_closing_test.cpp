// Tabs that are closed: what is asked, what is kept, what is open again.
#include <QAbstractButton>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QPlainTextEdit>
#include <QTemporaryDir>

#include "app/shell/bottom_panel.h"
#include "app/shell/offer_bar.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/shell/tabs_fixture.h"

namespace overlane
{
namespace
{

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
        const QPoint at = tabs().tabRect(0).center();
        QContextMenuEvent ask(QContextMenuEvent::Mouse, at, tabs().mapToGlobal(at));
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

// Nothing is wrong with the run of the laboratory that comes in its place.
TEST_F(TabsTest, WhatIsSaidOfADamagedFileGoesWithItsTab)
{
    const QTemporaryDir folder;
    QFile whole(recorded(kPinnedRun));
    ASSERT_TRUE(whole.open(QIODevice::ReadOnly));
    const QString path = folder.filePath("cut.pt.trace.json.gz");
    QFile cut(path);
    ASSERT_TRUE(cut.open(QIODevice::WriteOnly));
    cut.write(whole.read(whole.size() / 2));
    cut.close();
    openTab(path);
    ASSERT_EQ(document()->path(), path);
    ASSERT_TRUE(m_window.messageBar()->isVisible());
    press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_FALSE(m_window.messageBar()->isVisible());
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

}  // namespace
}  // namespace overlane
