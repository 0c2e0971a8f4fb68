// SummaryModel: the figures of what the verdict is about, one row per device; all four numbers together.
//
// Lives on the GUI thread; follows the document's trace and selected range. A cell is the figure and,
// on a second line, what it is made of or its share of the range.
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "core/analysis/summary.h"

namespace overlane
{

class Document;

class SummaryModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Overlap, Exposed, Ideal, Distance, Kernels, H2d, D2h, NoKernel, Blocked, ColumnCount };

    explicit SummaryModel(Document* document, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const Summary& summary() const { return m_summary; }

private:
    void refresh();

    Document* m_document;
    Summary m_summary;
};

}  // namespace overlane
