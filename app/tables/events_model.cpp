#include "app/tables/events_model.h"

#include <algorithm>
#include <utility>

#include "app/widgets/data_table.h"
#include "app/widgets/explain_role.h"
#include "app/widgets/text.h"

namespace overlane
{

EventsModel::EventsModel(QObject* parent) : QAbstractTableModel(parent) {}

void EventsModel::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analysis> analysis)
{
    beginResetModel();
    m_rows.clear();
    m_trace = std::move(trace);
    m_analysis = std::move(analysis);
    endResetModel();
    ask();
}

void EventsModel::setFilter(const QString& name, std::optional<EventKind> kind, std::optional<Interval> range,
                            std::optional<CopyCause> why, std::int64_t leastNs,
                            std::optional<std::vector<EventRange>> rows, bool copiesOnly)
{
    m_query.copiesOnly = copiesOnly;
    m_query.name = name;
    m_query.kind = kind;
    m_query.range = range;
    m_query.why = why;
    m_query.leastNs = leastNs;
    m_query.rows = std::move(rows);
    ask();
}

void EventsModel::sort(int column, Qt::SortOrder order)
{
    m_query.column = std::clamp(column, 0, ColumnCount - 1);
    m_query.descending = order == Qt::DescendingOrder;
    ask();
}

void EventsModel::ask()
{
    m_worker.forget();
    m_current = m_trace == nullptr;
    if (!m_trace)
        return;
    m_worker.run(
        u"Listing events"_s,
        [trace = m_trace, analysis = m_analysis, query = m_query](Progress& progress) {
            return findEvents(*trace, query, progress, analysis.get());
        },
        [this](Result<std::vector<EventIndex>> rows) {
            if (rows.ok()) {
                beginResetModel();
                m_rows = std::move(rows).value();
                endResetModel();
                m_current = true;
            } else if (!rows.isCancelled()) {
                emit failed(text(rows.error()));
            }
            emit answered();
        });
}

void EventsModel::cancel()
{
    m_worker.cancel();
}

int EventsModel::rowOf(EventIndex event) const
{
    const auto found = std::find(m_rows.begin(), m_rows.end(), event);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int EventsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EventsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const EventColumn& column = eventColumns()[static_cast<std::size_t>(index.column())];
    const ListedEvent listed{*m_trace, m_analysis.get(), event(index.row())};
    if (role == Qt::DisplayRole)
        return column.text(listed);
    if (role == Qt::ToolTipRole && column.tip != nullptr)
        return column.tip(listed);
    if (role == kExplainRole && column.explained != nullptr)
        return text(column.explained(listed));
    if (role == Qt::TextAlignmentRole && column.isNumber)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == kCopyRole && index.column() == Duration)
        return column.tip(listed);
    if (role != kExportRole)
        return {};
    if (column.exportedText != nullptr)
        return column.exportedText(listed);
    const QString shown = column.text(listed);
    return column.isNumber && !shown.isEmpty() ? QVariant(static_cast<qlonglong>(column.key(listed))) : QVariant(shown);
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const EventColumn& column = eventColumns()[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return text(column.title);
    if (role == kExportRole)
        return QString::fromLatin1(column.exported);
    if (role == Qt::TextAlignmentRole && !column.isNumber)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

}  // namespace overlane
