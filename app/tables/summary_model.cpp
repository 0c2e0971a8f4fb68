#include "app/tables/summary_model.h"

#include <array>

#include <QFont>
#include <QStringList>

#include "app/session/document.h"
#include "app/widgets/data_table.h"
#include "app/widgets/explain_role.h"
#include "app/widgets/text.h"
#include "app/widgets/two_line_delegate.h"
#include "core/lessons/explanations.h"

namespace overlane
{

namespace
{

struct Figure {
    const char* name;
    const char* exported;
    const char* explanation;
    QString (*text)(const DeviceSummary&, const Summary&);
    QString (*detail)(const DeviceSummary&, const Summary&);
    QVariant (*raw)(const DeviceSummary&, const Summary&);
    const char* metric;  // of a run that stands for it
    bool strong = false;
};

QVariant number(std::int64_t value)
{
    return static_cast<qlonglong>(value);
}

QString shareOf(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? text(formatShare(static_cast<double>(part) / static_cast<double>(whole))) : QString();
}

QString count(std::int64_t value)
{
    return text(formatCount(value));
}

// What the verdict, the findings and the badges of the tracks call idle.
std::int64_t withoutKernelsNs(const DeviceSummary& d)
{
    return d.wallNs - d.kernelBusyNs;
}

// "128 copies, all pageable"
QString h2dKinds(const DeviceSummary& d)
{
    if (d.h2d == 0)
        return u"no copies"_s;
    if (d.h2dPinned == d.h2d)
        return u"%1 pinned"_s.arg(count(d.h2d));
    if (d.h2dPageable == d.h2d)
        return u"%1 pageable"_s.arg(count(d.h2d));
    QStringList parts;
    if (d.h2dPinned > 0)
        parts << u"%1 pinned"_s.arg(count(d.h2dPinned));
    if (d.h2dPageable > 0)
        parts << u"%1 pageable"_s.arg(count(d.h2dPageable));
    if (d.h2dUnknown > 0)
        parts << u"%1 other"_s.arg(count(d.h2dUnknown));
    return parts.join(u", "_s);
}

// Every number of the table, in order of importance.
const std::array kFigures = {
    Figure{"Overlap", "overlap_share", "Share of host-to-device copy time that lies under kernels",
           [](const DeviceSummary& d, const Summary&) {
               return d.h2d > 0 || d.h2dBusyNs > 0 ? text(formatShare(d.overlapShare)) : u"-"_s;
           },
           [](const DeviceSummary& d, const Summary&) {
               return d.h2dBusyNs > 0 ? u"of %1"_s.arg(durationText(d.h2dBusyNs)) : u"no copies"_s;
           },
           [](const DeviceSummary& d, const Summary&) { return QVariant(d.overlapShare); }, "overlap", true},
    Figure{"Exposed copy", "exposed_copy_ns", "Host-to-device copy time that no kernel hides",
           [](const DeviceSummary& d, const Summary&) { return durationText(d.exposedCopyNs); },
           [](const DeviceSummary& d, const Summary&) { return shareOf(d.exposedCopyNs, d.wallNs); },
           [](const DeviceSummary& d, const Summary&) { return number(d.exposedCopyNs); }, "exposed", true},
    Figure{"Ideal", "ideal_ns", "The longest of: copies in, copies out, kernels, the busiest loader actor",
           [](const DeviceSummary& d, const Summary&) { return durationText(d.idealNs); },
           [](const DeviceSummary& d, const Summary&) { return u"now %1"_s.arg(durationText(d.wallNs)); },
           [](const DeviceSummary& d, const Summary&) { return number(d.idealNs); }, "ideal", true},
    Figure{"Distance", "distance", "Length of the range divided by the ideal; 1 is perfect",
           [](const DeviceSummary& d, const Summary&) {
               return d.distance > 0 ? QString::number(d.distance, 'f', 2) + u" x"_s : u"-"_s;
           },
           [](const DeviceSummary&, const Summary&) { return u"now / ideal"_s; },
           [](const DeviceSummary& d, const Summary&) { return QVariant(d.distance); }, "distance", true},
    Figure{"Kernels", "kernels_busy_ns", "Union of all kernels, its share of the range, kernels that start in it",
           [](const DeviceSummary& d, const Summary&) { return durationText(d.kernelBusyNs); },
           [](const DeviceSummary& d, const Summary&) {
               return shareOf(d.kernelBusyNs, d.wallNs) + u", "_s + count(d.kernels);
           },
           [](const DeviceSummary& d, const Summary&) { return number(d.kernelBusyNs); }, "kernels"},
    Figure{"H2D copies", "h2d_busy_ns",
           "Union of all host-to-device copies, their bytes, and the memory on the host's side of each",
           [](const DeviceSummary& d, const Summary&) {
               return durationText(d.h2dBusyNs) + u", "_s + text(formatBytes(d.h2dBytes));
           },
           [](const DeviceSummary& d, const Summary&) { return h2dKinds(d); },
           [](const DeviceSummary& d, const Summary&) { return number(d.h2dBusyNs); }, "h2d"},
    Figure{"D2H copies", "d2h_busy_ns", "Union of all device-to-host copies, copies that start in the range",
           [](const DeviceSummary& d, const Summary&) { return durationText(d.d2hBusyNs); },
           [](const DeviceSummary& d, const Summary&) {
               return d.d2h > 0 ? count(d.d2h) + u", "_s + text(formatBytes(d.d2hBytes)) : u"no copies"_s;
           },
           [](const DeviceSummary& d, const Summary&) { return number(d.d2hBusyNs); }, "d2h"},
    Figure{"No kernel", "no_kernel_ns", "Time in which no kernel runs, whatever else does, and its share of the range",
           [](const DeviceSummary& d, const Summary&) { return durationText(withoutKernelsNs(d)); },
           [](const DeviceSummary& d, const Summary&) { return shareOf(withoutKernelsNs(d), d.wallNs); },
           [](const DeviceSummary& d, const Summary&) { return number(withoutKernelsNs(d)); }, "no_kernel"},
    Figure{"Host blocked", "host_blocked_ns", "At least one thread was blocked in the GPU runtime",
           [](const DeviceSummary&, const Summary& s) { return durationText(s.hostBlockedNs); },
           [](const DeviceSummary&, const Summary& s) { return shareOf(s.hostBlockedNs, s.range.lengthNs()); },
           [](const DeviceSummary&, const Summary& s) { return number(s.hostBlockedNs); }, "host_blocked"},
};
static_assert(kFigures.size() == SummaryModel::ColumnCount);

QString explainedBy(int column)
{
    return text(metricExplanationKey(kFigures[static_cast<std::size_t>(column)].metric));
}

}  // namespace

SummaryModel::SummaryModel(Document* document, QObject* parent) : QAbstractTableModel(parent), m_document(document)
{
    connect(document, &Document::traceChanged, this, &SummaryModel::refresh);
    connect(document->selection(), &Selection::rangeChanged, this, &SummaryModel::refresh);
    refresh();
}

// Figures run across, devices down: most traces have one or a few devices, and the dock is wide.
int SummaryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_summary.devices.size());
}

int SummaryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kFigures.size());
}

QVariant SummaryModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Figure& figure = kFigures[static_cast<std::size_t>(index.column())];
    const DeviceSummary& device = m_summary.devices[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole)
        return figure.text(device, m_summary);
    if (role == kDetailRole)
        return figure.detail(device, m_summary);
    if (role == kExportRole)
        return figure.raw(device, m_summary);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return text(figure.explanation);
    if (role == kExplainRole)
        return explainedBy(index.column());
    if (role == Qt::FontRole && figure.strong) {
        QFont font;
        font.setBold(true);
        return font;
    }
    return {};
}

QVariant SummaryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal) {
        const Figure& figure = kFigures[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole)
            return text(figure.name);
        if (role == kExportRole)
            return QString::fromLatin1(figure.exported);
        if (role == kExplainRole)
            return explainedBy(section);
        return role == Qt::ToolTipRole ? QVariant(text(figure.explanation)) : QVariant();
    }
    if (role != Qt::DisplayRole || section >= static_cast<int>(m_summary.devices.size()))
        return {};
    const DeviceSummary& device = m_summary.devices[static_cast<std::size_t>(section)];
    return device.id < 0 ? u"GPU not named"_s : u"GPU %1"_s.arg(device.id);
}

void SummaryModel::refresh()
{
    beginResetModel();
    const Judgement* judgement = m_document->judgement();
    m_summary = judgement ? judgement->summary : Summary{};
    endResetModel();
}

}  // namespace overlane
