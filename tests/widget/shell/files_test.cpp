// Opening and saving through the document: what comes in, what stays when nothing comes in.
#include <QDateTime>
#include <QFile>
#include <QPlainTextEdit>

#include "app/widgets/message_bar.h"
#include "tests/support/expect_text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

using FilesTest = WindowTest;

TEST_F(FilesTest, ARecordedTraceReplacesTheSimulatedOne)
{
    QSignalSpy opened(document(), &Document::opened);
    open(recorded(kPinnedRun));
    EXPECT_EQ(opened.count(), 1);
    EXPECT_EQ(document()->origin(), Document::Origin::File);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    ASSERT_EQ(document()->summary().devices.size(), 1u);
    EXPECT_EQ(device().kernels, 1132);
    EXPECT_TRUE(m_window.windowTitle().contains(QString::fromUtf8(kPinnedRun)));
    EXPECT_FALSE(document()->dirty());
}

TEST_F(FilesTest, TheKeysOfAnOpenedTraceAreThoseOfItsTimeline)
{
    open(recorded(kPinnedRun));
    EXPECT_EQ(m_window.focusWidget(), m_window.timeline());
    const Interval before = document()->view()->range();
    QTest::keyClick(m_window.focusWidget(), Qt::Key_W);
    EXPECT_TRUE(QTest::qWaitFor([&] { return document()->view()->target().lengthNs() < before.lengthNs(); }));
}

TEST_F(FilesTest, AFailedOpenIsToldAndKeepsTheTrace)
{
    open(recorded(kPinnedRun));
    const auto kept = document()->trace();
    QTemporaryDir folder;
    QFile broken(folder.filePath("broken.json"));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("neither JSON nor a database");
    broken.close();
    for (const QString& path : {folder.filePath("missing.json"), folder.path(), broken.fileName()}) {
        m_window.messageBar()->hide();
        QSignalSpy failed(document(), &Document::failed);
        QSignalSpy changed(document(), &Document::traceChanged);
        open(path);
        ASSERT_EQ(failed.count(), 1) << path.toStdString();
        EXPECT_EQ(changed.count(), 0) << path.toStdString();
        EXPECT_FALSE(failed.at(0).at(0).toString().isEmpty());
        EXPECT_TRUE(m_window.messageBar()->isVisible());
        EXPECT_EQ(m_window.messageBar()->sentence(), failed.at(0).at(0).toString());
        EXPECT_EQ(document()->trace(), kept);
        EXPECT_EQ(document()->path(), recorded(kPinnedRun));
        EXPECT_EQ(device().kernels, 1132);
    }
}

TEST_F(FilesTest, SavingKeepsEveryEventAndTheNotes)
{
    open(recorded(kPinnedRun));
    const std::size_t events = document()->trace()->eventCount();
    const DeviceSummary before = device();
    auto* notes = control<QPlainTextEdit>("notes");
    QTest::keyClicks(notes, "8 workers / pinned");
    EXPECT_TRUE(document()->dirty());
    EXPECT_TRUE(m_window.isWindowModified());

    QTemporaryDir folder;
    const QString path = folder.filePath("kept.overlane");
    QSignalSpy saved(document(), &Document::saved);
    document()->save(path);
    settle();
    ASSERT_EQ(saved.count(), 1) << m_window.messageBar()->sentence().toStdString();
    EXPECT_FALSE(document()->dirty());

    open(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    EXPECT_TRUE(notes->toPlainText().isEmpty());
    EXPECT_NE(document()->trace()->eventCount(), events);
    open(path);
    EXPECT_EQ(document()->trace()->eventCount(), events);
    EXPECT_EQ(document()->notes(), "8 workers / pinned");
    EXPECT_EQ(notes->toPlainText(), "8 workers / pinned");
    EXPECT_FALSE(document()->dirty());
    EXPECT_EQ(device().kernels, before.kernels);
    EXPECT_EQ(device().exposedCopyNs, before.exposedCopyNs);
    EXPECT_EQ(device().wallNs, before.wallNs);
}

TEST_F(FilesTest, AReadOnlyFileIsSavedUnderAnotherName)
{
    QTemporaryDir folder;
    const QString path = folder.filePath("shared.overlane");
    open(recorded(kPinnedRun));
    document()->save(path);
    settle();
    open(path);
    ASSERT_TRUE(QFile::setPermissions(path, QFile::ReadOwner));
    const QDateTime before = QFileInfo(path).lastModified();
    document()->setNotes("mine");
    QString suggested;
    FileChooser chooser;
    chooser.toSave = [&suggested](QWidget*, const QString&, const QString& name, const QString&) {
        suggested = name;
        return name;
    };
    m_window.setFileChooser(chooser);
    EXPECT_TRUE(m_window.save());
    settle();
    EXPECT_EQ(suggested, folder.filePath("shared_copy.overlane"));
    EXPECT_EQ(document()->path(), suggested);
    EXPECT_FALSE(document()->dirty());
    EXPECT_EQ(QFileInfo(path).lastModified(), before);
    test::expectText(m_window.messageBar()->sentence().toStdString());

    // Chosen all the same, it stays as it is.
    QSignalSpy failed(document(), &Document::failed);
    document()->save(path);
    settle();
    EXPECT_EQ(failed.count(), 1);
    EXPECT_EQ(QFileInfo(path).lastModified(), before);
}

TEST_F(FilesTest, TwoWindowsOnOneFileLoseNothingOfEachOther)
{
    QTemporaryDir folder;
    const QString path = folder.filePath("shared.overlane");
    open(recorded(kPinnedRun));
    document()->save(path);
    settle();
    open(path);
    MainWindow other(false);
    other.show();
    other.document()->open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !other.document()->busy() && other.document()->path() == path; }, 20'000));
    other.document()->setNotes("of the other window");
    other.document()->setBookmarks("1000\ttheirs\n");
    other.document()->save(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !other.document()->busy() && !other.document()->dirty(); }, 20'000));

    auto* notes = control<QPlainTextEdit>("notes");
    QTest::keyClicks(notes, "of this window");
    document()->setBookmarks("2000\tmine\n");
    QSignalSpy remarked(document(), &Document::remarked);
    document()->save(path);
    settle();
    EXPECT_EQ(remarked.count(), 1);
    EXPECT_FALSE(document()->dirty());
    EXPECT_EQ(notes->toPlainText(), "of this window\nof the other window");
    EXPECT_EQ(document()->bookmarks(), "1000\ttheirs\n2000\tmine\n");
    EXPECT_FALSE(document()->dirty());
    open(recorded(kPinnedRun));
    open(path);
    EXPECT_EQ(document()->notes(), "of this window\nof the other window");
    EXPECT_EQ(document()->bookmarks(), "1000\ttheirs\n2000\tmine\n");
}

TEST_F(FilesTest, AFailedSaveIsToldAndStaysUnsaved)
{
    document()->setNotes("not lost");
    QSignalSpy failed(document(), &Document::failed);
    QSignalSpy saved(document(), &Document::saved);
    QTemporaryDir folder;
    document()->save(folder.filePath("no/such/folder/x.overlane"));
    settle();
    EXPECT_EQ(failed.count(), 1);
    EXPECT_EQ(saved.count(), 0);
    EXPECT_TRUE(document()->dirty());
    EXPECT_EQ(document()->notes(), "not lost");
}

TEST_F(FilesTest, AFileAskedForLastWinsOverASimulationUnderWay)
{
    document()->simulate();
    document()->open(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    document()->simulate();
    open(recorded(kPinnedRun));
    EXPECT_EQ(document()->origin(), Document::Origin::File);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    EXPECT_EQ(device().kernels, 1132);
}

TEST_F(FilesTest, OfTwoFilesAskedForTheLastIsShownAndNothingIsSaidOfTheOther)
{
    QSignalSpy failed(document(), &Document::failed);
    QSignalSpy shown(document(), &Document::opened);
    document()->open(QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/tracelens_h100_owlv2.json.gz"));
    handleEvents();
    ASSERT_TRUE(document()->busy());
    document()->open(recorded(kPinnedRun));
    settle();
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    EXPECT_EQ(failed.count(), 0);
    EXPECT_EQ(shown.count(), 1);
}

TEST_F(FilesTest, AWindowClosesWhileAFileIsRead)
{
    MainWindow window(false);
    window.show();
    window.document()->open(
        QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/tracelens_h100_owlv2.json.gz"));
    handleEvents();
    ASSERT_TRUE(window.document()->busy());
    EXPECT_TRUE(window.close());
    EXPECT_FALSE(window.isVisible());
}

TEST_F(FilesTest, OpeningAnotherFileDoesNotStopASave)
{
    open(recorded(kPinnedRun));
    document()->setNotes("kept");
    QTemporaryDir folder;
    QSignalSpy saved(document(), &Document::saved);
    QSignalSpy failed(document(), &Document::failed);
    document()->save(folder.filePath("x.overlane"));
    open(recorded("w4_page_b_main_d4.pt.trace.json.gz"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; })) << m_window.messageBar()->sentence().toStdString();
    EXPECT_EQ(failed.count(), 0);
    EXPECT_TRUE(QFile::exists(folder.filePath("x.overlane")));
}

}  // namespace
}  // namespace overlane
