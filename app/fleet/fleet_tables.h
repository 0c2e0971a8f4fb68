// FleetRuns: the listed runs, whose order is asked for, since only the first of them are here.
// FleetCauses: the causes, with their share of the GPU time as a bar.
//
// Live on the GUI thread.
#pragma once

#include <vector>

#include <QColor>

#include "app/widgets/cell_table.h"

namespace overlane
{

constexpr int kShareColumn = 2;  // of fleetCausesTable()

class FleetRuns : public CellTable
{
    Q_OBJECT

public:
    using CellTable::CellTable;

    void sort(int column, Qt::SortOrder order) override { emit orderAsked(column, order); }

signals:
    void orderAsked(int column, Qt::SortOrder order);
};

class FleetCauses : public CellTable
{
    Q_OBJECT

public:
    using CellTable::CellTable;

    // A color for each row, in the order given; the largest share fills its cell.
    void dress(std::vector<QColor> colors, std::vector<double> shares);
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<QColor> m_colors;
    std::vector<double> m_shares;
};

}  // namespace overlane
