// The right button on lanes, and what it makes of the tracks: hidden, kept in sight, moved, taller, colored.
#include "app/shell/lane_menu.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>

#include "app/shell/bottom_panel.h"
#include "app/shell/search_bar.h"
#include "app/tables/events_model.h"
#include "app/tables/events_panel.h"
#include "app/tables/names_model.h"
#include "app/tables/names_panel.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/data_table.h"
#include "core/base/exact_time.h"
#include "core/base/units.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class LaneMenuTest : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        m_window.resize(1280, 1000);
        open(recorded(kPageableRun));
        handleEvents();
    }
    TimelineView* timeline() { return m_window.timeline(); }
    const Trace& trace() { return *document()->trace(); }
    EventIndex copyInSight()
    {
        for (std::uint32_t at = 0; at < trace().eventCount(); ++at)
            if (isCopy(trace().kind(EventIndex(at))) && timeline()->lanes()->rectOf(EventIndex(at)).width() > 20)
                return EventIndex(at);
        ADD_FAILURE() << "no copy in sight";
        return {};
    }
    LaneMenu* menuAt(QPoint pos)
    {
        QContextMenuEvent click(QContextMenuEvent::Mouse, pos, timeline()->lanes()->mapToGlobal(pos));
        QApplication::sendEvent(timeline()->lanes(), &click);
        return m_window.findChild<LaneMenu*>("laneMenu");
    }
    // Triggers the entry whose text begins so and closes the menu.
    void choose(QPoint pos, const QString& entry)
    {
        LaneMenu* menu = menuAt(pos);
        ASSERT_NE(menu, nullptr);
        QAction* found = nullptr;
        for (QAction* action : actionsOf(*menu))
            if (QString text = action->text(); text.remove('&').startsWith(entry) && found == nullptr)
                found = action;
        ASSERT_NE(found, nullptr) << entry.toStdString();
        found->trigger();
        menu->close();
        delete menu;
        handleEvents();
    }
    // The name of the lane with this title.
    QPoint nameOf(const std::string& title)
    {
        for (const LaneRow& row : timeline()->lanes()->trackLayout().rows)
            if (rowTitle(trace(), row) == title && row.rowInTrack == 0)
                return {40, row.topPx + row.heightPx / 2 - timeline()->lanes()->findChild<QScrollBar*>()->value()};
        ADD_FAILURE() << title;
        return {};
    }
    static std::vector<std::string> titlesOf(const LaneCanvas* lanes)
    {
        std::vector<std::string> titles;
        for (const LaneRow& row : lanes->trackLayout().rows)
            if (row.rowInTrack == 0)
                titles.push_back(rowTitle(*lanes->trace(), row));
        return titles;
    }
    std::vector<std::string> titles() { return titlesOf(timeline()->lanes()); }
    bool isShown(const std::string& title)
    {
        const std::vector<std::string> all = titles();
        return std::find(all.begin(), all.end(), title) != all.end();
    }
};

TEST_F(LaneMenuTest, AnEventIsZoomedToFoundSummedAndCopied)
{
    const EventIndex copy = copyInSight();
    const QPoint at = timeline()->lanes()->rectOf(copy).center();
    choose(at, "Select the time it takes");
    EXPECT_EQ(document()->selection()->range(), trace().interval(copy));
    document()->selection()->setRange(std::nullopt);
    choose(at, "Go to the call");
    EXPECT_EQ(document()->selection()->event(), trace().link(copy));
    choose(at, "Start, ");
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), formatExactTime(trace().interval(copy).startNs));
    choose(at, "Name");
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), trace().name(copy));
    choose(at, "Find all");
    EXPECT_EQ(control<QLineEdit>("searchText")->text().toStdString(), trace().name(copy));
    choose(at, "Sum up by name");
    NamesPanel* names = m_window.bottomPanel()->names();
    EXPECT_TRUE(names->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return names->table()->currentIndex().isValid(); }, kLongestWaitMs));
    EXPECT_EQ(names->model()->work(names->table()->currentIndex().row()).key, keyOf(trace(), copy));
    const Interval before = document()->view()->target();
    choose(timeline()->lanes()->rectOf(copy).center(), "Zoom to it");
    EXPECT_LT(document()->view()->target().lengthNs(), before.lengthNs());
}

TEST_F(LaneMenuTest, KeysGoFromStepToStep)
{
    const auto& steps = document()->current().steps.steps;
    ASSERT_GE(steps.size(), 6u);
    document()->view()->setRange(steps[2].interval);
    timeline()->setFocus();
    QTest::keyClick(timeline(), Qt::Key_Period);
    EXPECT_EQ(document()->selection()->range(), steps[2].interval) << "first the one in the middle";
    QTest::keyClick(timeline(), Qt::Key_Period);
    EXPECT_EQ(document()->selection()->range(), steps[3].interval);
    EXPECT_LE(document()->view()->target().startNs, steps[3].interval.startNs);
    EXPECT_GE(document()->view()->target().endNs, steps[3].interval.endNs) << "it is in sight";
    QTest::keyClick(timeline(), Qt::Key_Comma);
    QTest::keyClick(timeline(), Qt::Key_Comma);
    EXPECT_EQ(document()->selection()->range(), steps[1].interval);
    for (std::size_t press = 0; press < steps.size() + 2; ++press)
        QTest::keyClick(timeline(), Qt::Key_Period);
    EXPECT_EQ(document()->selection()->range(), steps.back().interval);
}

TEST_F(LaneMenuTest, AHitThatIsTooShortToSeeIsZoomedInto)
{
    document()->view()->fitAll();
    EventIndex shortest;
    for (std::uint32_t at = 0; at < trace().eventCount(); ++at)
        if (const EventIndex event(at);
            trace().kind(event) == EventKind::Kernel &&
            (!shortest.valid() || trace().interval(event).lengthNs() < trace().interval(shortest).lengthNs()))
            shortest = event;
    timeline()->ensureLegible(shortest);
    timeline()->ensureVisible(shortest);
    handleEvents();
    EXPECT_GE(timeline()->lanes()->rectOf(shortest).width(), 7);
    const Interval closer = document()->view()->target();
    timeline()->ensureLegible(shortest);
    EXPECT_EQ(document()->view()->target(), closer) << "it can be seen";
}

TEST_F(LaneMenuTest, TheHitsOfASearchAreListedAsATable)
{
    m_window.searchBar()->open("Memcpy");
    auto* least = control<QComboBox>("searchLeast");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_window.searchBar()->busy(); }, kLongestWaitMs));
    const std::size_t all = m_window.searchBar()->hits().size();
    least->setCurrentIndex(least->findData(static_cast<qlonglong>(kNsPerMs)));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_window.searchBar()->busy(); }, kLongestWaitMs));
    const std::size_t longOnes = m_window.searchBar()->hits().size();
    EXPECT_LT(longOnes, all);
    EXPECT_GT(longOnes, 0u);
    for (QToolButton* button : m_window.searchBar()->findChildren<QToolButton*>())
        if (button->text() == "List")
            QTest::mouseClick(button, Qt::LeftButton);
    EventsPanel* events = m_window.bottomPanel()->events();
    EXPECT_TRUE(events->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !events->model()->worker()->busy(); }, kLongestWaitMs));
    EXPECT_EQ(events->model()->rowCount(), static_cast<int>(longOnes));
}

TEST_F(LaneMenuTest, ATimeIsMarkedAndCopied)
{
    const QPoint at(kLabelWidthPx + 300, 3);
    const std::int64_t ns = timeline()->lanes()->timeAt(at.x());
    choose(at, "Set a bookmark here");
    ASSERT_EQ(timeline()->bookmarks()->all().size(), 1u);
    EXPECT_EQ(timeline()->bookmarks()->all().front().timeNs, ns);
    EXPECT_EQ(timeline()->bookmarks()->all().front().name, QString::fromStdString(formatDuration(ns)).simplified());
    choose(at, "Copy this time");
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), formatExactTime(ns));
}

// The field takes the focus after the menu is closed.
TEST_F(LaneMenuTest, ANewBookmarkAsksForItsNameInTheRuler)
{
    timeline()->addBookmark(timeline()->lanes()->timeAt(kLabelWidthPx + 300));
    handleEvents();
    auto* name = timeline()->findChild<TimeRuler*>()->findChild<QLineEdit*>();
    ASSERT_TRUE(name->isVisible());
    QTest::keyClicks(name, "slow start");
    QTest::keyClick(name, Qt::Key_Return);
    EXPECT_FALSE(name->isVisible());
    EXPECT_EQ(timeline()->bookmarks()->all().front().name, QStringLiteral("slow start"));
}

TEST_F(LaneMenuTest, TheMenuBarSetsABookmarkAtTheSelection)
{
    document()->selection()->setRange(Interval{1000, 5000});
    QAction* mark = actionNamed(m_window, "Set or remove a bookmark\tM");
    ASSERT_NE(mark, nullptr);
    mark->trigger();
    ASSERT_EQ(timeline()->bookmarks()->all().size(), 1u);
    EXPECT_EQ(timeline()->bookmarks()->all().front().timeNs, 1000);
    mark->trigger();
    EXPECT_TRUE(timeline()->bookmarks()->all().empty());
}

TEST_F(LaneMenuTest, ATrackIsHiddenAndShownAgain)
{
    ASSERT_TRUE(isShown("H2D"));
    choose(nameOf("H2D"), "Hide it");
    EXPECT_FALSE(isShown("H2D"));
    EXPECT_TRUE(timeline()->folding().contains("hidden"));
    // What is gone to is shown.
    EventIndex copy;
    for (std::uint32_t i = 0; i < trace().eventCount() && !copy.valid(); ++i)
        if (trace().kind(EventIndex(i)) == EventKind::CopyH2D)
            copy = EventIndex(i);
    timeline()->ensureVisible(copy);
    EXPECT_TRUE(isShown("H2D"));
    choose(nameOf("H2D"), "Hide it");
    choose(nameOf("compute"), "Show hidden tracks");
    EXPECT_TRUE(isShown("H2D"));
}

TEST_F(LaneMenuTest, ATrackIsKeptInSightBelowTheOthers)
{
    EXPECT_TRUE(timeline()->pinned()->isHidden()) << "there is room for all";
    choose(nameOf("compute"), "Keep it in sight");
    EXPECT_FALSE(timeline()->pinned()->isHidden());
    EXPECT_FALSE(isShown("compute"));
    EXPECT_EQ(titlesOf(timeline()->pinned()).back(), "compute");
    // Its events are selected there, too.
    EventIndex kernel;
    for (std::uint32_t i = 0; i < trace().eventCount() && !kernel.valid(); ++i)
        if (trace().kind(EventIndex(i)) == EventKind::Kernel && timeline()->pinned()->rectOf(EventIndex(i)).width() > 3)
            kernel = EventIndex(i);
    ASSERT_TRUE(kernel.valid());
    QTest::mouseClick(timeline()->pinned(), Qt::LeftButton, {}, timeline()->pinned()->rectOf(kernel).center());
    EXPECT_EQ(document()->selection()->event(), kernel);
    timeline()->setFocus();
    QTest::keyClick(timeline(), Qt::Key_Right);
    EXPECT_GT(document()->selection()->event(), kernel);
}

TEST_F(LaneMenuTest, WhereAllLanesAreTooHighTheGpusStayInSight)
{
    timeline()->expandAll();
    m_window.resize(1280, 640);
    handleEvents();
    ASSERT_FALSE(timeline()->pinned()->isHidden());
    EXPECT_EQ(titlesOf(timeline()->pinned()).front().rfind("GPU 0", 0), 0u);
    EXPECT_FALSE(isShown("H2D"));
    timeline()->setEnginesKept(false);
    EXPECT_TRUE(timeline()->pinned()->isHidden());
    EXPECT_TRUE(isShown("H2D"));
    timeline()->setEnginesKept(true);
    EXPECT_FALSE(timeline()->pinned()->isHidden());
    timeline()->collapseAll();
    m_window.resize(1280, 1000);
    handleEvents();
    EXPECT_TRUE(timeline()->pinned()->isHidden());
}

TEST_F(LaneMenuTest, ATrackIsMovedMadeTallerAndColoredAndKeptWithTheTrace)
{
    choose(nameOf("compute"), "Move up");
    const auto place = [this](const std::string& title) {
        const std::vector<std::string> all = titles();
        return std::find(all.begin(), all.end(), title) - all.begin();
    };
    EXPECT_LT(place("compute"), place("H2D"));
    choose(nameOf("compute"), "2 times");
    choose(nameOf("compute"), "Color 3");
    const auto check = [&] {
        bool found = false;
        for (const LaneRow& row : timeline()->lanes()->trackLayout().rows)
            if (rowTitle(trace(), row) == "compute") {
                EXPECT_EQ(row.heightPx, 2 * kRowPx);
                EXPECT_NE(row.color, 0u);
                found = true;
            }
        EXPECT_TRUE(found);
        EXPECT_LT(place("compute"), place("H2D"));
    };
    check();
    const QString kept = timeline()->folding();
    timeline()->setFolding({});
    EXPECT_GT(place("compute"), place("H2D"));
    timeline()->setFolding(kept);
    check();
    EXPECT_EQ(timeline()->folding(), kept);
    // Of a folding that was made up only what it means is taken.
    timeline()->setFolding(R"({"x": 5, "y": {"height": 99, "place": -7, "color": "no", "hidden": "no"}})");
    EXPECT_GT(place("compute"), place("H2D"));
}

}  // namespace
}  // namespace overlane
