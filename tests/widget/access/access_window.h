// AccessWindow: the window with all of its tools, and the dialogs that its menus open, as a person without a mouse or
// without a screen finds them.
#pragma once

#include <QDialog>

#include "app/program/tools.h"
#include "app/session/shell.h"
#include "app/shell/window_shell.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/tab_walk.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{

class AccessWindow : public WindowTest
{
protected:
    void SetUp() override
    {
        FileChooser cancelled;
        cancelled.toOpen = [](auto&&...) { return QString(); };
        cancelled.toSave = [](auto&&...) { return QString(); };
        cancelled.toFolder = [](auto&&...) { return QString(); };
        m_window.setFileChooser(cancelled);
        plugTools(m_window.shell());
        WindowTest::SetUp();
        m_window.resize(1600, 1000);
        handleEvents();
    }
    static void expectNamed(const QWidget& root, int least)
    {
        int controls = 0;
        const QStringList unnamed = unnamedBelow(root, &controls);
        EXPECT_TRUE(unnamed.isEmpty()) << qPrintable(unnamed.join('\n'));
        EXPECT_GE(controls, least);
    }
    // The window that comes up with what `open` does; null where none does.
    static QWidget* windowOf(const std::function<void()>& open)
    {
        const auto shown = [] {
            QWidgetList windows;
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (widget->isVisible() && widget->isWindow() && widget->windowType() != Qt::ToolTip)
                    windows << widget;
            return windows;
        };
        const QWidgetList before = shown();
        open();
        handleEvents();
        for (QWidget* widget : shown())
            if (!before.contains(widget))
                return widget;
        return nullptr;
    }
    // Entries that open something: those that end in dots, and all of the tools and the help.
    QList<QAction*> openingEntries()
    {
        QList<QAction*> entries;
        for (const QAction* top : m_window.menuBar()->actions()) {
            const QString menu = top->text().remove('&');
            for (QAction* action : actionsOf(*top->menu()))
                if (menu == QStringLiteral("Tools") || menu == QStringLiteral("Help") ||
                    action->text().contains(QChar(0x2026)))
                    entries << action;
        }
        return entries;
    }
};

}  // namespace overlane
