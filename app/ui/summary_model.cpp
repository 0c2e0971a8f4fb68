#include "app/ui/summary_model.h"

#include <array>

#include <QFont>

#include "app/ui/document.h"
#include "app/ui/text.h"

namespace overlane
{

namespace
{

struct Figure {
    const char* name;
    const char* explanation;
    QString (*text)(const DeviceSummary&, const Summary&);
    bool strong = false;
};

QString share(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? text(formatShare(static_cast<double>(part) / static_cast<double>(whole))) : QString();
}
QString withShare(std::int64_t ns, std::int64_t wallNs)
{
    return durationText(ns) + (wallNs > 0 ? QStringLiteral("   ") + share(ns, wallNs) : QString());
}
QString copies(std::int64_t count, std::int64_t bytes)
{
    return text(formatCount(count)) + QStringLiteral("   ") + text(formatBytes(bytes));
}

// Every number of the table, in order of importance.
const std::array kFigures = {
    Figure{"Overlap", "Share of host-to-device copy time that lies under kernels",
           [](const DeviceSummary& d, const Summary&) {
               return d.h2d > 0 || d.h2dBusyNs > 0 ? text(formatShare(d.overlapShare)) : QObject::tr("no copies");
           },
           true},
    Figure{"Exposed copy", "Host-to-device copy time that no kernel hides",
           [](const DeviceSummary& d, const Summary&) { return durationText(d.exposedCopyNs); }, true},
    Figure{"Ideal", "The longest of: copies in, copies out, kernels, the busiest loader actor",
           [](const DeviceSummary& d, const Summary&) { return durationText(d.idealNs); }, true},
    Figure{"Distance", "Length of the range divided by the ideal; 1 is perfect",
           [](const DeviceSummary& d, const Summary&) {
               return d.distance > 0 ? QString::number(d.distance, 'f', 2) + QStringLiteral(" x") : QStringLiteral("-");
           },
           true},
    Figure{"Length", "Length of the range",
           [](const DeviceSummary& d, const Summary&) { return durationText(d.wallNs); }},
    Figure{"Kernels busy", "Union of all kernels, and its share of the range",
           [](const DeviceSummary& d, const Summary&) { return withShare(d.kernelBusyNs, d.wallNs); }},
    Figure{"H2D busy", "Union of all host-to-device copies",
           [](const DeviceSummary& d, const Summary&) { return withShare(d.h2dBusyNs, d.wallNs); }},
    Figure{"D2H busy", "Union of all device-to-host copies",
           [](const DeviceSummary& d, const Summary&) { return withShare(d.d2hBusyNs, d.wallNs); }},
    Figure{"Device idle", "Neither kernel, copy nor memset",
           [](const DeviceSummary& d, const Summary&) { return withShare(d.idleNs, d.wallNs); }},
    Figure{"Host blocked", "At least one thread was held by the GPU runtime",
           [](const DeviceSummary&, const Summary& s) { return withShare(s.hostBlockedNs, s.range.lengthNs()); }},
    Figure{"Kernels", "Kernels that start in the range",
           [](const DeviceSummary& d, const Summary&) { return text(formatCount(d.kernels)); }},
    Figure{"H2D copies", "Copies that start in the range, and their bytes",
           [](const DeviceSummary& d, const Summary&) { return copies(d.h2d, d.h2dBytes); }},
    Figure{"of them pinned / pageable", "By the memory on the host's side; the rest is unknown or managed",
           [](const DeviceSummary& d, const Summary&) {
               return text(formatCount(d.h2dPinned)) + " / " + text(formatCount(d.h2dPageable));
           }},
    Figure{"D2H copies", "Copies that start in the range, and their bytes",
           [](const DeviceSummary& d, const Summary&) { return copies(d.d2h, d.d2hBytes); }},
};

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
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return tr(figure.explanation);
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
            return tr(figure.name);
        return role == Qt::ToolTipRole ? QVariant(tr(figure.explanation)) : QVariant();
    }
    if (role != Qt::DisplayRole || section >= static_cast<int>(m_summary.devices.size()))
        return {};
    const DeviceSummary& device = m_summary.devices[static_cast<std::size_t>(section)];
    return device.id < 0 ? tr("GPU not named") : tr("GPU %1").arg(device.id);
}

void SummaryModel::refresh()
{
    beginResetModel();
    m_summary = m_document->summary();
    endResetModel();
}

}  // namespace overlane
