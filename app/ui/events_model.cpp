#include "app/ui/events_model.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "app/ui/text.h"

namespace overlane
{

namespace
{

const std::array kHeaders = {"Start", "Duration", "Name", "Kind", "Track", "Bytes", "Memory"};

std::int64_t bytesOf(const Trace& trace, EventIndex event)
{
    const CopyInfo* copy = trace.copy(event);
    return copy != nullptr ? copy->bytes : -1;
}

// The place of each distinct name in alphabetical order.
std::vector<std::uint32_t> nameRanks(const StringPool& strings)
{
    std::vector<std::uint32_t> order(strings.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return strings.view(StringId(a)) < strings.view(StringId(b)); });
    std::vector<std::uint32_t> ranks(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        ranks[order[i]] = i;
    return ranks;
}

}  // namespace

std::vector<EventIndex> eventsNamed(const Trace& trace, const QString& wanted, std::optional<EventKind> kind,
                                    std::optional<Interval> range)
{
    std::vector<char> matches(trace.strings().size());
    for (std::size_t i = 0; i < matches.size(); ++i)
        matches[i] = text(trace.strings().view(StringId(i))).contains(wanted, Qt::CaseInsensitive) ? 1 : 0;
    const EventColumns& columns = trace.columns();
    std::vector<EventIndex> found;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (kind && columns.kind[i] != *kind)
            continue;
        if (!wanted.isEmpty() && (!columns.name[i].valid() || matches[columns.name[i].index()] == 0))
            continue;
        const EventIndex event(i);
        if (range && !range->overlaps(trace.interval(event)) && !range->contains(columns.startNs[i]))
            continue;
        found.push_back(event);
    }
    return found;
}

EventsModel::EventsModel(QObject* parent) : QAbstractTableModel(parent) {}

void EventsModel::setTrace(std::shared_ptr<const Trace> trace)
{
    m_trace = std::move(trace);
    rebuild();
}

void EventsModel::setFilter(const QString& name, std::optional<EventKind> kind, std::optional<Interval> range)
{
    m_name = name;
    m_kind = kind;
    m_range = range;
    rebuild();
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
    if (role == Qt::TextAlignmentRole && (column == Start || column == Duration || column == Bytes))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const EventIndex at = event(index.row());
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
        default:
            return copy != nullptr ? text(memoryKindName(copy->source)) + QStringLiteral(" → ") +
                                         text(memoryKindName(copy->destination))
                                   : QString();
    }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return tr(kHeaders[static_cast<std::size_t>(section)]);
}

void EventsModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    beginResetModel();
    sortRows();
    endResetModel();
}

void EventsModel::rebuild()
{
    beginResetModel();
    m_rows = m_trace ? eventsNamed(*m_trace, m_name, m_kind, m_range) : std::vector<EventIndex>();
    sortRows();
    endResetModel();
}

void EventsModel::sortRows()
{
    if (!m_trace)
        return;
    const EventColumns& columns = m_trace->columns();
    const bool descending = m_sortOrder == Qt::DescendingOrder;
    const auto by = [&](auto key) {
        std::stable_sort(m_rows.begin(), m_rows.end(),
                         [&](EventIndex a, EventIndex b) { return descending ? key(b) < key(a) : key(a) < key(b); });
    };
    switch (m_sortColumn) {
        case Duration:
            by([&](EventIndex e) { return columns.durationNs[e.index()]; });
            break;
        case Name: {
            const std::vector<std::uint32_t> ranks = nameRanks(m_trace->strings());
            by([&](EventIndex e) {
                const StringId name = columns.name[e.index()];
                return name.valid() ? ranks[name.index()] : 0;
            });
            break;
        }
        case Kind:
            by([&](EventIndex e) { return columns.kind[e.index()]; });
            break;
        case Track:  // events lie in the order of their tracks
            by([](EventIndex e) { return e.index(); });
            break;
        case Bytes:
            by([&](EventIndex e) { return bytesOf(*m_trace, e); });
            break;
        case Memory:
            by([&](EventIndex e) {
                const CopyInfo* copy = m_trace->copy(e);
                return copy != nullptr ? static_cast<int>(copy->source) * 16 + static_cast<int>(copy->destination) : -1;
            });
            break;
        default:
            by([&](EventIndex e) { return columns.startNs[e.index()]; });
            break;
    }
}

}  // namespace overlane
