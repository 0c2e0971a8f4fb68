// Bookmarks in the timeline.
#include <QLineEdit>

#include "app/timeline/bookmarks.h"
#include "app/timeline/time_ruler.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{

TEST_F(TimelineViewTest, MSetsBookmarksAndNGoesThroughThem)
{
    Bookmarks* bookmarks = m_timeline.bookmarks();
    for (const std::uint32_t nth : {1u, 3u, 6u}) {
        m_selection.setEvent(eventOf(m_sample.h2d, nth));
        QTest::keyClick(&m_timeline, Qt::Key_M);
    }
    ASSERT_EQ(bookmarks->all().size(), 3u);
    EXPECT_EQ(bookmarks->all()[1], (Bookmark{31'500 * kNsPerUs, QStringLiteral("Memcpy HtoD")}));
    m_selection.clear();

    m_view.setRange({0, 10 * kNsPerMs});
    QTest::keyClick(&m_timeline, Qt::Key_N);
    EXPECT_EQ(m_view.range(), (Interval{6'500 * kNsPerUs, 16'500 * kNsPerUs})) << "in the middle";
    QTest::keyClick(&m_timeline, Qt::Key_N);
    QTest::keyClick(&m_timeline, Qt::Key_N);
    EXPECT_EQ(m_view.range(), (Interval{56'500 * kNsPerUs, 66'500 * kNsPerUs}));
    QTest::keyClick(&m_timeline, Qt::Key_N);
    EXPECT_EQ(m_view.range(), (Interval{56'500 * kNsPerUs, 66'500 * kNsPerUs})) << "the last";
    QTest::keyClick(&m_timeline, Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(m_view.range(), (Interval{26'500 * kNsPerUs, 36'500 * kNsPerUs}));

    m_selection.setEvent(eventOf(m_sample.h2d, 3));
    QTest::keyClick(&m_timeline, Qt::Key_M);
    EXPECT_EQ(bookmarks->all().size(), 2u) << "the second press takes it away";
}

TEST_F(TimelineViewTest, ABookmarkIsNamedInTheRuler)
{
    m_timeline.bookmarks()->add(20 * kNsPerMs, "first");
    QTest::keyClick(&m_timeline, Qt::Key_F2);
    auto* field = m_timeline.findChild<QLineEdit*>();
    ASSERT_TRUE(field != nullptr && field->isVisible());
    QTest::keyClicks(field, "the slow copy");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_FALSE(field->isVisible());
    EXPECT_EQ(m_timeline.bookmarks()->all()[0], (Bookmark{20 * kNsPerMs, QStringLiteral("the slow copy")}));

    auto* ruler = m_timeline.findChild<TimeRuler*>();
    QTest::mouseDClick(ruler, Qt::LeftButton, {}, {xOf(20 * kNsPerMs) + 3, kRulerPx + 4});
    ASSERT_TRUE(field->isVisible());
    QTest::keyClicks(field, "not this");
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_EQ(m_timeline.bookmarks()->all()[0].name, "the slow copy");
}

TEST_F(TimelineViewTest, BookmarksStayWithRunsOfTheLaboratoryOnly)
{
    m_timeline.bookmarks()->add(20 * kNsPerMs, "kept");
    m_timeline.setTrace(m_timeline.trace());
    EXPECT_TRUE(m_timeline.bookmarks()->all().empty()) << "the sample is no run of the laboratory";
    TraceBuilder first;
    first.metadata().scenarioJson = "{}";
    TraceBuilder second;
    second.metadata().scenarioJson = "{}";
    m_timeline.setTrace(std::make_shared<const Trace>(first.build(false)));
    m_timeline.bookmarks()->add(5, "kept");
    m_timeline.setTrace(std::make_shared<const Trace>(second.build(false)));
    EXPECT_EQ(m_timeline.bookmarks()->all().size(), 1u);
}

}  // namespace overlane
