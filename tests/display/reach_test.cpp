// Whatever can be clicked or typed into is within reach on the display at hand: the window fits the screen, and
// every control of it is whole on the screen, at most after its panel is scrolled or its tab is chosen.
#include <algorithm>
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>

#include "app/calibrate/calibration_tool.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/lessons_tool.h"
#include "app/machine/machine_tool.h"
#include "app/second/second_timelines.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/first_hint.h"
#include "app/shell/main_window.h"
#include "app/shell/window_shell.h"
#include "app/sweep/sweep_tool.h"
#include "app/verdict/verdict_bar.h"
#include "tests/display/hand.h"

namespace overlane
{
namespace
{

constexpr int kLeastPagePx = 48;  // a table of one line is no table

class ReachTest : public testing::Test
{
protected:
    void SetUp() override
    {
        new MachineTool(m_window.shell());
        new CalibrationTool(m_window.shell());
        new SweepTool(m_window.shell(), QString());
        m_lessons = new LessonsTool(m_window.shell(), false);
        m_window.document()->simulate();
        m_window.offerFirstHint();
        m_window.show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window, kLongestWaitMs));
        settle();
    }
    void settle()
    {
        const auto idle = [this] {
            return !m_window.document()->busy() && !m_window.document()->insights()->busy() &&
                   !m_window.secondTimelines()->busy();
        };
        ASSERT_TRUE(waitFor(idle));
        QCoreApplication::processEvents();
    }
    void maximize()
    {
        m_window.showMaximized();
        ASSERT_TRUE(waitFor([this] { return m_window.width() == room().width(); }));
        QCoreApplication::processEvents();
    }
    QRect room() const { return m_window.screen()->availableGeometry(); }

    // The frame, whose size the window manager tells late.
    void expectFits()
    {
        const QRect rounded = room().adjusted(0, 0, 1, 1);  // at scale 1.5 and 2
        EXPECT_TRUE(waitFor([&] { return rounded.contains(m_window.frameGeometry()); }, 5000))
            << m_window.frameGeometry().width() << "x" << m_window.frameGeometry().height() << " at "
            << m_window.frameGeometry().x() << "," << m_window.frameGeometry().y() << " on " << room().width() << "x"
            << room().height();
    }

    static bool isControl(const QWidget* widget)
    {
        // Of a tab bar that scrolls, of a scroll bar's own parts: the container answers for them.
        if (qobject_cast<const QTabBar*>(widget->parentWidget()) != nullptr)
            return false;
        if (qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
            qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr ||
            qobject_cast<const QLineEdit*>(widget->parentWidget()) != nullptr)
            return false;
        if (qobject_cast<const QScrollBar*>(widget) != nullptr)
            return false;
        return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
               qobject_cast<const QComboBox*>(widget) != nullptr ||
               qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
               qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
               qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QTabBar*>(widget) != nullptr;
    }
    // Scrolled to where its panels allow.
    static void bringIntoView(QWidget* control)
    {
        for (QWidget* up = control->parentWidget(); up != nullptr; up = up->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(up)) {
                const QPoint at = control->mapTo(area->widget(), control->rect().center());
                area->ensureVisible(at.x(), at.y(), control->width() / 2 + 1, control->height() / 2 + 1);
                // Without a bar there is no scrolling to the side.
                if (area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff)
                    area->horizontalScrollBar()->setValue(0);
            }
        QCoreApplication::processEvents();
    }
    // In a dock that lies behind another one at the same place, or the tabs of docks of which one is left.
    static bool behind(const QWidget* control)
    {
        if (qobject_cast<const QTabBar*>(control) != nullptr && control->parentWidget() == control->window())
            return control->geometry().right() < 0;
        for (const QWidget* up = control; up != nullptr; up = up->parentWidget())
            if (qobject_cast<const QDockWidget*>(up) != nullptr)
                return up->geometry().right() < 0;
        return false;
    }
    // What is hidden in part, by the window's edge, by another panel, or for want of room; what is shown is
    // counted. Of something wide its beginning is enough to click on.
    QStringList outOfReach(int& seen)
    {
        constexpr int kEnoughPx = 100;
        constexpr int kEnoughHighPx = 20;
        QStringList missing;
        const QRect screen = m_window.screen()->geometry();
        for (QWidget* control : m_window.findChildren<QWidget*>()) {
            if (!isControl(control) || !control->isVisible() || control->window() != &m_window || behind(control))
                continue;
            ++seen;
            bringIntoView(control);
            const QRect shown = control->visibleRegion().boundingRect();
            const bool whole = shown.height() >= std::min(control->height(), kEnoughHighPx) &&
                               shown.width() >= std::min(control->width(), kEnoughPx);
            const QRect at(control->mapToGlobal(shown.topLeft()), shown.size());
            if (!whole || !screen.contains(at))
                missing << QStringLiteral("%1 \"%2\" \"%3\" %4x%5 shows %6x%7 at %8,%9")
                               .arg(QString::fromUtf8(control->metaObject()->className()), control->objectName(),
                                    control->property("text").toString())
                               .arg(control->width())
                               .arg(control->height())
                               .arg(shown.width())
                               .arg(shown.height())
                               .arg(at.x())
                               .arg(at.y());
        }
        return missing;
    }
    // What the panels around it leave of a page that is full of its own parts.
    static QRect shownOf(const QWidget* page)
    {
        QRect shown = page->rect();
        for (const QWidget* up = page; up->parentWidget() != nullptr && !up->isWindow(); up = up->parentWidget())
            shown = shown.translated(up->pos()).intersected(up->parentWidget()->rect());
        return shown;
    }
    void expectAllWithinReach()
    {
        int seen = 0;
        BottomPanel* figures = m_window.bottomPanel();
        for (int tab = 0; tab < figures->count(); ++tab) {
            SCOPED_TRACE(figures->tabText(tab).toStdString());
            figures->setCurrentIndex(tab);
            settle();
            QTest::qWait(20);
            EXPECT_EQ(outOfReach(seen).join('\n').toStdString(), "");
            EXPECT_GE(shownOf(figures->currentWidget()).height(), kLeastPagePx);
        }
        figures->setCurrentIndex(0);
        for (QDockWidget* dock : m_window.findChildren<QDockWidget*>()) {
            SCOPED_TRACE(dock->windowTitle().toStdString());
            dock->raise();
            ASSERT_TRUE(waitFor([dock] { return !behind(dock); }));
            EXPECT_EQ(outOfReach(seen).join('\n').toStdString(), "");
        }
        EXPECT_GT(seen, 100);
    }

    MainWindow m_window{false};
    LessonsTool* m_lessons = nullptr;  // the window's
};

TEST_F(ReachTest, TheFirstWindowFitsAndAllOfItIsWithinReach)
{
    expectFits();
    expectAllWithinReach();
}

TEST_F(ReachTest, MaximizedAllOfItIsWithinReach)
{
    maximize();
    EXPECT_LE(m_window.height(), room().height());
    expectAllWithinReach();
    EXPECT_LE(m_window.height(), room().height());
}

TEST_F(ReachTest, WithATraceAllOfItIsWithinReach)
{
    m_window.document()->open(QStringLiteral(OVERLANE_SOURCE_DIR "/resources/samples/two_gpus.overlane"));
    settle();
    expectFits();
    expectAllWithinReach();
}

TEST_F(ReachTest, AfterARoomWasShownALessonTheWindowHasItsSizeAgain)
{
    m_lessons->show(QStringLiteral("side_stream"));
    LessonPage* page = m_lessons->page();
    page->session()->skip();
    page->session()->run();
    ASSERT_TRUE(waitFor([&] { return page->session()->result() != nullptr; }));
    QTest::qWait(50);
    expectFits();
    const QSize before = m_window.size();
    page->setPresenting(true);
    ASSERT_TRUE(waitFor([this] { return m_window.width() == m_window.screen()->geometry().width(); }));
    for (int slide = 0; slide + 1 < page->reader()->slideCount(); ++slide) {
        page->next();
        QTest::qWait(50);
    }
    page->setPresenting(false);
    ASSERT_TRUE(waitFor([this] { return !m_window.isFullScreen(); }));
    EXPECT_TRUE(waitFor([&] { return m_window.size() == before; }))
        << m_window.width() << "x" << m_window.height() << " instead of " << before.width() << "x" << before.height();
    expectFits();
}

TEST_F(ReachTest, TheHintTakesAFewLinesOnly)
{
    maximize();
    ASSERT_TRUE(m_window.firstHint()->isVisible());
    EXPECT_LE(m_window.firstHint()->height(), 4 * m_window.fontMetrics().lineSpacing());
}

// A dialog that opens larger than the screen has its buttons where no pointer comes.
TEST_F(ReachTest, DialogsOpenWithinTheScreen)
{
    int dialogs = 0;
    for (const QString& name :
         {QStringLiteral("Help"), QStringLiteral("Machine and memory \u2026"), QStringLiteral("Calibrate \u2026")}) {
        for (QAction* action : m_window.findChildren<QAction*>())
            if (action->text().remove('&') == name && action->menu() == nullptr)
                action->trigger();
        for (QDialog* dialog : m_window.findChildren<QDialog*>()) {
            if (!dialog->isVisible())
                continue;
            ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog, kLongestWaitMs));
            EXPECT_TRUE(waitFor(
                [&] {
                    const QSize frame = dialog->frameGeometry().size();
                    return frame.width() <= room().width() + 1 && frame.height() <= room().height() + 1;
                },
                5000))
                << dialog->windowTitle().toStdString() << " " << dialog->frameGeometry().width() << "x"
                << dialog->frameGeometry().height();
            dialog->close();
            ++dialogs;
        }
    }
    EXPECT_EQ(dialogs, 3);
}

}  // namespace
}  // namespace overlane
