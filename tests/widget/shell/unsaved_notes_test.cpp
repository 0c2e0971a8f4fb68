// Notes that were not saved: kept while the window lives, offered once it is gone, killed or not.
#include "app/session/unsaved_notes.h"

#include <csignal>

#include <QDir>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryFile>

#include "app/shell/offer_bar.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "core/loader/settings.h"
#include "core/system/child_process.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

constexpr const char* kChildFolder = "OVERLANE_TEST_CHILD_FOLDER";
constexpr const char* kChildTrace = "OVERLANE_TEST_CHILD_TRACE";
constexpr const char* kReady = "what was typed is kept\n";

QStringList keptIn(const QString& folder)
{
    return QDir(folder).entryList({"*.notes"}, QDir::Files);
}

// What is in the only file.
UnsavedNotes contentIn(const QString& folder)
{
    const QTemporaryDir copy;
    QFile::copy(QDir(folder).filePath(keptIn(folder).value(0)), copy.filePath("x.notes"));
    const auto left = UnsavedFile::leftIn(copy.path());
    return left.size() == 1 ? left.front()->left() : UnsavedNotes{};
}

// Made before the window and gone after it, whose lock lies in it.
struct FolderOfNotes {
    QTemporaryDir m_folder;
};

class UnsavedNotesTest : public FolderOfNotes, public WindowTest
{
protected:
    void SetUp() override
    {
        m_window.keepNotesIn(folder());
        WindowTest::SetUp();
    }
    QString folder() const { return m_folder.filePath("unsaved"); }
    QStringList kept() const { return keptIn(folder()); }
    UnsavedNotes content() const { return contentIn(folder()); }
    bool waitForKept(int count)
    {
        return QTest::qWaitFor([&] { return kept().size() == count; }, kLongestWaitMs);
    }
    static void press(MainWindow& window, const QString& label)
    {
        for (QPushButton* button : window.notesOffer()->findChildren<QPushButton*>())
            if (button->text().remove('&') == label && button->isVisibleTo(window.notesOffer()))
                return button->click();
        ADD_FAILURE() << label.toStdString();
    }
    static bool settled(MainWindow& window)
    {
        return QTest::qWaitFor([&] { return !window.document()->busy(); }, kLongestWaitMs);
    }
    // A window of this test's own binary that types notes on a trace (none: the simulated run) and is killed.
    void killAWindowWithNotes(const QString& trace)
    {
        QTemporaryFile said;
        ASSERT_TRUE(said.open());
        ProgramStart start;
        start.command = {QCoreApplication::applicationFilePath().toStdString(), "--gtest_filter=UnsavedNotesChild.*"};
        start.environment = {{kChildFolder, folder().toStdString()},
                             {kChildTrace, trace.toStdString()},
                             {"TMPDIR", m_folder.path().toStdString()},  // killed, it takes nothing away
                             {"GTEST_TOTAL_SHARDS", "1"},                // the child is one test, whatever part this is
                             {"GTEST_SHARD_INDEX", "0"}};
        start.outputFile = said.handle();
        Result<ChildProcess> child = ChildProcess::start(start);
        ASSERT_TRUE(child.ok()) << child.error();
        const auto saidNow = [&] {
            QFile file(said.fileName());
            return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
        };
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return saidNow().contains(kReady) || child.value().poll(); }, kLongestWaitMs));
        ASSERT_TRUE(saidNow().contains(kReady)) << saidNow().toStdString();
        child.value().signal(SIGKILL);
        ASSERT_EQ(child.value().wait().signal, SIGKILL);
    }
};

// Not a test of its own: what killAWindowWithNotes() starts.
TEST(UnsavedNotesChild, TypesAndIsKilled)
{
    if (!qEnvironmentVariableIsSet(kChildFolder))
        GTEST_SKIP() << "only where another test starts it";
    const QString folder = qEnvironmentVariable(kChildFolder);
    MainWindow window(false);
    window.keepNotesIn(folder);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    const QString trace = qEnvironmentVariable(kChildTrace);
    if (trace.isEmpty()) {
        window.document()->laboratory()->set(*findSetting("workers"), 3);
        window.document()->simulate();
    } else {
        window.document()->open(trace);
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.document()->busy(); }, 60'000));
    QTest::keyClicks(window.findChild<QPlainTextEdit*>("notes"), "typed before the end");
    window.timeline()->setFocus();
    QTest::keyClick(window.timeline(), Qt::Key_M);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const UnsavedNotes kept = contentIn(folder);
            return kept.notes == "typed before the end" && !kept.bookmarks.isEmpty();
        },
        60'000));
    std::printf("%s", kReady);
    std::fflush(stdout);
    QTest::qWait(120'000);  // it is killed
}

TEST_F(UnsavedNotesTest, AreKeptSoonAndRemovedOnceTheyAreSaved)
{
    open(recorded(kPinnedRun));
    EXPECT_TRUE(kept().isEmpty());
    QTest::keyClicks(control<QPlainTextEdit>("notes"), "mine");
    ASSERT_TRUE(waitForKept(1));
    EXPECT_EQ(content().notes, "mine");
    EXPECT_EQ(content().path, QFileInfo(recorded(kPinnedRun)).absoluteFilePath());
    EXPECT_TRUE(content().fileIsSame());
    QTest::keyClicks(control<QPlainTextEdit>("notes"), " and more");
    EXPECT_TRUE(QTest::qWaitFor([&] { return content().notes == "mine and more"; }, kLongestWaitMs));
    document()->save(m_folder.filePath("kept.overlane"));
    settle();
    EXPECT_TRUE(waitForKept(0));
    document()->setNotes("again");
    ASSERT_TRUE(waitForKept(1));
    document()->giveUpNotes();
    EXPECT_TRUE(waitForKept(0));
}

TEST_F(UnsavedNotesTest, DiscardedAtTheEndNothingIsLeft)
{
    {
        MainWindow window(false);
        window.keepNotesIn(folder());
        window.show();
        window.document()->open(recorded(kPinnedRun));
        ASSERT_TRUE(settled(window));
        window.document()->setNotes("mine");
        ASSERT_TRUE(waitForKept(1));
        const Answering answer(QMessageBox::Discard);
        window.close();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window.isVisible(); }));
    }
    EXPECT_TRUE(kept().isEmpty());
}

TEST_F(UnsavedNotesTest, OfAWindowThatWasKilledAreOfferedAtTheNextStartAndRestored)
{
    killAWindowWithNotes(recorded(kPinnedRun));
    const QStringList left = kept();
    ASSERT_EQ(left.size(), 1);
    MainWindow next(false);
    next.keepNotesIn(folder());
    next.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return next.notesOffer()->isVisible(); }));
    EXPECT_TRUE(next.notesOffer()->sentence().contains(kPinnedRun)) << next.notesOffer()->sentence().toStdString();
    EXPECT_TRUE(next.document()->notes().isEmpty()) << "offered, not forced";
    press(next, "Restore");
    ASSERT_TRUE(settled(next));
    EXPECT_EQ(next.document()->path(), QFileInfo(recorded(kPinnedRun)).absoluteFilePath());
    EXPECT_EQ(next.document()->notes(), "typed before the end");
    EXPECT_EQ(next.findChild<QPlainTextEdit*>("notes")->toPlainText(), "typed before the end");
    EXPECT_EQ(next.timeline()->bookmarks()->all().size(), 1u);
    EXPECT_TRUE(next.document()->dirty());
    EXPECT_FALSE(next.notesOffer()->isVisible());
    // Still kept, by this window now.
    ASSERT_TRUE(QTest::qWaitFor([&] { return kept().size() == 1 && kept() != left; }, kLongestWaitMs));
    EXPECT_EQ(content().notes, "typed before the end");
    next.document()->giveUpNotes();
    EXPECT_TRUE(waitForKept(0));
}

TEST_F(UnsavedNotesTest, OfARunThatNoFileHoldsComeBackWithTheRun)
{
    killAWindowWithNotes({});
    MainWindow next(false);
    next.keepNotesIn(folder());
    next.show();
    next.document()->simulate();
    ASSERT_TRUE(settled(next));
    ASSERT_TRUE(QTest::qWaitFor([&] { return next.notesOffer()->isVisible(); }));
    press(next, "Restore");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !next.document()->notes().isEmpty(); }, kLongestWaitMs));
    EXPECT_EQ(next.document()->laboratory()->scenario().workers, 3);
    EXPECT_EQ(next.document()->notes(), "typed before the end");
    EXPECT_EQ(next.timeline()->bookmarks()->all().size(), 1u);
}

TEST_F(UnsavedNotesTest, AreOfferedWithTheirFileAndDiscardedForGood)
{
    killAWindowWithNotes(recorded(kPinnedRun));
    EXPECT_FALSE(m_window.notesOffer()->isVisible()) << "this window was there before";
    open(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    open(recorded(kPinnedRun));
    ASSERT_TRUE(m_window.notesOffer()->isVisible());
    const auto trace = document()->trace();
    press(m_window, "Restore");
    EXPECT_EQ(document()->trace(), trace) << "it is open already";
    EXPECT_EQ(document()->notes(), "typed before the end");
    document()->giveUpNotes();
    ASSERT_TRUE(waitForKept(0));

    killAWindowWithNotes(recorded(kPinnedRun));
    open(recorded(kPinnedRun));
    ASSERT_TRUE(m_window.notesOffer()->isVisible());
    press(m_window, "Discard");
    EXPECT_FALSE(m_window.notesOffer()->isVisible());
    EXPECT_TRUE(kept().isEmpty());
    EXPECT_TRUE(document()->notes().isEmpty());
}

TEST_F(UnsavedNotesTest, WindowsThatLiveDoNotSeeEachOthers)
{
    open(recorded(kPinnedRun));
    document()->setNotes("of the first");
    ASSERT_TRUE(waitForKept(1));
    {
        MainWindow second(false);
        second.keepNotesIn(folder());
        second.show();
        second.document()->open(recorded(kPinnedRun));
        ASSERT_TRUE(settled(second));
        EXPECT_FALSE(second.notesOffer()->isVisible());
        second.document()->setNotes("of the second");
        ASSERT_TRUE(waitForKept(2));
        second.document()->giveUpNotes();
        ASSERT_TRUE(waitForKept(1));
    }
    EXPECT_EQ(content().notes, "of the first");
    document()->giveUpNotes();
}

TEST_F(UnsavedNotesTest, WhatTheFileHoldsByNowStaysBesideThem)
{
    const QString path = m_folder.filePath("shared.overlane");
    open(recorded(kPinnedRun));
    document()->save(path);
    settle();
    killAWindowWithNotes(path);
    open(path);
    m_window.notesOffer()->hide();
    document()->setNotes("of another window");
    document()->save(path);
    settle();
    open(path);
    ASSERT_TRUE(m_window.notesOffer()->isVisible());
    press(m_window, "Restore");
    test::expectText(document()->notes());
    document()->giveUpNotes();
}

TEST_F(UnsavedNotesTest, AFolderThatCannotBeWrittenIsSaidOnce)
{
    MainWindow window(false);
    window.keepNotesIn("/proc/no/such/folder");
    window.show();
    window.document()->open(recorded(kPinnedRun));
    ASSERT_TRUE(settled(window));
    window.document()->setNotes("mine");
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.messageBar()->isVisible(); }));
    EXPECT_TRUE(window.messageBar()->sentence().contains("/proc/no/such/folder"));
}

}  // namespace
}  // namespace overlane
