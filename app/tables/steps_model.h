// StepsModel: one row per training step or batch, for the busiest device.
//
// Lives on the GUI thread; follows the document's trace; steps outside the selected range are muted, so
// that choosing one, which selects its range, leaves the others in place. Figures are summarized when
// a row is asked for, so a million steps cost what is looked at; an order by a figure needs them all and
// is made by a worker.
#pragma once

#include <cstdint>
#include <vector>

#include <QAbstractTableModel>

#include "app/session/background_worker.h"
#include "core/analysis/steps.h"

namespace overlane
{

class Document;

class StepsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Name,
        Start,
        Length,
        Time,
        Mark,
        Overlap,
        Exposed,
        Ideal,
        Distance,
        KernelsBusy,
        H2dBusy,
        HostBlocked,
        ColumnCount,
    };

    explicit StepsModel(Document* document, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    // Whether a row's step lies in the selected range; all do where none is.
    bool inRange(int row) const;
    const Step& step(int row) const { return m_steps[m_order[static_cast<std::size_t>(row)]]; }
    bool busy() const { return m_worker.busy(); }

signals:
    void sorted();

private:
    void refresh();
    void showRange();
    void arrange();
    void adopt(std::vector<std::uint32_t> order);
    const Summary& summaryOf(int row) const;

    Document* m_document;
    std::vector<Step> m_steps;  // in order of start
    std::int64_t m_medianNs = 0;
    std::vector<std::uint32_t> m_order;
    int m_sortColumn = Start;
    bool m_descending = false;
    // The last row asked for: its cells are asked for one after the other.
    mutable int m_cachedRow = -1;
    mutable Summary m_cached;
    BackgroundWorker m_worker;
};

}  // namespace overlane
