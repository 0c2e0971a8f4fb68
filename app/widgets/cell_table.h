// CellTable: a table whose cells are given, each as text and as the value to sort and export it by.
//
// Lives on the GUI thread. Rows keep the number they were given in, whatever the order shown.
#pragma once

#include <vector>

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>

#include "core/content/block.h"

namespace overlane
{

using CellTone = Tone;

struct ShownCell {
    QString text;
    QVariant value;  // sorts and exports; the text where it is empty
    CellTone tone = CellTone::Plain;
};

struct CellColumn {
    QString title;
    QString exported;  // the key of its values, with the unit: "a_ns"
    bool leftAligned = false;
};

struct CellRow {
    std::vector<ShownCell> cells;
    QString tip;
};

class CellTable : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void set(std::vector<CellColumn> columns, std::vector<CellRow> rows);
    void set(const Table& table);
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

    std::vector<CellColumn> m_columns;
    std::vector<CellRow> m_rows;
    std::vector<int> m_order;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

}  // namespace overlane
