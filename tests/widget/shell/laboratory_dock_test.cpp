// The laboratory steps aside for a trace that was opened, whichever way, and is there for its own runs.
#include "app/shell/laboratory_dock.h"

#include <QDockWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardPaths>

#include "app/laboratory/laboratory_panel.h"
#include "app/shell/recent_files.h"
#include "app/shell/samples.h"
#include "app/timeline/timeline_view.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class LaboratoryDockTest : public WindowTest
{
protected:
    bool shown() { return control<QDockWidget>("laboratoryDock")->isVisible(); }
    QAction* choice() { return control<QDockWidget>("laboratoryDock")->toggleViewAction(); }
    void runAgain()
    {
        document()->run();
        settle();
        ASSERT_EQ(document()->origin(), Document::Origin::Laboratory);
        EXPECT_TRUE(shown());
    }
    void expectAside(const char* way)
    {
        settle();
        EXPECT_EQ(document()->origin(), Document::Origin::File) << way;
        EXPECT_FALSE(shown()) << way;
        runAgain();
    }
};

TEST_F(LaboratoryDockTest, ItStepsAsideWhicheverWayATraceIsOpened)
{
    EXPECT_TRUE(shown());
    m_window.setFileChooser(
        {[](QWidget*, const QString&, const QString&, const QString&) { return recorded(kPinnedRun); }, {}});
    m_window.askToOpen();
    expectAside("File > Open");
    EXPECT_TRUE(dropFiles(m_window.timeline(), {recorded(kPinnedRun)}));
    expectAside("drop");
    m_window.openRecent(recorded(kPinnedRun));
    expectAside("recent");
    const std::vector<Sample> all = samplesIn(QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples"));
    ASSERT_FALSE(all.empty());
    m_window.openFile(all.front().path);
    expectAside("sample");
}

TEST_F(LaboratoryDockTest, UndoBackToATraceStepsAsideAgain)
{
    open(recorded(kPinnedRun));
    runAgain();
    document()->laboratory()->undoStack()->undo();
    settle();
    expectAside("undo");
}

TEST_F(LaboratoryDockTest, AFileThatCannotBeReadLeavesItWhereItWas)
{
    open(QStringLiteral("/nowhere/at.all"));
    EXPECT_TRUE(shown());
}

// However low its place is, one bar scrolls, and everything is in its reach.
TEST_F(LaboratoryDockTest, OneBarScrollsItAtAnyHeight)
{
    auto* dock = m_window.laboratoryDock();
    // Names of the areas that scroll; what is not scrolled is shown whole.
    const auto scrolling = [dock] {
        handleEvents();
        QStringList names;
        for (QScrollArea* area : dock->findChildren<QScrollArea*>()) {
            if (area->verticalScrollBar()->isVisible())
                names << area->objectName();
            else
                EXPECT_LE(area->widget()->height(), area->viewport()->height()) << area->objectName().toStdString();
            EXPECT_FALSE(area->horizontalScrollBar()->isVisible());
        }
        return names;
    };
    for (const QSize& size : {QSize(800, 600), QSize(900, 700), QSize(1280, 800)}) {
        m_window.resize(size);
        m_window.resetLayout();
        EXPECT_EQ(scrolling(), QStringList("settings")) << size.height();
    }
    dock->setFloating(true);
    dock->resize(400, 240);
    const QStringList low = scrolling();
    ASSERT_EQ(low.size(), 1);
    EXPECT_NE(low.front(), u"settings"_s);
    // Groups that are shown or folded away stay in reach.
    auto* area = control<QScrollArea>("settings");
    const int before = area->height();
    m_window.laboratoryPanel()->setGroupShown(u"Advanced"_s, true);
    EXPECT_EQ(scrolling(), low);
    EXPECT_GT(area->height(), before);
    dock->resize(400, 900);
    EXPECT_EQ(scrolling(), QStringList("settings"));
}

TEST_F(LaboratoryDockTest, BothChoicesOfAPersonAreKept)
{
    open(recorded(kPinnedRun));
    choice()->trigger();
    EXPECT_TRUE(shown());
    runAgain();
    open(recorded(kPinnedRun));
    EXPECT_TRUE(shown()) << "it was wanted beside a trace";
    runAgain();
    EXPECT_TRUE(control<QDockWidget>("laboratoryDock")->close());
    document()->run();
    settle();
    EXPECT_FALSE(shown()) << "its cross was clicked";
    open(recorded(kPinnedRun));
    EXPECT_TRUE(shown());
    choice()->trigger();
    open(recorded(kPinnedRun));
    EXPECT_FALSE(shown());
}

}  // namespace
}  // namespace overlane
