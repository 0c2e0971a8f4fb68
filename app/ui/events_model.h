// EventsModel: the trace's events as rows, filtered by kind and name, sorted by any column.
//
// Lives on the GUI thread. Keeps one 4-byte index per shown row and reads the trace's own columns;
// names are matched once per distinct name, not once per event.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QAbstractTableModel>
#include <QString>

#include "core/trace/trace.h"

namespace overlane
{

// Events whose name contains `text` (any case), in the order of the trace's columns, within a range.
std::vector<EventIndex> eventsNamed(const Trace& trace, const QString& text, std::optional<EventKind> kind = {},
                                    std::optional<Interval> range = {});

class EventsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Start, Duration, Name, Kind, Track, Bytes, Memory, ColumnCount };

    explicit EventsModel(QObject* parent = nullptr);

    void setTrace(std::shared_ptr<const Trace> trace);
    void setFilter(const QString& name, std::optional<EventKind> kind, std::optional<Interval> range);
    EventIndex event(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(EventIndex event) const;  // -1 where the filter hides it

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void rebuild();
    void sortRows();

    std::shared_ptr<const Trace> m_trace;
    std::vector<EventIndex> m_rows;
    QString m_name;
    std::optional<EventKind> m_kind;
    std::optional<Interval> m_range;
    int m_sortColumn = Start;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

}  // namespace overlane
