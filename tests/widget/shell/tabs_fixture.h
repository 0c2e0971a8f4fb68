// TabsTest: a window with two traces, each in its tab.
#pragma once

#include "app/shell/trace_tabs.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{

class TabsTest : public WindowTest
{
protected:
    TraceTabs& tabs() { return *m_window.tabs(); }
    void openTab(const QString& path)
    {
        m_window.openFile(path);
        settle();
    }
    void openBoth()
    {
        openTab(recorded(kPinnedRun));
        openTab(recorded(kPageableRun));
        ASSERT_EQ(tabs().count(), 2);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        QTest::keyClick(&m_window, key, modifiers);
        settle();
    }
};

}  // namespace overlane
