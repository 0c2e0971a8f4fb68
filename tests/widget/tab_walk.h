// Walks through a window as a person without a mouse does: by Tab alone.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QTextEdit>

namespace overlane
{

inline QString nameOf(const QWidget& widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return QStringLiteral("%1 %2 %3")
        .arg(widget.metaObject()->className(), widget.objectName(), button != nullptr ? button->text() : QString());
}

// A part of a control: the field of a box with a number, the arrows of tabs, the header of a table.
inline bool isPart(const QWidget& widget, const QWidget& window)
{
    for (const QWidget* above = widget.parentWidget(); above != nullptr && above != &window;
         above = above->parentWidget())
        if (qobject_cast<const QAbstractSpinBox*>(above) != nullptr ||
            qobject_cast<const QComboBox*>(above) != nullptr || qobject_cast<const QTabBar*>(above) != nullptr ||
            qobject_cast<const QAbstractItemView*>(above) != nullptr)
            return true;
    return false;
}

inline bool isOfControlKind(const QWidget& widget)
{
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(&widget) != nullptr &&
            qobject_cast<const QScrollBar*>(&widget) == nullptr) ||
           (qobject_cast<const QAbstractItemView*>(&widget) != nullptr &&
            qobject_cast<const QHeaderView*>(&widget) == nullptr);
}

// Something that a mouse can do something with, and that is no part of something else. The buttons of a dock's title
// are Qt's, and do what the menu View does.
inline bool isControl(const QWidget& widget, const QWidget& window)
{
    return !widget.objectName().startsWith(QStringLiteral("qt_dockwidget_")) && widget.isVisibleTo(&window) &&
           widget.isEnabled() && !widget.size().isEmpty() && isOfControlKind(widget) && !isPart(widget, window);
}

// Also what is not shown now, and fields for text.
inline bool isControlOrField(const QWidget& widget, const QWidget& window)
{
    return !isPart(widget, window) && (isOfControlKind(widget) || qobject_cast<const QLineEdit*>(&widget) != nullptr ||
                                       qobject_cast<const QTextEdit*>(&widget) != nullptr ||
                                       qobject_cast<const QPlainTextEdit*>(&widget) != nullptr);
}

// Controls without an accessible name, with what they lie in; also those hidden now: a page that is not shown, a card
// that comes with an answer.
inline QStringList unnamedBelow(const QWidget& root, int* controls)
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

struct TabWalk {
    std::vector<QWidget*> visited;  // below the root, in the order of the keys
    QStringList missed;             // controls below the root that Tab does not come to
    QStringList unseen;             // buttons and boxes that look no different with the focus
    bool around = false;            // whether Tab left the root or came back to its beginning
};

// From the first control of `root` on, until the keys leave it or come around.
inline TabWalk walkByTab(QWidget& root, int most = 300)
{
    TabWalk walk;
    QWidget& window = *root.window();
    const QList<QWidget*> all = root.findChildren<QWidget*>();
    const auto inside = [&](const QWidget* widget) { return widget == &root || root.isAncestorOf(widget); };
    // From before the first: what is reached is reached by the key.
    if (&root == &window && QApplication::focusWidget() != nullptr)
        QApplication::focusWidget()->clearFocus();
    for (int at = 0; at < most && (QApplication::focusWidget() == nullptr || inside(QApplication::focusWidget())); ++at)
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : &window,
                        Qt::Key_Backtab);
    for (int at = 0; at < most && !walk.around; ++at) {
        QWidget* before = QApplication::focusWidget();
        const bool wasInside = before != nullptr && inside(before);
        // A card that has just changed is laid out by the next event.
        if (wasInside && !QTest::qWaitFor([&] { return !before->size().isEmpty(); }))
            walk.unseen << nameOf(*before);
        const QImage with = wasInside ? before->grab().toImage() : QImage();
        QTest::keyClick(before != nullptr ? before : &window, Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        if (wasInside && now != before && before->grab().toImage() == with)
            walk.unseen << nameOf(*before);
        if (now == nullptr || !inside(now)) {
            walk.around = !walk.visited.empty();
            continue;
        }
        if (std::find(walk.visited.begin(), walk.visited.end(), now) != walk.visited.end()) {
            walk.around = now == walk.visited.front() && now != before;  // links of a page take several keys
            if (now != before && !walk.around)
                break;  // round and round without the rest
            continue;
        }
        walk.visited.push_back(now);
    }
    for (const QWidget* widget : all)
        if (isControl(*widget, window) &&
            std::none_of(walk.visited.begin(), walk.visited.end(), [&](const QWidget* one) {
                // Of radio buttons Tab comes to one, and the arrows lead to the others.
                const bool radios = qobject_cast<const QRadioButton*>(widget) != nullptr &&
                                    qobject_cast<const QRadioButton*>(one) != nullptr;
                return one == widget || widget->focusProxy() == one ||
                       (radios && one->parentWidget() == widget->parentWidget());
            }))
            walk.missed << nameOf(*widget);
    walk.around |= walk.visited.size() == 1 && walk.missed.isEmpty();  // there is nowhere else to go
    return walk;
}

// That Tab comes to every control below the root, at least so many, sees each of them marked, and leads out.
inline void expectWalked(QWidget* root, std::size_t least)
{
    const TabWalk walk = walkByTab(*root);
    QStringList visited;
    for (const QWidget* widget : walk.visited)
        visited << nameOf(*widget);
    SCOPED_TRACE("visited " + visited.join(", ").toStdString());
    EXPECT_TRUE(walk.around) << "a dead end";
    EXPECT_TRUE(walk.missed.isEmpty()) << qPrintable(walk.missed.join('\n'));
    EXPECT_TRUE(walk.unseen.isEmpty()) << qPrintable(walk.unseen.join('\n'));
    EXPECT_GE(walk.visited.size(), least);
}

}  // namespace overlane
