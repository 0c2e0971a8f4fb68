// EventsModel: the trace's events as rows, filtered by kind, name and range, sorted by any column.
//
// Lives on the GUI thread, which never filters or sorts: a worker answers the query, and until it has,
// the rows of the last answer stay (those of another trace go at once). Keeps 4 bytes per shown row.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QAbstractTableModel>
#include <QString>

#include "app/session/background_worker.h"
#include "app/tables/events_query.h"
#include "core/trace/trace.h"

namespace overlane
{

class EventsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using Column = EventsQuery::Column;
    using enum EventsQuery::Column;

    explicit EventsModel(QObject* parent = nullptr);

    // The analysis, of the trace, tells the reasons of copies.
    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analysis> analysis = {});
    void setFilter(const QString& name, std::optional<EventKind> kind, std::optional<Interval> range,
                   std::optional<CopyCause> why = {}, std::int64_t leastNs = 0,
                   std::optional<std::vector<EventRange>> rows = {}, bool copiesOnly = false);
    EventIndex event(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(EventIndex event) const;  // -1 where the filter hides it

    BackgroundWorker* worker() { return &m_worker; }
    // Gives up the query under way; the rows stay as they are.
    void cancel();
    // Whether the rows are the answer to the filter and order that were asked for.
    bool current() const { return m_current; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void answered();  // new rows, or none because the query was cancelled or failed
    void failed(const QString& sentence);

private:
    void ask();

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const Analysis> m_analysis;
    std::vector<EventIndex> m_rows;
    EventsQuery m_query;
    bool m_current = true;
    BackgroundWorker m_worker;
};

}  // namespace overlane
