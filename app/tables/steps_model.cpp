#include "app/tables/steps_model.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "app/session/document.h"
#include "app/tables/step_figures.h"
#include "app/theme/palette.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"
#include "core/base/exact_time.h"

namespace overlane
{

namespace
{

enum class Unit : std::uint8_t { Words, Moment, Time, Share, Ratio };

// A column: what it is called, what is shown and what it is sorted by. Of several devices, Summary::worst().
struct StepColumn {
    const char* name;
    const char* exported;
    const char* explanation;
    Unit unit = Unit::Time;
    double (*ofStep)(const Step&) = nullptr;  // one of these two
    std::optional<double> (*ofSummary)(const Summary&) = nullptr;

    std::optional<double> number(const Step& step, const Analysis& analysis) const
    {
        return ofStep != nullptr ? ofStep(step) : ofSummary(analysis.summarize(step.interval));
    }
};

template <auto Member>
std::optional<double> ofWorstDevice(const Summary& summary)
{
    const DeviceSummary* device = summary.worst();
    return device != nullptr ? std::optional(static_cast<double>(device->*Member)) : std::nullopt;
}

// In the order of StepsModel::Column.
const std::array kColumns = {
    StepColumn{"Step", "step", "Name of the step in the trace", Unit::Words,
               [](const Step& step) { return static_cast<double>(step.number); }},
    StepColumn{"Start", "start_ns", "Since the start of the trace", Unit::Moment,
               [](const Step& step) { return static_cast<double>(step.interval.startNs); }},
    StepColumn{"Length", "length_ns", "From the start of the step to its end; steps may overlap", Unit::Time,
               [](const Step& step) { return static_cast<double>(step.interval.lengthNs()); }},
    StepColumn{"Time", "time_ns", "From the start of the step to the start of the next one: what a step costs",
               Unit::Time, [](const Step& step) { return static_cast<double>(step.timeNs); }},
    StepColumn{"Mark", "mark", "Warm-up, or far slower or faster than the others", Unit::Words,
               [](const Step& step) { return step.outlier  ? 2.0
                                             : step.warmUp ? 1.0
                                                           : 0.0; }},
    StepColumn{"Overlap", "overlap_share", "Share of host-to-device copy time that lies under kernels", Unit::Share,
               nullptr, ofWorstDevice<&DeviceSummary::overlapShare>},
    StepColumn{"Exposed copy", "exposed_copy_ns", "Host-to-device copy time that no kernel hides", Unit::Time, nullptr,
               ofWorstDevice<&DeviceSummary::exposedCopyNs>},
    StepColumn{"Ideal", "ideal_ns", "The longest of: copies in, copies out, kernels, the busiest loader actor",
               Unit::Time, nullptr, ofWorstDevice<&DeviceSummary::idealNs>},
    StepColumn{"Distance", "distance", "Length divided by the ideal; 1 is perfect", Unit::Ratio, nullptr,
               ofWorstDevice<&DeviceSummary::distance>},
    StepColumn{"Kernels busy", "kernels_busy_ns", "Union of all kernels", Unit::Time, nullptr,
               ofWorstDevice<&DeviceSummary::kernelBusyNs>},
    StepColumn{"H2D busy", "h2d_busy_ns", "Union of all host-to-device copies", Unit::Time, nullptr,
               ofWorstDevice<&DeviceSummary::h2dBusyNs>},
    StepColumn{"Host blocked", "host_blocked_ns", "At least one thread was blocked in the GPU runtime", Unit::Time,
               nullptr,
               [](const Summary& summary) { return std::optional(static_cast<double>(summary.hostBlockedNs)); }},
};
static_assert(kColumns.size() == StepsModel::ColumnCount);

const StepColumn& columnAt(int column)
{
    return kColumns[static_cast<std::size_t>(column)];
}

QString shownNumber(Unit unit, std::optional<double> number)
{
    if (!number || (unit == Unit::Ratio && *number <= 0))
        return u"-"_s;
    if (unit == Unit::Share)
        return text(formatShare(*number));
    if (unit == Unit::Moment)  // steps late in a trace differ in the fourth digit or beyond it
        return text(formatExactTime(static_cast<std::int64_t>(*number)));
    if (unit == Unit::Ratio)
        return QString::number(*number, 'f', 2) + u" x"_s;
    return durationText(static_cast<std::int64_t>(*number));
}

QVariant exportedNumber(Unit unit, std::optional<double> number)
{
    if (!number)
        return QString();
    return unit == Unit::Time || unit == Unit::Moment ? QVariant(static_cast<qlonglong>(*number)) : QVariant(*number);
}

Result<std::vector<std::uint32_t>> ordered(const std::vector<Step>& steps, const Analysis& analysis, int column,
                                           bool descending, Progress& progress)
{
    std::vector<double> keys(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i % 256 == 0) {
            if (progress.cancelled())
                return Error::cancelled();
            progress.report(static_cast<double>(i) / static_cast<double>(steps.size()));
        }
        keys[i] = columnAt(column).number(steps[i], analysis).value_or(-1);
    }
    std::vector<std::uint32_t> order(steps.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return descending ? keys[b] < keys[a] : keys[a] < keys[b];
    });
    return order;
}

}  // namespace

StepsModel::StepsModel(Document* document, QObject* parent) : QAbstractTableModel(parent), m_document(document)
{
    connect(document, &Document::traceChanged, this, &StepsModel::refresh);
    connect(document->selection(), &Selection::rangeChanged, this, &StepsModel::showRange);
    refresh();
}

int StepsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int StepsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const Summary& StepsModel::summaryOf(int row) const
{
    if (row != m_cachedRow) {
        m_cached = m_document->current().analysis->summarize(step(row).interval);
        m_cachedRow = row;
    }
    return m_cached;
}

QVariant StepsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const StepColumn& column = columnAt(index.column());
    if (role == Qt::TextAlignmentRole && column.unit != Unit::Words)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && !inRange(index.row()))
        return Palette::current().mutedText;
    const Step& row = step(index.row());
    if (role == Qt::ForegroundRole && index.column() == Mark && row.outlier)
        return Palette::current().warning;
    if (role != Qt::DisplayRole && role != kExportRole)
        return {};
    if (column.unit == Unit::Words)
        return index.column() == Name ? text(row.name) : stepMarkText(row, m_medianNs);
    const std::optional<double> number =
        column.ofStep != nullptr ? column.ofStep(row) : column.ofSummary(summaryOf(index.row()));
    return role == kExportRole ? exportedNumber(column.unit, number) : shownNumber(column.unit, number);
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const StepColumn& column = columnAt(section);
    switch (role) {
        case Qt::DisplayRole:
            return text(column.name);
        case Qt::ToolTipRole:
            return text(column.explanation);
        case kExportRole:
            return QString::fromLatin1(column.exported);
        case Qt::TextAlignmentRole:
            return column.unit == Unit::Words ? QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter) : QVariant();
        default:
            return {};
    }
}

void StepsModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = std::clamp(column, 0, ColumnCount - 1);
    m_descending = order == Qt::DescendingOrder;
    arrange();
}

void StepsModel::refresh()
{
    beginResetModel();
    const AnalyzedTrace& current = m_document->current();
    m_steps = current.steps.steps;
    m_medianNs = statisticsOf(m_steps).medianNs;
    m_order.resize(m_steps.size());
    std::iota(m_order.begin(), m_order.end(), 0u);
    m_cachedRow = -1;
    m_worker.forget();
    endResetModel();
    if (m_sortColumn != Start || m_descending)
        arrange();
}

bool StepsModel::inRange(int row) const
{
    const auto& range = m_document->selection()->range();
    const Interval& at = step(row).interval;
    return !range || (at.startNs >= range->startNs && at.endNs <= range->endNs);
}

void StepsModel::showRange()
{
    if (!m_order.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

void StepsModel::arrange()
{
    m_worker.forget();
    if (m_steps.empty())
        return;
    m_worker.run(
        u"Sorting steps"_s,
        [steps = m_steps, analysis = m_document->current().analysis, column = m_sortColumn, descending = m_descending](
            Progress& progress) { return ordered(steps, *analysis, column, descending, progress); },
        [this](Result<std::vector<std::uint32_t>> order) {
            if (order.ok())
                adopt(std::move(order).value());
            else if (!order.isCancelled())
                emit m_document->failed(text(order.error()));
        });
}

void StepsModel::adopt(std::vector<std::uint32_t> order)
{
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    // Selected rows follow their steps.
    std::vector<std::uint32_t> rowOf(order.size());
    for (std::uint32_t row = 0; row < order.size(); ++row)
        rowOf[order[row]] = row;
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& index : before)
        after << this->index(static_cast<int>(rowOf[m_order[static_cast<std::size_t>(index.row())]]), index.column());
    m_order = std::move(order);
    m_cachedRow = -1;
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    emit sorted();
}

}  // namespace overlane
