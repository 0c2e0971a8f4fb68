// A button without a frame, with its name for tests and styles and its tip. Owned by its parent; GUI thread.
#pragma once

#include <QString>
#include <QToolButton>

namespace overlane
{

inline QToolButton* flatButton(const QString& label, const QString& name, const QString& tip, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setText(label);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    return button;
}

}  // namespace overlane
