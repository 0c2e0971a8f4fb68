#include "app/ui/steps_model.h"

#include <array>

#include "app/ui/document.h"
#include "app/ui/text.h"

namespace overlane
{

namespace
{
const std::array kColumns = {"Step",  "Start",    "Length",       "Overlap",  "Exposed copy",
                             "Ideal", "Distance", "Kernels busy", "H2D busy", "Host blocked"};
}

StepsModel::StepsModel(Document* document, QObject* parent) : QAbstractTableModel(parent), m_document(document)
{
    connect(document, &Document::traceChanged, this, &StepsModel::refresh);
    connect(document->selection(), &Selection::rangeChanged, this, &StepsModel::refresh);
    refresh();
}

int StepsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_steps.size());
}

int StepsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kColumns.size());
}

QVariant StepsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && index.column() > 0)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const Step& row = step(index.row());
    switch (index.column()) {
        case 0:
            return text(row.name);
        case 1:
            return durationText(row.interval.startNs);
        case 2:
            return durationText(row.interval.lengthNs());
        default:
            break;
    }
    const Summary summary = m_document->current().analysis->summarise(row.interval);
    const DeviceSummary* device = summary.worst();
    if (device == nullptr)
        return QStringLiteral("-");
    switch (index.column()) {
        case 3:
            return text(formatShare(device->overlapShare));
        case 4:
            return durationText(device->exposedCopyNs);
        case 5:
            return durationText(device->idealNs);
        case 6:
            return device->distance > 0 ? QString::number(device->distance, 'f', 2) + " x" : QStringLiteral("-");
        case 7:
            return durationText(device->kernelBusyNs);
        case 8:
            return durationText(device->h2dBusyNs);
        default:
            return durationText(summary.hostBlockedNs);
    }
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return tr(kColumns[static_cast<std::size_t>(section)]);
}

void StepsModel::refresh()
{
    beginResetModel();
    const AnalysedTrace& current = m_document->current();
    m_steps = current.trace ? stepsWithin(current.steps, m_document->shownRange()) : std::vector<Step>();
    endResetModel();
}

}  // namespace overlane
