#include "app/widgets/bar_delegate.h"

#include <algorithm>
#include <cmath>

#include <QColor>
#include <QPainter>

namespace overlane
{

namespace
{

constexpr int kMarginPx = 5;
constexpr int kNumberPx = 52;
constexpr int kBarPx = 10;

}  // namespace

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant share = index.data(kBarRole);
    if (!share.isValid())
        return;
    const QRect inner = option.rect.adjusted(kMarginPx, 0, -kMarginPx - kNumberPx, 0);
    const int width = std::max(1, static_cast<int>(std::lround(share.toDouble() * inner.width())));
    painter->fillRect(QRect(inner.left(), inner.center().y() - kBarPx / 2 + 1, width, kBarPx),
                      index.data(kBarColorRole).value<QColor>());
}

}  // namespace overlane
