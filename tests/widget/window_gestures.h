// What tests of the window do as a person would: drop things on it, answer its questions, choose
// from its menus.
#pragma once

#include <QApplication>
#include <QDropEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QTimer>

#include "app/shell/main_window.h"

namespace overlane
{

// Drags `data` over the middle of a widget and lets go. Whether it was taken.
inline bool dropOn(QWidget* target, QMimeData& data)
{
    const QPoint pos = target->rect().center();
    QDragEnterEvent enter(pos, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &enter);
    if (!enter.isAccepted())
        return false;
    QDragMoveEvent move(pos, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &move);
    QDropEvent drop(pos, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &drop);
    return drop.isAccepted();
}

inline bool dropFiles(QWidget* target, const QStringList& paths)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    return dropOn(target, data);
}

// Clicks the same button of every question that comes up while it lives.
class Answering
{
public:
    explicit Answering(QMessageBox::StandardButton button)
    {
        m_watch.setInterval(5);
        QObject::connect(&m_watch, &QTimer::timeout, &m_watch, [this, button] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                ++m_questions;
                QTest::mouseClick(box->button(button), Qt::LeftButton);
            }
        });
        m_watch.start();
    }
    int questions() const { return m_questions; }

private:
    QTimer m_watch;
    int m_questions = 0;
};

inline QList<QAction*> actionsOf(const QMenu& menu)
{
    QList<QAction*> all;
    for (QAction* action : menu.actions()) {
        if (action->menu() != nullptr)
            all += actionsOf(*action->menu());
        else if (!action->isSeparator())
            all << action;
    }
    return all;
}

inline QList<QAction*> allActions(const QMainWindow& window)
{
    QList<QAction*> all;
    for (const QAction* top : window.menuBar()->actions())
        all += actionsOf(*top->menu());
    return all;
}

// The action of a label without its ampersand; null where no menu has it.
inline QAction* actionNamed(const QMainWindow& window, const QString& label)
{
    for (QAction* action : allActions(window))
        if (action->text().remove('&') == label)
            return action;
    return nullptr;
}

}  // namespace overlane
