// The traces of last time, offered at the start.
#include "app/shell/last_traces.h"

#include <QDateTime>
#include <QFileInfo>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>

#include "app/shell/offer_bar.h"
#include "app/widgets/message_bar.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

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

TEST(LastTracesTest, WhatIsKeptAlreadyIsNotWrittenAgain)
{
    QSettings().clear();
    const std::vector<TraceTabs::Trace> traces{{"a.overlane", {1, 5}}, {"b.overlane", {2, 7}}};
    LastTraces().keep(traces, 1);
    const QDateTime longAgo = QDateTime::fromSecsSinceEpoch(1'000'000);
    const auto written = [] { return QFileInfo(QSettings().fileName()).lastModified(); };
    QFile file(QSettings().fileName());
    ASSERT_TRUE(file.open(QIODevice::ReadWrite));
    ASSERT_TRUE(file.setFileTime(longAgo, QFileDevice::FileModificationTime));
    file.close();
    LastTraces().keep(traces, 1);
    EXPECT_EQ(written(), longAgo);
    LastTraces().keep(traces, 0);
    EXPECT_NE(written(), longAgo);
    EXPECT_EQ(LastTraces().front(), 0);
    ASSERT_EQ(LastTraces().traces().size(), 2U);
    EXPECT_EQ(LastTraces().traces()[1].visible, (Interval{2, 7}));
    QSettings().clear();
}

}  // namespace
}  // namespace overlane
