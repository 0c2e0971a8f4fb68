// What a person makes of a trace, notes, bookmarks and folded tracks: what keeps them, and what asks before
// they are lost.
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSlider>
#include <QUndoStack>

#include "app/details/details_panel.h"
#include "app/shell/folding_memory.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "core/loader/settings.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class MarksTest : public WindowTest
{
protected:
    TimelineView* timeline() { return m_window.timeline(); }
    const std::vector<Bookmark>& bookmarks() { return timeline()->bookmarks()->all(); }
    // As a person does: M, in the middle of what is in sight.
    void mark()
    {
        timeline()->setFocus();
        QTest::keyClick(timeline(), Qt::Key_M);
    }
    // The first track that can be folded and shows no rows of its own.
    TrackId group()
    {
        const Trace& trace = *document()->trace();
        for (std::size_t i = 0; i < trace.tracks().size(); ++i)
            if (isCollapsible(trace, TrackId(i)) && trace.track(TrackId(i)).kind == TrackKind::Process)
                return TrackId(i);
        ADD_FAILURE() << "no group";
        return {};
    }
    // A click on its name.
    void clickName(TrackId track)
    {
        for (const LaneRow& row : timeline()->lanes()->trackLayout().rows)
            if (row.track == track)
                return QTest::mouseClick(timeline()->lanes(), Qt::LeftButton, {},
                                         QPoint(20, row.topPx + row.heightPx / 2));
        FAIL() << "not in sight";
    }
    QAction* onKeys(const QKeySequence& keys)
    {
        for (QAction* action : allActions(m_window))
            if (action->shortcuts().contains(keys))
                return action;
        return nullptr;
    }
    const Setting& workers() { return *findSetting("workers"); }

    QTemporaryDir m_folder;
};

TEST_F(MarksTest, BookmarksAndNotesAreInTheFileAndComeBack)
{
    open(recorded(kPinnedRun));
    EXPECT_FALSE(document()->dirty());
    mark();
    ASSERT_EQ(bookmarks().size(), 1u);
    const std::vector<Bookmark> made = bookmarks();
    EXPECT_TRUE(document()->dirty());
    EXPECT_TRUE(m_window.isWindowModified());
    QTest::keyClicks(control<QPlainTextEdit>("notes"), "look here");

    QString path = m_folder.filePath("kept.overlane");
    m_window.setFileChooser({{}, [&](auto...) { return path; }});
    ASSERT_TRUE(m_window.save());
    settle();
    EXPECT_FALSE(document()->dirty());

    open(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    EXPECT_TRUE(bookmarks().empty());
    EXPECT_FALSE(document()->dirty());
    open(path);
    EXPECT_EQ(bookmarks(), made);
    EXPECT_EQ(document()->notes(), "look here");
    EXPECT_FALSE(document()->dirty());

    // One taken away and saved is gone; nothing of this is shown as a property of the trace.
    mark();
    EXPECT_TRUE(bookmarks().empty());
    EXPECT_TRUE(document()->dirty());
    ASSERT_TRUE(m_window.save());
    settle();
    MainWindow second(false);
    second.document()->open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !second.document()->busy(); }, kLongestWaitMs));
    EXPECT_TRUE(second.timeline()->bookmarks()->all().empty());
    EXPECT_EQ(second.document()->notes(), "look here");
}

TEST_F(MarksTest, ABookmarkThatWasUndoneLeavesNothingToSave)
{
    open(recorded(kPinnedRun));
    mark();
    ASSERT_TRUE(m_window.isWindowModified());
    document()->laboratory()->undoStack()->undo();
    ASSERT_TRUE(bookmarks().empty());
    EXPECT_FALSE(m_window.isWindowModified());
    document()->laboratory()->undoStack()->redo();
    EXPECT_TRUE(m_window.isWindowModified());
    document()->laboratory()->undoStack()->undo();
    auto* notes = control<QPlainTextEdit>("notes");
    QTest::keyClicks(notes, "a");
    EXPECT_TRUE(m_window.isWindowModified());
    QTest::keyClick(notes, Qt::Key_Backspace);
    EXPECT_FALSE(m_window.isWindowModified());
}

TEST_F(MarksTest, ABookmarkAloneAsksBeforeAnotherFileAndBeforeTheEnd)
{
    open(recorded(kPinnedRun));
    mark();
    const std::vector<Bookmark> made = bookmarks();
    const Answering answer(QMessageBox::Cancel);
    m_window.readAgain(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    settle();
    EXPECT_EQ(answer.questions(), 1);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    m_window.close();
    handleEvents();
    EXPECT_EQ(answer.questions(), 2);
    EXPECT_TRUE(m_window.isVisible());
    EXPECT_EQ(bookmarks(), made);
    EXPECT_TRUE(document()->dirty());
}

TEST_F(MarksTest, ASaveThatFailsLeavesTheFileAndTheBookmarks)
{
    const QString path = m_folder.filePath("kept.overlane");
    open(recorded(kPinnedRun));
    document()->save(path);
    settle();
    open(path);
    mark();
    ASSERT_EQ(bookmarks().size(), 1u);
    document()->save(m_folder.filePath("no/such/folder.overlane"));
    settle();
    EXPECT_TRUE(document()->dirty());
    EXPECT_EQ(bookmarks().size(), 1u);
    MainWindow second(false);
    second.document()->open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !second.document()->busy(); }, kLongestWaitMs));
    EXPECT_TRUE(second.timeline()->bookmarks()->all().empty());
}

TEST_F(MarksTest, ARunOfTheLaboratoryAsksBeforeItTakesThePlaceOfUnsavedNotes)
{
    open(recorded(kPinnedRun));
    mark();
    {
        const Answering answer(QMessageBox::Cancel);
        document()->laboratory()->set(workers(), 7);
        settle();
        EXPECT_EQ(answer.questions(), 0) << "a setting alone takes no trace's place";
        document()->run();
        EXPECT_TRUE(QTest::qWaitFor([&] { return answer.questions() == 1; }));
        settle();
        EXPECT_EQ(document()->path(), recorded(kPinnedRun));
        EXPECT_EQ(bookmarks().size(), 1u);
        EXPECT_TRUE(document()->dirty());
    }
    const Answering answer(QMessageBox::Discard);
    document()->run();
    EXPECT_TRUE(QTest::qWaitFor([&] { return document()->origin() == Document::Origin::Laboratory; }, kLongestWaitMs));
    EXPECT_EQ(answer.questions(), 1);
    EXPECT_TRUE(bookmarks().empty());
    EXPECT_FALSE(document()->dirty());
}

TEST_F(MarksTest, SavedNotesStayWithTheirFileAndNotWithTheNextRun)
{
    open(recorded(kPinnedRun));
    document()->setNotes("of the file");
    mark();
    document()->save(m_folder.filePath("kept.overlane"));
    settle();
    document()->laboratory()->set(workers(), 7);
    document()->run();
    settle();
    ASSERT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_TRUE(document()->notes().isEmpty());
    EXPECT_TRUE(control<QPlainTextEdit>("notes")->toPlainText().isEmpty());
    EXPECT_TRUE(bookmarks().empty());
    // What is made of a run stays for the next one.
    mark();
    document()->setNotes("of the runs");
    document()->laboratory()->set(workers(), 6);
    settle();
    EXPECT_EQ(document()->notes(), "of the runs");
    EXPECT_EQ(bookmarks().size(), 1u);
}

TEST_F(MarksTest, FoldedTracksComeBackInTheSessionAndFromTheFile)
{
    open(recorded(kPinnedRun));
    const TrackId track = group();
    ASSERT_FALSE(timeline()->isCollapsed(track));
    clickName(track);
    ASSERT_TRUE(timeline()->isCollapsed(track));
    EXPECT_FALSE(document()->dirty());

    open(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    EXPECT_FALSE(timeline()->isCollapsed(group()));
    open(recorded(kPinnedRun));
    EXPECT_TRUE(timeline()->isCollapsed(track));

    const QString path = m_folder.filePath("kept.overlane");
    document()->save(path);
    settle();
    MainWindow second(false);
    second.document()->open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !second.document()->busy(); }, kLongestWaitMs));
    EXPECT_TRUE(second.timeline()->isCollapsed(track));
    second.timeline()->setCollapsed(track, false);
    EXPECT_FALSE(second.document()->dirty());
}

TEST_F(MarksTest, FoldingIsNoChangeOfTheLaboratory)
{
    QUndoStack* undo = document()->laboratory()->undoStack();
    document()->laboratory()->set(workers(), 7);
    settle();
    const int changes = undo->count();
    const TrackId track = group();
    timeline()->setCollapsed(track, true);
    EXPECT_EQ(undo->count(), changes);
    undo->undo();
    settle();
    // The run before, folded as it is now, and the change can be made again.
    EXPECT_TRUE(timeline()->isCollapsed(group()));
    EXPECT_TRUE(undo->canRedo());
    timeline()->setCollapsed(group(), false);
    EXPECT_TRUE(undo->canRedo());
    undo->redo();
    settle();
    EXPECT_FALSE(timeline()->isCollapsed(group()));
    EXPECT_EQ(workers().get(scenario()), 7);
}

TEST_F(MarksTest, BookmarksCanBeTakenBackAndMadeAgain)
{
    QAction* undo = onKeys(Qt::CTRL | Qt::Key_Z);
    QAction* redo = onKeys(Qt::CTRL | Qt::Key_Y);
    ASSERT_TRUE(undo != nullptr && redo != nullptr);
    open(recorded(kPinnedRun));
    EXPECT_FALSE(undo->isEnabled());
    mark();
    ASSERT_EQ(bookmarks().size(), 1u);
    const Bookmark made = bookmarks().front();
    EXPECT_TRUE(undo->text().endsWith("bookmark")) << undo->text().toStdString();
    timeline()->bookmarks()->add(made.timeNs, "named");
    timeline()->bookmarks()->remove(made.timeNs);
    ASSERT_TRUE(bookmarks().empty());

    undo->trigger();
    EXPECT_EQ(bookmarks(), (std::vector<Bookmark>{{made.timeNs, "named"}}));
    undo->trigger();
    EXPECT_EQ(bookmarks(), std::vector<Bookmark>{made});
    EXPECT_EQ(document()->bookmarks(), timeline()->bookmarks()->toText()) << "what is saved is what is seen";
    undo->trigger();
    EXPECT_TRUE(bookmarks().empty());
    EXPECT_FALSE(undo->isEnabled());
    redo->trigger();
    redo->trigger();
    EXPECT_EQ(bookmarks(), (std::vector<Bookmark>{{made.timeNs, "named"}}));
    redo->trigger();
    EXPECT_TRUE(bookmarks().empty());
    EXPECT_FALSE(redo->isEnabled());
}

TEST_F(MarksTest, UndoInTheNameFieldIsTheFieldsOwn)
{
    open(recorded(kPinnedRun));
    mark();
    const std::vector<Bookmark> made = bookmarks();
    QTest::keyClick(timeline(), Qt::Key_M, Qt::ShiftModifier);
    auto* field = timeline()->findChild<QLineEdit*>();
    ASSERT_NE(field, nullptr);
    if (!field->isVisible())
        timeline()->perform(TimelineAction::RenameBookmark);
    ASSERT_TRUE(field->isVisible());
    QTest::keyClicks(field, "x");
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(field->text(), made.front().name);
    EXPECT_EQ(bookmarks(), made);
}

// The stack holds what was done in both traces; what belongs to the one that is gone is passed over.
TEST_F(MarksTest, BookmarksOfAnotherTraceAreNotTakenBackInThisOne)
{
    document()->laboratory()->set(workers(), 7);
    settle();
    QAction* undo = onKeys(Qt::CTRL | Qt::Key_Z);
    open(recorded(kPinnedRun));
    mark();
    document()->giveUpNotes();
    open(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    ASSERT_TRUE(bookmarks().empty());
    undo->trigger();
    settle();
    EXPECT_TRUE(bookmarks().empty());
    EXPECT_NE(workers().get(scenario()), 7) << "one step back is the change before the bookmark";
    // Runs of the laboratory follow each other, and so do their bookmarks.
    document()->run();
    settle();
    ASSERT_EQ(document()->origin(), Document::Origin::Laboratory);
    mark();
    ASSERT_EQ(bookmarks().size(), 1u);
    document()->laboratory()->set(workers(), 6);
    settle();
    undo->trigger();
    settle();
    EXPECT_EQ(bookmarks().size(), 1u);
    undo->trigger();
    EXPECT_TRUE(bookmarks().empty());
}

TEST_F(MarksTest, FoldingOfAnyFileComesBackAfterARestartUnlessItWasWrittenAnew)
{
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    const QString path = m_folder.filePath("copy.pt.trace.json.gz");
    ASSERT_TRUE(QFile::copy(recorded(kPinnedRun), path));
    const auto show = [&](MainWindow& window) {
        window.document()->open(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window.document()->busy(); }, kLongestWaitMs));
    };
    TrackId track;
    {
        MainWindow first(true);
        show(first);
        open(path);
        track = group();
        ASSERT_FALSE(first.timeline()->isCollapsed(track));
        first.timeline()->setCollapsed(track, true);
    }
    {
        MainWindow second(true);
        show(second);
        EXPECT_TRUE(second.timeline()->isCollapsed(track));
        EXPECT_FALSE(second.document()->dirty());
        second.timeline()->setCollapsed(track, false);
        second.timeline()->setCollapsed(track, true);
    }
    MainWindow plain(false);
    show(plain);
    EXPECT_FALSE(plain.timeline()->isCollapsed(track)) << "a window that remembers nothing";
    ASSERT_TRUE(QFile::remove(path) && QFile::copy(recorded(kPageableRun), path));
    EXPECT_TRUE(FoldingMemory().of(path).isEmpty());
}

TEST(FoldingMemoryTest, KeepsTheFilesFoldedLastAndNoMore)
{
    const QTemporaryDir folder;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    const auto file = [&](int number) {
        QString path = folder.filePath(QString::number(number));
        QFile made(path);
        EXPECT_TRUE(made.open(QIODevice::WriteOnly));
        return path;
    };
    FoldingMemory memory;
    for (int i = 0; i <= FoldingMemory::kMost; ++i)
        memory.keep(file(i), QStringLiteral("folded %1").arg(i));
    EXPECT_TRUE(memory.of(folder.filePath("0")).isEmpty());
    EXPECT_EQ(memory.of(folder.filePath("1")), "folded 1");
    EXPECT_EQ(memory.of(folder.filePath("64")), "folded 64");
    // Each once, whatever is known of it.
    memory.keep(folder.filePath("1"), "again");
    EXPECT_EQ(memory.of(folder.filePath("1")), "again");
    EXPECT_EQ(memory.of(folder.filePath("2")), "folded 2");
    memory.keep(folder.filePath("1"), {});
    EXPECT_TRUE(memory.of(folder.filePath("1")).isEmpty());
    memory.keep(folder.filePath("3"), QString(FoldingMemory::kLongest + 1, 'x'));
    EXPECT_TRUE(memory.of(folder.filePath("3")).isEmpty());
    memory.keep(folder.filePath("not there"), "x");
    EXPECT_TRUE(memory.of(folder.filePath("not there")).isEmpty());
}

TEST_F(MarksTest, AFileWithForeignMarksOpensWithoutThem)
{
    timeline()->setFolding("{\"a\": 1, \"b\": true");
    EXPECT_TRUE(timeline()->folding().isEmpty());
    timeline()->setFolding("[1, 2]");
    EXPECT_TRUE(timeline()->folding().isEmpty());
}

}  // namespace
}  // namespace overlane
