// CausesModel: the sums behind the summary as rows: copies by reason, or time without kernels by cause,
// device by device, most first.
//
// Lives on the GUI thread; follows the document's insights of the shown range. A row's share is of its
// device's sum, so the shares of a device add up to 1; times of idle causes add up to its idle time.
#pragma once

#include <string>
#include <vector>

#include <QAbstractTableModel>
#include <QColor>

#include "core/analysis/lost_time.h"

namespace overlane
{

class Document;

class CausesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Of { ExposedCopies, IdleTime };
    enum Column { What, Share, Time, Count, ColumnCount };

    CausesModel(Of of, Document* document, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    std::int64_t timeNs(int row) const { return m_rows[static_cast<std::size_t>(row)].timeNs; }
    // Why there are no rows.
    QString emptyText() const;

private:
    struct Row {
        QString what;
        QString explanation;
        std::string explained;  // key of what explains it
        EventKind colour = EventKind::CopyH2D;
        std::int64_t timeNs = 0;
        std::int64_t count = 0;
        std::int64_t of = 0;  // copies of that direction
        double share = 0;
    };
    void refresh();
    void addCopies(const QString& prefix, const struct CopySums& sums, const QString& direction, EventKind kind);

    Of m_of;
    Document* m_document;
    std::vector<Row> m_rows;
};

}  // namespace overlane
