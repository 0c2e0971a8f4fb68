// CellTable: a table of the core (core/content/block.h), sorted and exported by the values of its cells.
//
// Lives on the GUI thread. Rows keep the number they were given in, whatever the order shown.
#pragma once

#include <vector>

#include <QAbstractTableModel>
#include <QVariant>

#include "core/content/block.h"

namespace overlane
{

class CellTable : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void set(Table table);
    // The place in the rows given of the one shown in this place.
    int given(int row) const { return m_order[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // Column -1: as given.
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();

    Table m_table;
    std::vector<int> m_order;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

}  // namespace overlane
