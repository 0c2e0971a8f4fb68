// A fleet in the window: a folder dropped on it, filtered by clicks, a run opened.
#include "app/fleet/fleet_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <qcustomplot.h>

#include "app/fleet/fleet_tool.h"
#include "app/fleet/overlap_histogram.h"
#include "app/session/shell.h"
#include "app/shell/window_shell.h"
#include "app/widgets/data_table.h"
#include "tests/support/made_fleet.h"
#include "tests/widget/expect_text.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class FleetPageTest : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        m_tool = new FleetTool(m_window.shell());
    }
    FleetPage* page() { return m_tool->page(); }
    bool isShown() { return m_window.shell()->page() == page(); }
    void settleFleet()
    {
        ASSERT_TRUE(QTest::qWaitFor([this] { return page()->settled(); }, kLongestWaitMs));
    }
    std::string file() const { return m_folder.filePath("fleet.sqlite").toStdString(); }
    void openFleet(int runs = 600)
    {
        test::writeFleet(file(), 1, runs);
        ASSERT_TRUE(dropFiles(&m_window, {m_folder.path()}));
        ASSERT_TRUE(isShown());
        settleFleet();
    }
    int rows() { return page()->runs()->model()->rowCount(); }
    QString cell(int row, int column) { return page()->runs()->model()->index(row, column).data().toString(); }
    template <typename Widget>
    Widget* find(const char* name)
    {
        return page()->findChild<Widget*>(name);
    }
    QPushButton* showAll()
    {
        for (QPushButton* button : page()->findChildren<QPushButton*>())
            if (button->text() == "Show &all")
                return button;
        return nullptr;
    }

    FleetTool* m_tool = nullptr;
    QTemporaryDir m_folder;
};

// No answer about runs that were not read.
TEST_F(FleetPageTest, BeforeAFleetThereIsOnlyWhatToDo)
{
    QTest::keyClick(&m_window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(isShown());
    EXPECT_TRUE(find<QLabel>("fleetAnswer")->isVisible());
    EXPECT_FALSE(page()->answer().isEmpty());
    for (const QWidget* widget :
         {static_cast<QWidget*>(page()->runs()), static_cast<QWidget*>(page()->causes()),
          static_cast<QWidget*>(page()->histogram()), static_cast<QWidget*>(find<QComboBox>("fleetGroup"))})
        EXPECT_FALSE(widget->isVisible());
    // The title stays at the top; the sentence has the rest.
    EXPECT_TRUE(QTest::qWaitFor([this] { return find<QLabel>("fleetAnswer")->height() > page()->height() / 2; },
                                kLongestWaitMs));
    EXPECT_LT(find<QLabel>("fleetTitle")->height(), 60);
    openFleet();
    EXPECT_TRUE(page()->runs()->isVisible());
    EXPECT_TRUE(page()->causes()->isVisible());
}

TEST_F(FleetPageTest, AFolderThatIsDroppedShowsItsRuns)
{
    openFleet();
    EXPECT_FALSE(page()->answer().isEmpty());
    EXPECT_EQ(page()->causes()->model()->rowCount(), 2);
    EXPECT_EQ(rows(), 588);
    EXPECT_TRUE(page()->countText().contains("588"));
    EXPECT_TRUE(page()->errorText().isEmpty());
    EXPECT_TRUE(page()->runs()->isVisible());
}

TEST_F(FleetPageTest, IsMadeWhenItIsFirstAskedFor)
{
    EXPECT_EQ(m_window.findChild<FleetPage*>(), nullptr);
    QTest::keyClick(&m_window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_NE(m_window.findChild<FleetPage*>(), nullptr);
    EXPECT_TRUE(isShown());
    QTest::keyClick(page(), Qt::Key_Escape);
    EXPECT_FALSE(isShown());
}

TEST_F(FleetPageTest, TheStatusBarSpeaksOfTheFleetWhileItIsShown)
{
    document()->simulate();
    settle();
    openFleet();
    test::expectText(m_window.statusLine()->text().section(", ", 0, 0));
    QTest::keyClick(page(), Qt::Key_Escape);
    EXPECT_TRUE(m_window.statusLine()->text().contains("events")) << m_window.statusLine()->text().toStdString();
}

TEST_F(FleetPageTest, AClickOnABarListsItsRunsAndAnotherOneAll)
{
    openFleet();
    QTest::mouseClick(page()->histogram()->canvas(), Qt::LeftButton, {}, page()->histogram()->placeOf(1));
    settleFleet();
    EXPECT_EQ(rows(), 150);
    QTest::mouseClick(page()->histogram()->canvas(), Qt::LeftButton, {}, page()->histogram()->placeOf(1));
    settleFleet();
    EXPECT_EQ(rows(), 588);
}

TEST_F(FleetPageTest, ACauseTextGroupAndStateFilterTogether)
{
    openFleet();
    page()->causes()->setFocus();
    QTest::keyClick(page()->causes(), Qt::Key_Down);
    QTest::keyClick(page()->causes(), Qt::Key_Home, Qt::ControlModifier);
    settleFleet();
    EXPECT_EQ(rows(), 96);  // wait for batches, that most time was lost to
    find<QComboBox>("fleetGroup")->setCurrentText("resnet");
    settleFleet();
    EXPECT_EQ(rows(), 0);
    showAll()->click();
    settleFleet();
    EXPECT_EQ(rows(), 588);
    EXPECT_FALSE(showAll()->isEnabled());
    QTest::keyClicks(find<QLineEdit>("fleetText"), "run-11");
    settleFleet();
    EXPECT_EQ(rows(), 11);
    showAll()->click();
    find<QComboBox>("fleetState")->setCurrentIndex(1);
    settleFleet();
    EXPECT_EQ(rows(), 12);
    EXPECT_TRUE(cell(0, 9).contains("empty"));
}

// What was lost stays in sight.
TEST_F(FleetPageTest, ColumnsThatNoRunFillsAreNotShown)
{
    openFleet();
    const auto isHidden = [this](FleetColumn column) {
        return page()->runs()->isColumnHidden(static_cast<int>(column));
    };
    EXPECT_FALSE(isHidden(FleetColumn::Group));
    EXPECT_FALSE(isHidden(FleetColumn::Version));
    test::executeSql(file(), "UPDATE runs SET grouping = NULL, version = NULL");
    m_tool->open(m_folder.path());
    settleFleet();
    EXPECT_TRUE(isHidden(FleetColumn::Group));
    EXPECT_TRUE(isHidden(FleetColumn::Version));
    EXPECT_FALSE(isHidden(FleetColumn::Lost));
}

TEST_F(FleetPageTest, AHeadOrdersAllRunsNotOnlyThoseListed)
{
    openFleet(3000);
    EXPECT_EQ(rows(), 1000);
    page()->runs()->sortByColumn(0, Qt::AscendingOrder);
    settleFleet();
    EXPECT_EQ(cell(0, 0), "run-0");
    page()->runs()->sortByColumn(0, Qt::DescendingOrder);
    settleFleet();
    EXPECT_EQ(cell(0, 0), "run-998");
}

TEST_F(FleetPageTest, ARunOpensAsATraceAndThePageComesBack)
{
    openFleet();
    QFile::copy(recorded(kPinnedRun), m_folder.filePath("100%20.overlane"));
    test::executeSql(file(), "UPDATE runs SET url = 'file://" + m_folder.filePath("100%20.overlane").toStdString() +
                                 "' WHERE id = 1; UPDATE runs SET url = 's3://bucket/b' WHERE id = 2;"
                                 "UPDATE runs SET name = '!first' WHERE id < 3;");
    m_tool->open(m_folder.path());
    settleFleet();
    page()->runs()->sortByColumn(0, Qt::AscendingOrder);
    settleFleet();
    page()->runs()->selectRow(1);
    QTest::keyClick(page()->runs(), Qt::Key_Return);
    EXPECT_TRUE(page()->errorText().contains("s3://bucket/b"));
    EXPECT_EQ(QApplication::clipboard()->text(), "s3://bucket/b");
    page()->runs()->selectRow(2);
    QTest::keyClick(page()->runs(), Qt::Key_Return);
    EXPECT_TRUE(page()->errorText().contains("run-"));
    page()->runs()->selectRow(0);
    QTest::keyClick(page()->runs(), Qt::Key_Return);
    settle();
    EXPECT_FALSE(isShown());
    EXPECT_EQ(document()->path(), m_folder.filePath("100%20.overlane"));
    QTest::keyClick(&m_window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(isShown());
    QTest::keyClick(page(), Qt::Key_Escape);
    EXPECT_FALSE(isShown());
}

TEST_F(FleetPageTest, AFileThatIsNoFleetIsNamed)
{
    QFile broken(m_folder.filePath("fleet.sqlite"));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("no database");
    broken.close();
    ASSERT_TRUE(dropFiles(&m_window, {m_folder.path()}));
    settleFleet();
    EXPECT_TRUE(page()->errorText().contains("fleet.sqlite"));
    EXPECT_EQ(rows(), 0);
}

}  // namespace
}  // namespace overlane
