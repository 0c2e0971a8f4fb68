#include "app/theme/window_style.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOption>

#include "app/theme/palette.h"

namespace overlane
{

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")), m_flashMs(QApplication::cursorFlashTime()) {}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* returned) const
{
    if (m_motionReduced && (hint == SH_Widget_Animation_Duration || hint == SH_Widget_Animate))
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

void WindowStyle::setMotionReduced(bool reduced)
{
    if (reduced == m_motionReduced)
        return;
    m_motionReduced = reduced;
    QApplication::setCursorFlashTime(reduced ? 0 : m_flashMs);
    for (QWidget* widget : QApplication::allWidgets()) {
        QEvent changed(QEvent::StyleChange);
        QCoreApplication::sendEvent(widget, &changed);
    }
}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
        case PM_ToolTipLabelFrameWidth:
            return 5;  // the border and 4 px of room
        case PM_DockWidgetSeparatorExtent:
            return 1;
        case PM_DockWidgetFrameWidth:
            return 0;  // the separators are frame enough
        case PM_DockWidgetTitleMargin:
            return 4;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const
{
    const Palette& colors = Palette::current();
    switch (element) {
        case PE_PanelTipLabel:
            painter->setPen(colors.border);
            painter->setBrush(colors.panel);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            return;
        case PE_IndicatorDockWidgetResizeHandle:
            painter->fillRect(option->rect, colors.border);
            return;
        default:
            QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

}  // namespace overlane
