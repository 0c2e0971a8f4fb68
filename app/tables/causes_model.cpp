#include "app/tables/causes_model.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "app/session/document.h"
#include "app/theme/palette.h"
#include "app/widgets/bar_delegate.h"
#include "app/widgets/data_table.h"
#include "app/widgets/explain_role.h"
#include "app/widgets/text.h"
#include "core/analysis/advice.h"
#include "core/analysis/cause_table.h"
#include "core/lessons/explanations.h"

namespace overlane
{

CausesModel::CausesModel(Of of, Document* document, QObject* parent)
    : QAbstractTableModel(parent), m_of(of), m_document(document)
{
    connect(document->insights(), &InsightSource::changed, this, &CausesModel::refresh);
    refresh();
}

int CausesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CausesModel::columnCount(const QModelIndex& parent) const
{
    if (parent.isValid())
        return 0;
    return m_of == Of::ExposedCopies ? ColumnCount : ColumnCount - 1;
}

QVariant CausesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::ToolTipRole)
        return row.explanation;
    if (role == kExplainRole)
        return text(row.explained);
    if (role == Qt::TextAlignmentRole && column != What)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == kBarRole && column == Share)
        return row.share;
    if (role == kBarColourRole && column == Share)
        return Palette::current().kind(row.colour);
    if (role != Qt::DisplayRole && role != kExportRole)
        return {};
    const bool raw = role == kExportRole;
    switch (column) {
        case What:
            return row.what;
        case Share:
            return raw ? QVariant(row.share) : text(formatShare(row.share));
        case Time:
            return raw ? QVariant(static_cast<qlonglong>(row.timeNs)) : durationText(row.timeNs);
        default:
            return raw ? QVariant(static_cast<qlonglong>(row.count))
                       : u"%1 of %2"_s.arg(text(formatCount(row.count)), text(formatCount(row.of)));
    }
}

QVariant CausesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const bool copies = m_of == Of::ExposedCopies;
    if (role == Qt::TextAlignmentRole && section == What)
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == kExportRole) {
        static constexpr std::array kExported = {"reason", "share", "time_ns", "copies"};
        return QString::fromLatin1(kExported[static_cast<std::size_t>(section)]);
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case What:
            return copies ? u"Exposed copies by cause"_s : u"GPU idle by cause"_s;
        case Share:
            return u"Share"_s;
        case Time:
            return u"Time"_s;
        default:
            return u"Copies"_s;
    }
}

QString CausesModel::emptyText() const
{
    const auto& insight = m_document->insights()->insight();
    if (!insight)
        return {};
    if (!insight->kernelsKnown)
        return u"The kernels were not recorded."_s;
    return m_of == Of::ExposedCopies ? u"No copy is exposed in this range."_s : u"Kernels fill the whole range."_s;
}

void CausesModel::addCopies(const QString& prefix, const CopySums& sums, const QString& direction, EventKind kind)
{
    const auto& analysis = m_document->current().analysis;
    const ProgramTraits program = analysis ? analysis->program() : ProgramTraits();
    const auto& insight = m_document->insights()->insight();
    const CopyRole role = insight && kind == EventKind::CopyH2D ? insight->verdict.carries : CopyRole::Unknown;
    std::int64_t wholeNs = 0;
    for (const CopyGroup& reason : sums.reasons)
        wholeNs += reason.exposedNs;
    for (const CopyGroup& reason : sums.reasons) {
        Row row;
        row.what = u"%1%2: %3"_s.arg(prefix, direction, text(causeName(reason.cause)));
        row.explanation = text(causeSentence(reason.cause)) + ' ' + text(causeAdvice(reason.cause, role, program));
        row.explained = explanationKey(reason.cause);
        row.colour = kind;
        row.timeNs = reason.exposedNs;
        row.count = reason.copies;
        row.of = sums.copies;
        row.share = wholeNs > 0 ? static_cast<double>(reason.exposedNs) / static_cast<double>(wholeNs) : 0;
        m_rows.push_back(row);
    }
}

void CausesModel::refresh()
{
    beginResetModel();
    m_rows.clear();
    const auto& insight = m_document->insights()->insight();
    const bool shown = insight && insight->kernelsKnown;
    for (const DeviceJudgement& device : shown ? insight->devices : std::vector<DeviceJudgement>()) {
        const QString prefix = insight->devices.size() < 2 ? QString()
                               : device.device < 0         ? u"GPU not named, "_s
                                                           : u"GPU %1, "_s.arg(device.device);
        if (m_of == Of::ExposedCopies) {
            addCopies(prefix, device.toDevice, u"H2D"_s, EventKind::CopyH2D);
            addCopies(prefix, device.toHost, u"D2H"_s, EventKind::CopyD2H);
            continue;
        }
        const auto first = static_cast<std::ptrdiff_t>(m_rows.size());
        for (std::size_t i = 0; i < device.lostNs.size(); ++i) {
            if (device.lostNs[i] == 0)
                continue;
            const auto cause = static_cast<LostCause>(i);
            Row row;
            row.what = prefix + text(lostCauseName(cause));
            row.explanation =
                u"%1 of %2 without a kernel"_s.arg(durationText(device.lostNs[i]), durationText(device.idleNs()));
            row.explained = explanationKey(cause);
            row.colour = rowOf(cause).drawnAs;
            row.timeNs = device.lostNs[i];
            row.share =
                static_cast<double>(device.lostNs[i]) / static_cast<double>(std::max<std::int64_t>(1, device.idleNs()));
            m_rows.push_back(row);
        }
        std::stable_sort(m_rows.begin() + first, m_rows.end(),
                         [](const Row& a, const Row& b) { return a.timeNs > b.timeNs; });
    }
    endResetModel();
}

}  // namespace overlane
