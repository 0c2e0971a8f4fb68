#include "app/widgets/field_manners.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>

namespace overlane
{

namespace
{

// A widget that a turn of the wheel would change.
QWidget* valueAt(QObject* watched)
{
    if (qobject_cast<QScrollBar*>(watched) != nullptr)
        return nullptr;
    for (const QMetaObject* kind :
         {&QAbstractSlider::staticMetaObject, &QComboBox::staticMetaObject, &QAbstractSpinBox::staticMetaObject})
        if (kind->cast(watched) != nullptr)
            return static_cast<QWidget*>(watched);
    return nullptr;
}

void settle(QWidget* value)
{
    // Qt gives the focus before it delivers the wheel.
    if (value->focusPolicy() == Qt::WheelFocus)
        value->setFocusPolicy(Qt::StrongFocus);
    // Text that was taken is no longer the field's to undo.
    if (auto* box = qobject_cast<QAbstractSpinBox*>(value))
        if (auto* edit = box->findChild<QLineEdit*>())
            QObject::connect(box, &QAbstractSpinBox::editingFinished, edit, [edit] { edit->setModified(false); });
}

// Whether a key that a field would keep for itself has nothing to undo or redo there.
bool isTheWindows(QObject* watched, const QKeyEvent& key)
{
    const bool undo = key.matches(QKeySequence::Undo);
    if (!undo && !key.matches(QKeySequence::Redo))
        return false;
    if (const auto* box = qobject_cast<QAbstractSpinBox*>(watched)) {
        const auto* edit = box->findChild<QLineEdit*>();
        return edit == nullptr || !edit->isModified();
    }
    const auto* edit = qobject_cast<QLineEdit*>(watched);
    return edit != nullptr && !(undo ? edit->isUndoAvailable() : edit->isRedoAvailable());
}

}  // namespace

FieldManners::FieldManners(QObject* parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool FieldManners::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
        case QEvent::Polish:
            if (QWidget* value = valueAt(watched))
                settle(value);
            return false;
        case QEvent::Wheel: {
            const QWidget* value = valueAt(watched);
            if (value == nullptr || value->hasFocus())
                return false;
            event->ignore();  // it goes on to the parents
            return true;
        }
        case QEvent::ShortcutOverride:
            if (!isTheWindows(watched, *static_cast<QKeyEvent*>(event)))
                return false;
            event->ignore();  // it is looked up among the shortcuts
            return true;
        default:
            return false;
    }
}

}  // namespace overlane
