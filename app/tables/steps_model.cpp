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

namespace overlane
{

namespace
{

struct Heading {
    const char* name;
    const char* exported;
    const char* explanation;
};

const std::array kHeadings = {
    Heading{"Step", "step", "Name of the step in the trace"},
    Heading{"Start", "start_ns", "Since the start of the trace"},
    Heading{"Length", "length_ns", "From the start of the step to its end; steps may overlap"},
    Heading{"Time", "time_ns", "From the start of the step to the start of the next one: what a step costs"},
    Heading{"Mark", "mark", "Warm-up, or far slower or faster than the others"},
    Heading{"Overlap", "overlap_share", "Share of host-to-device copy time that lies under kernels"},
    Heading{"Exposed copy", "exposed_copy_ns", "Host-to-device copy time that no kernel hides"},
    Heading{"Ideal", "ideal_ns", "The longest of: copies in, copies out, kernels, the busiest loader actor"},
    Heading{"Distance", "distance", "Length divided by the ideal; 1 is perfect"},
    Heading{"Kernels busy", "kernels_busy_ns", "Union of all kernels"},
    Heading{"H2D busy", "h2d_busy_ns", "Union of all host-to-device copies"},
    Heading{"Host blocked", "host_blocked_ns", "At least one thread was held by the GPU runtime"},
};
static_assert(kHeadings.size() == StepsModel::ColumnCount);

// The number of a cell: nanoseconds, shares or ratios; -1 where there is no device.
double figure(int column, const Step& step, const Summary& summary)
{
    const auto number = [](std::int64_t value) { return static_cast<double>(value); };
    const DeviceSummary* device = summary.worst();
    switch (column) {
        case StepsModel::Name:
            return number(step.number);
        case StepsModel::Start:
            return number(step.interval.startNs);
        case StepsModel::Length:
            return number(step.interval.lengthNs());
        case StepsModel::Time:
            return number(step.timeNs);
        case StepsModel::Mark:
            return step.outlier ? 2 : step.warmUp ? 1 : 0;
        case StepsModel::HostBlocked:
            return number(summary.hostBlockedNs);
        default:
            break;
    }
    if (device == nullptr)
        return -1;
    switch (column) {
        case StepsModel::Overlap:
            return device->overlapShare;
        case StepsModel::Exposed:
            return number(device->exposedCopyNs);
        case StepsModel::Ideal:
            return number(device->idealNs);
        case StepsModel::Distance:
            return device->distance;
        case StepsModel::KernelsBusy:
            return number(device->kernelBusyNs);
        default:
            return number(device->h2dBusyNs);
    }
}

bool needsSummary(int column)
{
    return column > StepsModel::Mark;
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
        keys[i] = figure(column, steps[i], needsSummary(column) ? analysis.summarise(steps[i].interval) : Summary{});
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
        m_cached = m_document->current().analysis->summarise(step(row).interval);
        m_cachedRow = row;
    }
    return m_cached;
}

QVariant StepsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int column = index.column();
    if (role == Qt::TextAlignmentRole && column != Name && column != Mark)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && !inRange(index.row()))
        return Palette::current().mutedText;
    if (role == Qt::ForegroundRole && column == Mark && step(index.row()).outlier)
        return Palette::current().warning;
    if (role != Qt::DisplayRole && role != kExportRole)
        return {};
    const Step& row = step(index.row());
    if (column == Name)
        return text(row.name);
    if (column == Mark)
        return stepMarkText(row, m_medianNs);
    const double number = figure(column, row, needsSummary(column) ? summaryOf(index.row()) : Summary{});
    if (number < 0 && needsSummary(column))
        return role == kExportRole ? QString() : QStringLiteral("-");
    if (column == Overlap)
        return role == kExportRole ? QVariant(number) : text(formatShare(number));
    if (column == Distance) {
        if (role == kExportRole)
            return number;
        return number > 0 ? QString::number(number, 'f', 2) + QStringLiteral(" x") : QStringLiteral("-");
    }
    const auto ns = static_cast<std::int64_t>(number);
    return role == kExportRole ? QVariant(static_cast<qlonglong>(ns)) : durationText(ns);
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const Heading& heading = kHeadings[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return tr(heading.name);
        case Qt::ToolTipRole:
            return tr(heading.explanation);
        case kExportRole:
            return QString::fromLatin1(heading.exported);
        case Qt::TextAlignmentRole:
            return section == Name || section == Mark ? QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter)
                                                      : QVariant();
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
    const AnalysedTrace& current = m_document->current();
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
        tr("Sorting steps"),
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
