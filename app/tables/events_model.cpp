#include "app/tables/events_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/widgets/data_table.h"
#include "app/widgets/text.h"
#include "core/analysis/advice.h"
#include "core/analysis/role_shares.h"

namespace overlane
{

namespace
{

const std::array kHeaders = {"Start", "Duration", "Name", "Kind", "Track", "Bytes", "Memory", "Carries", "Why"};
const std::array kExportedHeaders = {"start_ns", "duration_ns", "name",    "kind", "track",
                                     "bytes",    "memory",      "carries", "why"};

QString memoryText(const CopyInfo& copy, const QString& arrow)
{
    return text(memoryKindName(copy.source)) + arrow + text(memoryKindName(copy.destination));
}

}  // namespace

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
                            std::optional<CopyCause> why)
{
    m_query.name = name;
    m_query.kind = kind;
    m_query.range = range;
    m_query.why = why;
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
    const int column = index.column();
    const EventIndex at = event(index.row());
    if (role == Qt::TextAlignmentRole && (column == Start || column == Duration || column == Bytes))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::DisplayRole)
        return shown(at, column);
    if (role == Qt::ToolTipRole && (column == Name || column == Track))
        return shown(at, column);
    if (role == Qt::ToolTipRole && column == Why)
        if (const auto why = firstReason(*m_trace, m_analysis.get(), at))
            return text(causeSentence(*why)) + ' ' +
                   text(causeAdvice(*why, roleOf(*m_trace, *m_analysis, at), m_analysis->program()));
    if (role == kExportRole)
        return exported(at, column);
    return {};
}

QVariant EventsModel::shown(EventIndex at, int column) const
{
    const CopyInfo* copy = m_trace->copy(at);
    switch (column) {
        case Start:
            return durationText(m_trace->columns().startNs[at.index()]);
        case Duration:
            return durationText(m_trace->columns().durationNs[at.index()]);
        case Name:
            return text(m_trace->name(at));
        case Kind:
            return text(kindName(m_trace->kind(at)));
        case Track:
            return text(m_trace->track(m_trace->trackOf(at)).name);
        case Bytes:
            return copy != nullptr && copy->bytes > 0 ? text(formatBytes(copy->bytes)) : QString();
        case Carries:
            return m_analysis && isCopy(m_trace->kind(at)) ? text(copyRoleName(roleOf(*m_trace, *m_analysis, at)))
                                                           : QString();
        case Why: {
            const auto why = firstReason(*m_trace, m_analysis.get(), at);
            return why ? text(causeName(*why)) : QString();
        }
        default:
            return copy != nullptr ? memoryText(*copy, u" → "_s) : QString();
    }
}

QVariant EventsModel::exported(EventIndex at, int column) const
{
    const CopyInfo* copy = m_trace->copy(at);
    switch (column) {
        case Start:
            return static_cast<qlonglong>(m_trace->columns().startNs[at.index()]);
        case Duration:
            return static_cast<qlonglong>(m_trace->columns().durationNs[at.index()]);
        case Bytes:
            return copy != nullptr && copy->bytes > 0 ? QVariant(static_cast<qlonglong>(copy->bytes)) : QVariant();
        case Memory:
            return copy != nullptr ? memoryText(*copy, u" to "_s) : QString();
        default:
            return shown(at, column);
    }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return text(kHeaders[static_cast<std::size_t>(section)]);
    if (role == kExportRole)
        return QString::fromLatin1(kExportedHeaders[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole && (section == Name || section == Kind || section == Track || section == Memory ||
                                          section == Carries || section == Why))
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

}  // namespace overlane
