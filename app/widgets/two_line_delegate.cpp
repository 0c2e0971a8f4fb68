#include "app/widgets/two_line_delegate.h"

#include <algorithm>

#include <QApplication>
#include <QPainter>

#include "app/theme/palette.h"

namespace overlane
{

namespace
{
constexpr int kCellMarginPx = 5;
constexpr int kRoomPx = 2;  // above the first line and below the second
}  // namespace

void TwoLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString figure = cell.text;
    cell.text.clear();
    const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);

    const bool selected = (cell.state & QStyle::State_Selected) != 0;
    const QColor strong = cell.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    const QRect inner = cell.rect.adjusted(kCellMarginPx, kRoomPx, -kCellMarginPx, -kRoomPx);
    const QRect upper(inner.topLeft(), QSize(inner.width(), inner.height() / 2));
    const QRect lower(inner.left(), upper.bottom() + 1, inner.width(), inner.height() - upper.height());
    const auto line = [&](const QRect& rect, const QFont& font, const QColor& color, const QString& text) {
        painter->setFont(font);
        painter->setPen(color);
        painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter,
                          QFontMetrics(font).elidedText(text, Qt::ElideRight, rect.width()));
    };
    painter->save();
    line(upper, cell.font, strong, figure);
    line(lower, option.font, selected ? strong : Palette::current(cell.palette).mutedText,
         index.data(kDetailRole).toString());
    painter->restore();
}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QFontMetrics upper(cell.font);
    const QFontMetrics lower(option.font);
    const int width =
        std::max(upper.horizontalAdvance(cell.text), lower.horizontalAdvance(index.data(kDetailRole).toString()));
    return {width + 2 * kCellMarginPx + 2, upper.height() + lower.height() + 2 * kRoomPx};
}

}  // namespace overlane
