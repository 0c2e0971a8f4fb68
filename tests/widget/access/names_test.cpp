// Every control of the window, its docks and its tabs has a name; one of each kind looks different with the focus.
#include <cmath>

#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/shell/first_hint.h"
#include "app/shell/offer_bar.h"
#include "app/shell/search_bar.h"
#include "app/theme/palette.h"
#include "tests/widget/access/access_window.h"

namespace overlane
{
namespace
{

using ControlNames = AccessWindow;

TEST_F(ControlNames, OfTheWindowItsDocksTabsAndPages)
{
    m_window.searchBar()->open();
    expectNamed(m_window, 80);
}

// With one of their letters twice, Alt and the letter open no menu and press no button.
TEST_F(ControlNames, OfButtonsTakeNoLetterOfTheMenuBar)
{
    QList<QKeySequence> ofMenus;
    for (const QAction* menu : m_window.menuBar()->actions())
        ofMenus << QKeySequence::mnemonic(menu->text());
    int letters = 0;
    for (const QAbstractButton* button : m_window.findChildren<QAbstractButton*>()) {
        const QKeySequence letter = QKeySequence::mnemonic(button->text());
        if (button->window() != &m_window || letter.isEmpty())
            continue;
        ++letters;
        EXPECT_FALSE(ofMenus.contains(letter)) << button->text().toStdString();
    }
    EXPECT_GE(letters, 3);
}

// As WCAG 2 counts it: 1 to 21.
double contrast(const QColor& one, const QColor& other)
{
    const auto light = [](const QColor& color) {
        const auto part = [](double value) {
            return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) + 0.0722 * part(color.blueF());
    };
    return (std::max(light(one), light(other)) + 0.05) / (std::min(light(one), light(other)) + 0.05);
}

// Also on bars of a color of their own.
TEST_F(ControlNames, OfButtonsAreReadInEveryTheme)
{
    m_window.firstHint()->offer();
    for (OfferBar* bar : {m_window.notesOffer(), m_window.tracesOffer()})
        bar->offer(QStringLiteral("An offer."), {{QStringLiteral("Take"), [] {}}});
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::HighContrast}) {
        m_window.setTheme(theme);
        handleEvents();
        int buttons = 0;
        for (const QPushButton* button : m_window.findChildren<QPushButton*>()) {
            if (!button->isVisible() || !button->isEnabled())
                continue;
            ++buttons;
            const QPalette& colors = button->palette();
            EXPECT_GE(contrast(colors.color(QPalette::ButtonText), colors.color(QPalette::Button)), 4.5)
                << button->text().toStdString() << " in theme " << static_cast<int>(theme);
        }
        EXPECT_GE(buttons, 4);
    }
    m_window.setTheme(Theme::Light);
}

// An empty box has nothing but its outline, and an empty field next to nothing.
TEST(BoxesAndFieldsAreSeen, OnDarkGrounds)
{
    for (const Theme theme : {Theme::Dark, Theme::HighContrast}) {
        applyTheme(*qApp, theme);
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        const QList<QWidget*> controls = {new QCheckBox, new QRadioButton, new QLineEdit, new QSpinBox};
        for (QWidget* control : controls)
            column->addWidget(control);
        window.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
        for (const QWidget* control : controls) {
            const QImage shown = window.grab(control->geometry()).toImage().convertToFormat(QImage::Format_RGB32);
            const QColor ground = window.palette().color(QPalette::Window);
            int seen = 0;
            for (int y = 0; y < shown.height(); ++y)
                for (int x = 0; x < std::min(20, shown.width()); ++x)
                    seen += contrast(shown.pixelColor(x, y), ground) >= 3 ? 1 : 0;
            EXPECT_GE(seen, 24) << control->metaObject()->className() << " in theme " << static_cast<int>(theme);
        }
    }
    applyTheme(*qApp, Theme::Light);
}

TEST(PagesWithTabs, LeaveMutedWordsReadable)
{
    for (const Theme theme : {Theme::Light, Theme::Dark, Theme::HighContrast}) {
        applyTheme(*qApp, theme);
        QTabWidget tabs;
        tabs.addTab(new QWidget, "a");
        tabs.resize(200, 200);
        tabs.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&tabs));
        const QColor ground = tabs.grab().toImage().pixelColor(100, 150);
        EXPECT_GE(contrast(Palette::current().mutedText, ground), 4.5) << "in theme " << static_cast<int>(theme);
    }
    applyTheme(*qApp, Theme::Light);
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
