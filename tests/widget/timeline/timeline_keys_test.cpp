// The keys as a whole: one meaning each, held keys, keys that ask for other windows.
#include <set>

#include <QSignalSpy>

#include "app/timeline/held_keys.h"
#include "tests/widget/timeline/timeline_view_test.h"

namespace overlane
{

TEST_F(TimelineViewTest, SlashAndQuestionMarkAskForSearchAndHelp)
{
    QSignalSpy search(&m_timeline, &TimelineView::searchRequested);
    QSignalSpy help(&m_timeline, &TimelineView::helpRequested);
    QTest::keyClicks(&m_timeline, "/");
    QTest::keyClicks(&m_timeline, "?");
    EXPECT_EQ(search.count(), 1);
    EXPECT_EQ(help.count(), 1);
}

TEST_F(TimelineViewTest, AHeldKeyMovesOnUntilFocusIsLost)
{
    m_view.setMotionMs(100);
    m_view.setRange({20 * kNsPerMs, 40 * kNsPerMs});
    QTest::keyPress(&m_timeline, Qt::Key_D);
    EXPECT_EQ(m_view.target(), (Interval{24 * kNsPerMs, 44 * kNsPerMs}));
    m_view.advance(100);
    m_timeline.heldKeys()->advance(11);
    EXPECT_NEAR(static_cast<double>(m_view.range().startNs), 24.4 * kNsPerMs, 1'000);
    QFocusEvent lost(QEvent::FocusOut);
    QApplication::sendEvent(&m_timeline, &lost);
    EXPECT_FALSE(m_timeline.heldKeys()->moving());

    QTest::keyPress(&m_timeline, Qt::Key_A);
    EXPECT_TRUE(m_timeline.heldKeys()->moving());
    QTest::keyRelease(&m_timeline, Qt::Key_A);
    EXPECT_FALSE(m_timeline.heldKeys()->moving());
    m_view.setMotionMs(0);
}

TEST_F(TimelineViewTest, EveryKeyOfTheTableMeansOneThing)
{
    std::set<int> keys;
    for (const TimelineShortcut& shortcut : timelineShortcuts()) {
        EXPECT_FALSE(shortcut.keysText().isEmpty());
        EXPECT_FALSE(shortcut.meaningText().isEmpty());
        EXPECT_FALSE(shortcut.groupText().isEmpty());
        EXPECT_EQ(shortcut.gesture == nullptr, shortcut.keys[0] != 0) << shortcut.meaning;
        EXPECT_EQ(shortcut.gesture == nullptr, shortcut.action != TimelineAction::None) << shortcut.meaning;
        for (const int key : shortcut.keys) {
            if (key == 0)
                continue;
            EXPECT_TRUE(keys.insert(key).second) << shortcut.meaning;
            const QKeyCombination pressed = QKeyCombination::fromCombined(key);
            const QKeyEvent event(QEvent::KeyPress, pressed.key(), pressed.keyboardModifiers());
            EXPECT_EQ(timelineAction(event), shortcut.action) << shortcut.meaning;
            EXPECT_TRUE(m_timeline.perform(shortcut.action)) << shortcut.meaning;
        }
    }
    const QKeyEvent other(QEvent::KeyPress, Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(timelineAction(other), TimelineAction::None) << "Ctrl+W is the window's";
}

}  // namespace overlane
