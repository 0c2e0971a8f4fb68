// Files on their way in and out by hand: dropped, chosen in a dialog, saved under a name, cancelled.
#include <csignal>
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include "app/shell/bottom_panel.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

const char* const kPageableRun = "w4_page_b_main_d4.pt.trace.json.gz";

using DropTest = WindowTest;

TEST_F(DropTest, WhatIsDraggedOverTheWindowIsToldWhatADropDoes)
{
    auto* target = m_window.findChild<QWidget*>("dropTarget");
    ASSERT_NE(target, nullptr);
    EXPECT_FALSE(target->isVisible());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(recorded(kPinnedRun))});
    QDragEnterEvent enter(m_window.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&m_window, &enter);
    EXPECT_TRUE(target->isVisible());
    EXPECT_EQ(target->size(), m_window.size());
    QDragLeaveEvent leave;
    QApplication::sendEvent(&m_window, &leave);
    EXPECT_FALSE(target->isVisible());
    QApplication::sendEvent(&m_window, &enter);
    EXPECT_TRUE(dropFiles(&m_window, {recorded(kPinnedRun)}));
    EXPECT_FALSE(target->isVisible());
    settle();
}

TEST_F(DropTest, AFileOpensWhereverItIsDropped)
{
    const QList<QWidget*> targets = {m_window.timeline(), m_window.bottomPanel()->notes()->viewport(),
                                     m_window.statusBar()};
    for (QWidget* target : targets) {
        open(recorded(kPageableRun));
        EXPECT_TRUE(dropFiles(target, {recorded(kPinnedRun)})) << target->metaObject()->className();
        settle();
        EXPECT_EQ(document()->path(), recorded(kPinnedRun)) << target->metaObject()->className();
        EXPECT_EQ(device().kernels, 1132);
    }
    EXPECT_EQ(document()->notes(), QString());
}

TEST_F(DropTest, AFolderIsOpenedAsAJob)
{
    const auto kept = document()->trace();
    QTemporaryDir folder;
    QSignalSpy job(&m_window, &MainWindow::jobRequested);
    dropFiles(&m_window, {folder.path()});
    dropFiles(&m_window, {recorded(kPinnedRun), folder.path()});
    settle();
    ASSERT_EQ(job.size(), 2);
    EXPECT_EQ(job[0][0].toStringList(), QStringList{folder.path()});
    EXPECT_EQ(job[1][0].toStringList().size(), 2);
    EXPECT_EQ(document()->trace(), kept);
}

TEST_F(DropTest, TextsAndPagesOfTheWebAreNotTaken)
{
    QMimeData sentence;
    sentence.setText("w8_pin");
    EXPECT_FALSE(dropOn(&m_window, sentence));
    QMimeData page;
    page.setUrls({QUrl("https://example.org/trace.json")});
    EXPECT_FALSE(dropOn(&m_window, page));
    QMimeData nothing;
    nothing.setUrls({});
    EXPECT_FALSE(dropOn(&m_window, nothing));
    settle();
    EXPECT_EQ(document()->origin(), Document::Origin::Laboratory);
    EXPECT_FALSE(m_window.messageBar()->isVisible());
}

class DialogTest : public WindowTest
{
protected:
    // Dialogs are answered with m_answer; what they offered is kept.
    void SetUp() override
    {
        WindowTest::SetUp();
        const auto ask = [this](QWidget*, const QString&, const QString& suggested, const QString& filters) {
            m_suggested = suggested;
            m_filters = filters;
            ++m_asked;
            return m_answer;
        };
        m_window.setFileChooser({ask, ask});
    }

    QString m_answer;
    QString m_suggested;
    QString m_filters;
    int m_asked = 0;
};

TEST_F(DialogTest, OpenOffersEveryFormatAndTakesTheAnswer)
{
    m_answer = recorded(kPinnedRun);
    QTest::keyClick(&m_window, Qt::Key_O, Qt::ControlModifier);
    settle();
    EXPECT_EQ(m_asked, 1);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    for (const char* pattern : {"*.overlane", "*.json", "*.json.gz", "*.sqlite", "(*)"})
        EXPECT_TRUE(m_filters.contains(pattern)) << pattern << " in " << m_filters.toStdString();

    const auto kept = document()->trace();
    m_answer.clear();
    QTest::keyClick(&m_window, Qt::Key_O, Qt::ControlModifier);
    settle();
    EXPECT_EQ(m_asked, 2);
    EXPECT_EQ(document()->trace(), kept);
}

TEST_F(DialogTest, SaveAsAddsTheExtensionAndSaveTakesTheSameFileAgain)
{
    open(recorded(kPinnedRun));
    QTemporaryDir folder;
    m_answer = folder.filePath("mine");
    QTest::keyClick(&m_window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    settle();
    EXPECT_EQ(QFileInfo(m_suggested).fileName(), "w8_pin_nb_side_d16.overlane");
    EXPECT_EQ(document()->path(), folder.filePath("mine.overlane"));
    EXPECT_TRUE(QFile::exists(folder.filePath("mine.overlane")));

    document()->setNotes("second");
    QTest::keyClick(&m_window, Qt::Key_S, Qt::ControlModifier);
    settle();
    EXPECT_EQ(m_asked, 1);
    EXPECT_FALSE(document()->dirty());
    open(recorded(kPageableRun));
    open(folder.filePath("mine.overlane"));
    EXPECT_EQ(document()->notes(), "second");
}

TEST_F(DialogTest, AFullDiskLeavesTheOldFileAndSaysSo)
{
    QTemporaryDir folder;
    m_answer = folder.filePath("kept.overlane");
    ASSERT_TRUE(m_window.saveAs());
    settle();
    QFile file(m_answer);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    file.close();
    ASSERT_FALSE(before.isEmpty());

    open(recorded(kPinnedRun));
    document()->setNotes("not lost");
    // No file may grow past this: what a write meets on a full disk.
    rlimit old{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = old;
    small.rlim_cur = 8192;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    ASSERT_TRUE(m_window.saveAs());
    settle();
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
    std::signal(SIGXFSZ, ignored);

    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_FALSE(m_window.messageBar()->sentence().isEmpty());
    EXPECT_TRUE(document()->dirty());
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), before);
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"kept.overlane"});
}

TEST_F(DialogTest, APlaceThatCannotBeWrittenIsNamed)
{
    QTemporaryDir folder;
    ASSERT_TRUE(QDir(folder.path()).mkdir("taken.overlane"));
    for (const QString& path : {folder.filePath("no/folder/x.overlane"), folder.filePath("taken.overlane")}) {
        m_window.messageBar()->hide();
        m_answer = path;
        ASSERT_TRUE(m_window.saveAs());
        settle();
        EXPECT_TRUE(m_window.messageBar()->isVisible()) << path.toStdString();
        EXPECT_TRUE(m_window.messageBar()->sentence().contains(path))
            << m_window.messageBar()->sentence().toStdString();
    }
    EXPECT_TRUE(QFileInfo(folder.filePath("taken.overlane")).isDir());
}

TEST_F(DialogTest, APictureIsWrittenOrRefused)
{
    QTemporaryDir folder;
    m_answer = folder.filePath("picture");
    m_window.exportPicture();
    QImage picture(folder.filePath("picture.png"));
    EXPECT_EQ(picture.size(), m_window.size() * m_window.devicePixelRatio());
    EXPECT_FALSE(m_window.messageBar()->isVisible());
    m_answer = folder.filePath("no/such/folder/picture.png");
    m_window.exportPicture();
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_TRUE(m_window.messageBar()->sentence().contains(m_answer));
}

TEST_F(DialogTest, APictureThatDoesNotFitLeavesTheOneThatWasThere)
{
    QTemporaryDir folder;
    m_answer = folder.filePath("picture.png");
    m_window.exportPicture();
    ASSERT_FALSE(QImage(m_answer).isNull());
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit full{4096, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &full);
    m_window.exportPicture();
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_TRUE(m_window.messageBar()->isVisible());
    EXPECT_FALSE(QImage(m_answer).isNull());
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"picture.png"});
}

TEST_F(DialogTest, ALongOpenShowsProgressAndCanBeCancelled)
{
    QTemporaryDir folder;
    QFile big(folder.filePath("big.json"));
    ASSERT_TRUE(big.open(QIODevice::WriteOnly));
    big.write(R"({"traceEvents":[)");
    for (int i = 0; i < 300'000; ++i)
        big.write(QStringLiteral(R"({"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":%1,"dur":1.5},)")
                      .arg(1000 + 2 * i)
                      .toLatin1());
    big.write(R"({"ph":"X","cat":"cpu_op","name":"last","pid":1,"tid":1,"ts":1,"dur":1}]})");
    big.close();

    open(recorded(kPinnedRun));
    const auto kept = document()->trace();
    QSignalSpy failed(document(), &Document::failed);
    document()->open(big.fileName());
    auto* cancel = control<QToolButton>("cancel");
    EXPECT_TRUE(cancel->isVisible());
    EXPECT_TRUE(control<QProgressBar>("progress")->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    settle();
    EXPECT_EQ(document()->trace(), kept);
    EXPECT_EQ(document()->path(), recorded(kPinnedRun));
    EXPECT_EQ(failed.count(), 0);
    EXPECT_FALSE(m_window.messageBar()->isVisible());
    EXPECT_FALSE(cancel->isVisible());
    EXPECT_TRUE(m_window.statusBar()->currentMessage().contains("big.json"));
}

TEST(FirstTrace, ThatCannotBeOpenedIsSaidAndTheDefaultScenarioIsDrawn)
{
    MainWindow window(false);
    window.show();
    window.document()->open("/no/such/trace.json");
    EXPECT_EQ(window.document()->trace(), nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.document()->trace() != nullptr; }, 60'000));
    EXPECT_TRUE(window.messageBar()->isVisible());
    EXPECT_TRUE(window.messageBar()->sentence().contains("/no/such/trace.json"));
    EXPECT_EQ(window.document()->origin(), Document::Origin::Laboratory);
    EXPECT_EQ(window.timeline()->trace(), window.document()->trace());
}

}  // namespace
}  // namespace overlane
