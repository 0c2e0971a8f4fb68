// Every control of the window, its tabs and its dialogs has a name, and looks different with the focus.
#include <QCheckBox>
#include <QDialog>
#include <QListWidget>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/program/tools.h"
#include "app/recording/record_dialog.h"
#include "app/shell/help_window.h"
#include "app/shell/search_bar.h"
#include "app/shell/window_shell.h"
#include "app/theme/palette.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/tab_walk.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

// Also what is hidden now: a page that is not shown, a card that comes with an answer.
QStringList unnamedBelow(const QWidget& root, int* controls)
{
    QStringList unnamed;
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !isControlOrField(*widget, root))
            continue;
        // A button without a text is not shown: its text comes with what it is for.
        const auto* button = qobject_cast<const QPushButton*>(widget);
        if (button != nullptr && button->text().isEmpty() && !button->isVisibleTo(&root))
            continue;
        ++*controls;
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
        if (spoken != nullptr && !spoken->text(QAccessible::Name).trimmed().isEmpty())
            continue;
        QString path = nameOf(*widget);
        for (const QWidget* above = widget->parentWidget(); above != nullptr && above != &root;
             above = above->parentWidget())
            path.prepend(QString::fromUtf8(above->metaObject()->className()) + QStringLiteral(" > "));
        unnamed << path;
    }
    return unnamed;
}

class ControlNames : public WindowTest
{
protected:
    void SetUp() override
    {
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
    // What an entry of the menus opens.
    QWidget* opened(const QString& label)
    {
        const QWidgetList before = QApplication::topLevelWidgets();
        QAction* action = actionNamed(m_window, label);
        EXPECT_NE(action, nullptr) << label.toStdString();
        if (action != nullptr)
            action->trigger();
        handleEvents();
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (!before.contains(widget) && widget->isVisible() && widget->isWindow())
                return widget;
        return nullptr;
    }
};

TEST_F(ControlNames, OfTheWindowItsDocksTabsAndPages)
{
    m_window.searchBar()->open();
    expectNamed(m_window, 80);
}

TEST_F(ControlNames, OfEveryDialogThatAMenuOpens)
{
    int dialogs = 0;
    for (const QAction* action : allActions(m_window)) {
        const QString label = action->text().remove('&');
        for (const char* one : {"Record a program …", "Machine and memory …", "Calibrate …"})
            if (label == QString::fromUtf8(one)) {
                QWidget* dialog = opened(label);
                ASSERT_NE(dialog, nullptr) << label.toStdString();
                SCOPED_TRACE(label.toStdString());
                expectNamed(*dialog, 3);
                dialog->close();
                ++dialogs;
            }
    }
    EXPECT_GE(dialogs, 3);
    HelpWindow* help = m_window.showHelp(HelpWindow::pages().front());
    expectNamed(*help, 2);
}

// In each theme, a control of each kind.
TEST(FocusIsSeen, InEveryTheme)
{
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::HighContrast}) {
        applyTheme(*qApp, theme);
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* combo = new QComboBox;
        combo->addItems({"a", "b"});
        auto* list = new QListWidget;
        list->addItems({"a", "b"});
        auto* table = new QTableWidget(2, 2);
        auto* tabs = new QTabBar;
        tabs->addTab("a");
        tabs->addTab("b");
        auto* tool = new QToolButton;
        tool->setText("tool");
        tool->setFocusPolicy(Qt::StrongFocus);
        const QList<QWidget*> controls = {new QPushButton("button"),
                                          tool,
                                          new QCheckBox("box"),
                                          new QRadioButton("radio"),
                                          new QLineEdit("text"),
                                          combo,
                                          new QSpinBox,
                                          new QSlider(Qt::Horizontal),
                                          list,
                                          table,
                                          tabs};
        column->addWidget(new QLineEdit);
        for (QWidget* control : controls)
            column->addWidget(control);
        window.show();
        window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
        window.findChild<QLineEdit*>()->setFocus();
        for (QWidget* control : controls) {
            handleEvents();
            const QImage without = control->grab().toImage();
            // The table keeps Tab for its cells.
            if (QApplication::focusWidget() == table)
                control->setFocus(Qt::TabFocusReason);
            else
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            ASSERT_EQ(QApplication::focusWidget(), control) << control->metaObject()->className();
            handleEvents();
            const QImage with = control->grab().toImage();
            int changed = 0;
            for (int y = 0; y < with.height(); ++y)
                for (int x = 0; x < with.width(); ++x)
                    changed += with.pixel(x, y) != without.pixel(x, y) ? 1 : 0;
            EXPECT_GE(changed, 12) << control->metaObject()->className() << " in theme " << static_cast<int>(theme);
        }
    }
    applyTheme(*qApp, Theme::Light);
}

}  // namespace
}  // namespace overlane
