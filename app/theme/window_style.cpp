#include "app/theme/window_style.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOption>
#include <QTableView>

#include "app/theme/palette.h"

namespace overlane
{

namespace
{

// At each side of cells and of their heads: a right-aligned one and the left-aligned one next to it stay apart.
constexpr int kCellMarginPx = 7;

void drawOutline(QPainter* painter, const QRect& rect, const QColor& color, bool round)
{
    painter->save();
    painter->setPen(color);
    painter->setBrush(Qt::NoBrush);
    painter->setRenderHint(QPainter::Antialiasing, round);
    if (round)
        painter->drawEllipse(rect.adjusted(0, 0, -1, -1));
    else
        painter->drawRect(rect.adjusted(0, 0, -1, -1));
    painter->restore();
}

void drawBorder(QPainter* painter, const QRect& rect, const QStyleOption* option, bool round = false)
{
    const Palette& colors = Palette::highContrastTheme();
    const bool focused = (option->state & QStyle::State_HasFocus) != 0;
    drawOutline(painter, rect, focused ? colors.accent : colors.border, round);
}

// Fields in the dark, for the same reason as boxes; the one with the focus has an outline of its own.
void outlineField(QPainter* painter, const QRect& rect, const QStyleOption* option)
{
    constexpr int kDarker = 150;  // still 3:1 to the ground
    const Palette& colors = Palette::current();
    if (!colors.dark || colors.highContrast || option->state.testFlag(QStyle::State_HasFocus))
        return;
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    drawOutline(painter, rect, enabled ? colors.mutedText.darker(kDarker) : colors.border, false);
}

// Fusion outlines the default button of a dialog as it does the one with the focus.
void markFocusedDefault(QPainter* painter, const QStyleOption* option, const QColor& color)
{
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const bool isDefault = button != nullptr && button->features.testFlag(QStyleOptionButton::DefaultButton);
    if (!isDefault || !option->state.testFlag(QStyle::State_HasFocus) ||
        !option->state.testFlag(QStyle::State_KeyboardFocusChange))
        return;
    painter->save();
    painter->setPen(color);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option->rect.adjusted(3, 3, -4, -4));
    painter->restore();
}

}  // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")), m_flashMs(QApplication::cursorFlashTime()) {}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* returned) const
{
    if (m_motionReduced && (hint == SH_Widget_Animation_Duration || hint == SH_Widget_Animate))
        return 0;
    // Qt's own pictures are black, whatever the theme.
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
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
        case PM_HeaderMargin:
            return kCellMarginPx;
        case PM_FocusFrameHMargin:  // a cell has one pixel more
            return qobject_cast<const QTableView*>(widget) != nullptr
                       ? kCellMarginPx - 1
                       : QProxyStyle::pixelMetric(metric, option, widget);
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
    // Fusion's ground of pages with tabs is so light in the dark that muted words fade on it.
    if (element == PE_FrameTabWidget && colors.dark && !colors.highContrast)
        painter->fillRect(option->rect.adjusted(1, 1, -1, -2), colors.panel);
    if (element == PE_PanelButtonCommand)
        markFocusedDefault(painter, option, colors.accent);
    // Fusion outlines boxes darker than their ground, which a dark one hides.
    const bool round = element == PE_IndicatorRadioButton;
    const bool box = round || element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
    if (box && colors.dark && !colors.highContrast)
        drawOutline(painter, option->rect, option->state.testFlag(State_Enabled) ? colors.mutedText : colors.border,
                    round);
    if (element == PE_FrameLineEdit)
        outlineField(painter, option->rect, option);
    if (!colors.highContrast)
        return;
    switch (element) {
        case PE_Frame:
        case PE_FrameGroupBox:
        case PE_FrameLineEdit:
        case PE_FrameMenu:
        case PE_PanelMenu:  // a menu of Fusion has no other frame
        case PE_FrameTabWidget:
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck:
        case PE_PanelButtonCommand:
            drawBorder(painter, option->rect, option);
            return;
        case PE_IndicatorRadioButton:
            drawBorder(painter, option->rect, option, true);
            return;
        case PE_PanelButtonTool:
            if ((option->state & (State_MouseOver | State_On | State_HasFocus)) != 0)
                drawBorder(painter, option->rect, option);
            return;
        default:
            return;
    }
}

void WindowStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const
{
    QProxyStyle::drawControl(element, option, painter, widget);
    if (!Palette::current().highContrast)
        return;
    if (element == CE_TabBarTabShape || element == CE_HeaderSection || element == CE_ProgressBarGroove)
        drawBorder(painter, option->rect, option);
    // The chosen tab; on one ground they are all alike.
    if (element == CE_TabBarTabShape && (option->state & State_Selected) != 0)
        painter->fillRect(option->rect.adjusted(1, 0, -1, 3 - option->rect.height()),
                          Palette::highContrastTheme().accent);
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox)
        outlineField(painter, proxy()->subControlRect(control, option, SC_SpinBoxFrame, widget), option);
    if (!Palette::current().highContrast)
        return;
    const auto border = [&](SubControl part) {
        drawBorder(painter, proxy()->subControlRect(control, option, part, widget), option);
    };
    switch (control) {
        case CC_ComboBox:
            return border(SC_ComboBoxFrame);
        case CC_SpinBox:
            return border(SC_SpinBoxFrame);
        case CC_Slider: {
            const QRect handle = proxy()->subControlRect(control, option, SC_SliderHandle, widget);
            const QRect groove = proxy()->subControlRect(control, option, SC_SliderGroove, widget);
            if (groove.width() > groove.height())
                painter->fillRect(
                    QRect(QPoint(handle.right() + 1, groove.center().y()), QPoint(groove.right(), groove.center().y())),
                    Palette::highContrastTheme().border);
            return border(SC_SliderHandle);
        }
        case CC_ScrollBar:
            return border(SC_ScrollBarSlider);
        default:
            return;
    }
}

}  // namespace overlane
