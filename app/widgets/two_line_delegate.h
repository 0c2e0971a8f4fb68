// TwoLineDelegate: a table cell of a figure and, below it in muted text, what belongs to it.
//
// Lives on the GUI thread. The second line comes from kDetailRole; both are right-aligned.
#pragma once

#include <QStyledItemDelegate>

namespace overlane
{

constexpr int kDetailRole = Qt::UserRole + 2;

class TwoLineDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace overlane
