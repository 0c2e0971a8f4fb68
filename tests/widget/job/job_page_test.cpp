// A job in the window: a folder dropped on it, its ranks on one clock, one of them opened.
#include "app/job/job_page.h"

#include <algorithm>
#include <fstream>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>

#include "app/job/job_tool.h"
#include "app/job/rank_strips_view.h"
#include "app/session/shell.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/search_bar.h"
#include "app/shell/window_shell.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/data_table.h"
#include "app/widgets/message_bar.h"
#include "core/io/format.h"
#include "tests/unit/job/two_devices.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

const QString kRanks = QStringLiteral(OVERLANE_SOURCE_DIR "/tests/data/traces/kineto/dlrm_4rank");

class JobPageTest : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        m_tool = new JobTool(m_window.shell());
    }
    JobPage* page() { return m_tool->page(); }
    bool isShown() { return m_window.shell()->page() == page(); }
    void settleJob()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page()->source()->busy(); }, kLongestWaitMs));
    }
    void openJob()
    {
        ASSERT_TRUE(dropFiles(&m_window, {kRanks}));
        ASSERT_TRUE(isShown());
        settleJob();
        ASSERT_EQ(page()->strips()->strips().ranks.size(), 4u);
    }
    // The ranks, in a folder of its own.
    QString copyOfRanks()
    {
        for (const QFileInfo& file : QDir(kRanks).entryInfoList(QDir::Files))
            QFile::copy(file.filePath(), m_folder.filePath(file.fileName()));
        return m_folder.path();
    }

    JobTool* m_tool = nullptr;
    QTemporaryDir m_folder;
};

TEST_F(JobPageTest, ATraceOfSeveralGpusIsAJobOfThem)
{
    const QString file = m_folder.filePath(QStringLiteral("two.overlane"));
    Progress progress;
    ASSERT_TRUE(writeTrace(test::twoDevices(), file.toStdString(), progress).ok());
    open(file);
    control<QAction>("jobAction")->trigger();
    ASSERT_TRUE(isShown());
    settleJob();
    ASSERT_EQ(page()->strips()->strips().ranks.size(), 2u);
    EXPECT_EQ(page()->strips()->strips().ranks.back().label, QStringLiteral("GPU 1"));
    // A job of ranks that is open stays.
    openJob();
    open(file);
    control<QAction>("jobAction")->trigger();
    EXPECT_EQ(page()->strips()->strips().ranks.size(), 4u);
}

TEST_F(JobPageTest, AFolderThatIsDroppedShowsItsRanks)
{
    openJob();
    EXPECT_FALSE(page()->answer().isEmpty());
    EXPECT_TRUE(page()->table()->isVisible());
    // A plus or minus in a cell says by how much at least.
    EXPECT_TRUE(page()->findChild<QLabel*>("jobRankWords")->isVisible());
    EXPECT_TRUE(page()->findChild<QLabel*>("jobRankWords")->text().contains("+ and -"));
    const JobStrips& strips = page()->strips()->strips();
    for (std::size_t rank = 0; rank < strips.ranks.size(); ++rank) {
        const RankStrip& strip = strips.ranks[rank];
        EXPECT_TRUE(strip.trouble.isEmpty()) << strip.trouble.toStdString();
        EXPECT_FALSE(strip.cells.empty());
        EXPECT_GT(strips.members(rank), 0u);
        EXPECT_GT(strip.span.lengthNs(), 0);
    }
    EXPECT_GT(strips.calls(), 0u);
}

// No ruler without time, and no table without rows.
TEST_F(JobPageTest, BeforeAJobThereIsOnlyWhatToDo)
{
    QTest::keyClick(&m_window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(isShown());
    EXPECT_FALSE(page()->answer().isEmpty());
    EXPECT_FALSE(page()->strips()->isVisible());
    EXPECT_FALSE(page()->table()->isVisible());
    openJob();
    EXPECT_TRUE(page()->strips()->isVisible());
}

// A run of the laboratory that ends below the page says nothing there.
TEST_F(JobPageTest, IsMadeWhenItIsFirstAskedFor)
{
    EXPECT_EQ(m_window.findChild<JobPage*>(), nullptr);
    QTest::keyClick(&m_window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_NE(m_window.findChild<JobPage*>(), nullptr);
    EXPECT_TRUE(isShown());
    QTest::keyClick(page(), Qt::Key_Escape);
    EXPECT_FALSE(isShown());
}

// Sweeps and the advisor are tabs, which stand beside the timeline alone.
TEST_F(JobPageTest, ATabThatIsAskedForLeavesThePage)
{
    openJob();
    BottomPanel* tabs = m_window.bottomPanel();
    m_window.shell()->showTab(tabs->notes());
    EXPECT_FALSE(isShown());
    EXPECT_TRUE(tabs->notes()->isVisible());
    EXPECT_TRUE(m_window.timeline()->isVisible());
}

TEST_F(JobPageTest, ASlashStaysOnThePage)
{
    openJob();
    for (QWidget* part : page()->findChildren<QWidget*>()) {
        if (!part->isVisible() || part->focusPolicy() == Qt::NoFocus)
            continue;
        part->setFocus();
        QTest::keyClick(part, Qt::Key_Slash);
        EXPECT_TRUE(isShown()) << part->metaObject()->className();
        EXPECT_FALSE(m_window.searchBar()->isVisible()) << part->metaObject()->className();
    }
}

TEST_F(JobPageTest, TheChosenRankIsRead)
{
    openJob();
    RankStrips* strips = page()->strips();
    const auto ink = [&] {
        const QImage label = strips->viewport()->grab(QRect(2, 2, kLabelWidthPx - 8, 30)).toImage();
        int least = 255;
        int most = 0;
        for (int y = 0; y < label.height(); ++y)
            for (int x = 4; x < label.width(); ++x) {
                const int light = qGray(label.pixel(x, y));
                least = std::min(least, light);
                most = std::max(most, light);
            }
        return most - least;
    };
    const int before = ink();
    ASSERT_GT(before, 100);
    strips->setFocus();
    QTest::keyClick(strips, Qt::Key_Down);
    EXPECT_GT(ink(), 100);
}

TEST_F(JobPageTest, TheStatusBarSpeaksOfTheJobWhileItIsShown)
{
    const auto said = [this](int parts) { return m_window.statusLine()->text().section(", ", 0, parts - 1); };
    const QString ofTrace = said(2);
    EXPECT_TRUE(ofTrace.contains("events")) << ofTrace.toStdString();
    QTest::keyClick(&m_window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    test::expectText(said(1));
    openJob();
    test::expectText(said(2));
    const QString ofJob = said(2);
    document()->simulate();
    settle();
    EXPECT_EQ(said(2), ofJob);
    QTest::keyClick(page(), Qt::Key_Escape);
    EXPECT_EQ(said(2), ofTrace);
}

TEST_F(JobPageTest, MembersOfACollectiveAreFoundUnderTheMouse)
{
    openJob();
    RankStrips* strips = page()->strips();
    const auto find = [&]() -> std::optional<QPoint> {
        for (int y = 0; y < strips->viewport()->height(); y += 10)
            for (int x = kLabelWidthPx; x < strips->viewport()->width(); ++x)
                if (const auto hit = strips->hitAt({x, y});
                    hit && hit->rank == 1 && strips->strips().member(1, hit->member).call != SIZE_MAX)
                    return QPoint(x, y);
        return {};
    };
    const std::optional<QPoint> place = find();
    ASSERT_TRUE(place);
    EXPECT_EQ(strips->hitAt(*place)->rank, 1u);
    EXPECT_TRUE(strips->tipAt(*place).contains("all"));
    QTest::mouseMove(strips->viewport(), *place);
    EXPECT_FALSE(strips->tipAt({10, 10}).isEmpty());
}

TEST_F(JobPageTest, ARankOpensAsATraceAndThePageComesBack)
{
    openJob();
    RankStrips* strips = page()->strips();
    strips->setFocus();
    QTest::keyClick(strips, Qt::Key_Down);
    QTest::keyClick(strips, Qt::Key_Down);
    EXPECT_EQ(strips->chosen(), 1);
    EXPECT_EQ(page()->table()->currentIndex().row(), 1);
    QTest::keyClick(strips, Qt::Key_Return);
    settle();
    EXPECT_FALSE(isShown());
    EXPECT_EQ(QFileInfo(document()->path()).fileName(), QFileInfo(strips->strips().ranks[1].path).fileName());
    QTest::keyClick(&m_window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(isShown());
    QTest::keyClick(page(), Qt::Key_Escape);
    EXPECT_FALSE(isShown());
}

TEST_F(JobPageTest, ChoosingARowChoosesTheRank)
{
    openJob();
    page()->table()->selectRow(2);
    EXPECT_EQ(page()->strips()->chosen(), 2);
}

TEST_F(JobPageTest, ABrokenRankIsSaidAndTheOthersAreThere)
{
    const QString folder = copyOfRanks();
    const QString broken = QDir(folder).entryInfoList(QDir::Files).front().filePath();
    QFile::resize(broken, QFileInfo(broken).size() / 2);
    m_tool->open({folder});
    settleJob();
    EXPECT_EQ(page()->strips()->strips().ranks.size(), 4u);
    auto* notes = page()->findChild<QLabel*>("jobNotes");
    ASSERT_NE(notes, nullptr);
    EXPECT_TRUE(notes->isVisible());
    EXPECT_TRUE(notes->text().contains("rank 0") || notes->text().contains("worker0")) << notes->text().toStdString();
}

TEST_F(JobPageTest, AFolderWithoutTracesIsRefusedWithASentence)
{
    m_tool->open({m_folder.path()});
    settleJob();
    auto* message = page()->findChild<MessageBar*>();
    ASSERT_NE(message, nullptr);
    EXPECT_TRUE(message->sentence().contains(m_folder.path())) << message->sentence().toStdString();
}

TEST_F(JobPageTest, TheTimelineZoomsAndPansAsTheLanesOfATrace)
{
    openJob();
    RankStrips* strips = page()->strips();
    const QPoint middle = strips->viewport()->rect().center();
    const auto shown = [&] { return strips->strips(); };
    ASSERT_GT(shown().active.lengthNs(), 0);
    const auto before = strips->hitAt(middle);
    QWheelEvent in(middle, strips->viewport()->mapToGlobal(middle), {}, {0, 120 * 20}, Qt::NoButton,
                   Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(strips->viewport(), &in);
    QTest::keyClick(strips, Qt::Key_F, Qt::ShiftModifier);
    EXPECT_EQ(strips->hitAt(middle), before);
}

}  // namespace
}  // namespace overlane
