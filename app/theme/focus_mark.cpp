#include "app/theme/focus_mark.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QFocusFrame>
#include <QPainter>

#include "app/theme/palette.h"

namespace overlane
{

namespace
{

constexpr const char* kAsked = "asksForFocusMark";

// Screen readers leave a QFocusFrame out; only its edges cover anything.
class MarkFrame : public QFocusFrame
{
public:
    using QFocusFrame::QFocusFrame;

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), Palette::current().accent); }
};

bool wantsMark(const QWidget* widget)
{
    return widget != nullptr && widget->window()->testAttribute(Qt::WA_KeyboardFocusChange) &&
           QGuiApplication::mouseButtons() == Qt::NoButton &&
           (qobject_cast<const QAbstractScrollArea*>(widget) != nullptr || widget->property(kAsked).toBool());
}

}  // namespace

FocusMark::FocusMark(QObject* parent) : QObject(parent)
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

FocusMark::~FocusMark()
{
    delete m_frame;
}

void FocusMark::askFor(QWidget* widget)
{
    widget->setProperty(kAsked, true);
}

void FocusMark::follow(QWidget* focused)
{
    if (m_frame) {
        m_frame->parentWidget()->removeEventFilter(this);
        delete m_frame;
    }
    if (!wantsMark(focused))
        return;
    m_frame = new MarkFrame(focused);
    focused->installEventFilter(this);
    fit();
    m_frame->show();
}

void FocusMark::fit()
{
    const QRect all = m_frame->parentWidget()->rect();
    m_frame->setGeometry(all);
    m_frame->setMask(QRegion(all) - all.adjusted(kFramePx, kFramePx, -kFramePx, -kFramePx));
    m_frame->raise();
}

bool FocusMark::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_frame && watched == m_frame->parentWidget())
        fit();
    return QObject::eventFilter(watched, event);
}

}  // namespace overlane
