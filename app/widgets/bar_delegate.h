// BarDelegate: a table cell of a share as a bar with its number beside it.
//
// Lives on the GUI thread. The model answers kBarRole with 0 to 1 and kBarColorRole with a color;
// cells without are drawn as usual.
#pragma once

#include <QStyledItemDelegate>

namespace overlane
{

constexpr int kBarRole = Qt::UserRole + 3;
constexpr int kBarColorRole = Qt::UserRole + 4;

class BarDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace overlane
