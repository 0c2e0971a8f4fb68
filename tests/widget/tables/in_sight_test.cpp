// The table of events as a view of what the timeline shows: its times and its lanes, as they change.
#include <algorithm>

#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>

#include "app/shell/bottom_panel.h"
#include "app/tables/events_model.h"
#include "app/tables/events_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/spoken_lanes.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class InSight : public WindowTest
{
protected:
    void SetUp() override
    {
        WindowTest::SetUp();
        m_window.resize(1280, 800);
        m_window.resetLayout();
        open(recorded(kPageableRun));
        handleEvents();
    }
    EventsPanel* panel() { return m_window.bottomPanel()->events(); }
    LaneCanvas* lanes() { return m_window.timeline()->lanes(); }
    // By every event of the trace, one by one.
    std::vector<EventIndex> expected()
    {
        const Trace& trace = *document()->trace();
        const Interval range = document()->view()->range();
        std::vector<EventIndex> all;
        for (std::uint32_t i = 0; i < trace.eventCount(); ++i) {
            const EventIndex event(i);
            const Interval at = trace.interval(event);
            const auto shows = [&](const LaneCanvas* canvas) {
                const int row = canvas->trackLayout().rowOf(trace, event);
                if (row < 0 || !canvas->isVisible())
                    return false;
                const LaneRow& lane = canvas->trackLayout().rows[static_cast<std::size_t>(row)];
                return lane.bottomPx() > canvas->scrollPx() && lane.topPx < canvas->scrollPx() + canvas->height();
            };
            if ((at.overlaps(range) || range.contains(at.startNs)) &&
                (shows(lanes()) || shows(m_window.timeline()->pinned())))
                all.push_back(event);
        }
        return all;
    }
    std::vector<EventIndex> listed()
    {
        std::vector<EventIndex> rows;
        for (int row = 0; row < panel()->model()->rowCount(); ++row)
            rows.push_back(panel()->model()->event(row));
        std::ranges::sort(rows);
        return rows;
    }
    // Once what is in sight rests and is listed.
    std::size_t expectListed()
    {
        const auto wanted = expected();
        EXPECT_TRUE(QTest::qWaitFor([&] { return panel()->model()->current() && listed() == wanted; }, kLongestWaitMs))
            << listed().size() << " are listed, " << wanted.size() << " are in sight";
        return wanted.size();
    }
};

TEST_F(InSight, AKeyListsTheVisibleTimesAndLanesAndTheTableFollowsThem)
{
    panel()->list(u"nothing has this name"_s, 0);
    QTest::keyClick(&m_window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(panel()->isVisible());
    EXPECT_TRUE(panel()->table()->hasFocus());
    EXPECT_EQ(control<QLineEdit>("eventsName")->text(), QString());
    const std::size_t first = expectListed();
    EXPECT_GT(first, 10U);
    EXPECT_LT(first, document()->trace()->eventCount());
    // Less time.
    const Interval whole = document()->view()->range();
    document()->view()->setRange({whole.startNs, whole.startNs + whole.lengthNs() / 4});
    const std::size_t less = expectListed();
    EXPECT_LT(less, first);
    // Other lanes.
    m_window.timeline()->expandAll();
    handleEvents();
    expectListed();
    for (int page = 0; page < 20; ++page)
        lanes()->scrollPages(-1);
    const std::size_t top = expectListed();
    for (int page = 0; page < 20; ++page)
        lanes()->scrollPages(1);
    EXPECT_NE(expectListed(), top);
    // A search goes through the whole trace again.
    panel()->list({}, 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel()->model()->current(); }, kLongestWaitMs));
    EXPECT_EQ(listed().size(), document()->trace()->eventCount());
}

TEST_F(InSight, AnotherTraceIsListedAsItIsShown)
{
    m_window.listInSight();
    expectListed();
    open(recorded(kPinnedRun));
    expectListed();
    m_window.bottomPanel()->setCurrentIndex(0);
    document()->view()->setRange(
        {document()->trace()->span().startNs, document()->trace()->span().startNs + 1'000'000});
    m_window.bottomPanel()->setCurrentWidget(panel());
    expectListed();
}

TEST_F(InSight, AScreenReaderAsksForIt)
{
    QAccessible::queryAccessibleInterface(m_window.timeline())->actionInterface()->doAction(spokenTableAction());
    EXPECT_TRUE(panel()->table()->hasFocus());
    EXPECT_GT(expectListed(), 10U);
}

TEST_F(InSight, TheSelectedRangeIsListedStill)
{
    m_window.bottomPanel()->setCurrentWidget(panel());
    auto* where = control<QComboBox>("eventsWhere");
    where->setFocus();
    QTest::keyClick(where, Qt::Key_Down);
    EXPECT_EQ(where->currentText(), u"Selected range"_s);
    const Interval span = document()->trace()->span();
    const Interval range{span.startNs, span.startNs + span.lengthNs() / 10};
    document()->selection()->setRange(range);
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel()->model()->current(); }, kLongestWaitMs));
    EXPECT_GT(listed().size(), 10U);
    for (const EventIndex event : listed())
        EXPECT_LT(document()->trace()->interval(event).startNs, range.endNs);
}

}  // namespace
}  // namespace overlane
