#include "app/tables/causes_model.h"

#include "app/session/document.h"
#include "app/theme/palette.h"
#include "app/widgets/bar_delegate.h"
#include "app/widgets/data_table.h"
#include "app/widgets/explain_role.h"
#include "app/widgets/text.h"
#include "core/analysis/advice.h"
#include "core/base/units.h"
#include "core/judgement/time_parts.h"
#include "core/lessons/explanations.h"

namespace overlane
{

CausesModel::CausesModel(Of of, Document* document, QObject* parent) : CellTable(parent), m_of(of), m_document(document)
{
    connect(document->insights(), &InsightSource::changed, this, &CausesModel::refresh);
    refresh();
}

QVariant CausesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Look& look = m_looks[static_cast<std::size_t>(given(index.row()))];
    if (role == kExplainRole)
        return text(look.explained);
    if (role == kBarRole && index.column() == Share)
        return CellTable::data(index, kExportRole);
    if (role == kBarColourRole && index.column() == Share)
        return Palette::current().kind(look.drawnAs);
    return CellTable::data(index, role);
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

void CausesModel::addCopies(Table& table, const std::string& prefix, const CopySums& sums, EventKind kind)
{
    const auto& analysis = m_document->current().analysis;
    const ProgramTraits program = analysis ? analysis->program() : ProgramTraits();
    const bool toDevice = kind == EventKind::CopyH2D;
    const CopyRole role = toDevice ? m_document->insights()->insight()->verdict.carries : CopyRole::Unknown;
    std::int64_t wholeNs = 0;
    for (const CopyGroup& reason : sums.reasons)
        wholeNs += reason.exposedNs;
    for (const CopyGroup& reason : sums.reasons) {
        const double share = wholeNs > 0 ? static_cast<double>(reason.exposedNs) / static_cast<double>(wholeNs) : 0;
        table.rows.push_back(
            {{Cell{prefix + (toDevice ? "H2D: " : "D2H: ") + std::string(causeName(reason.cause))}, shareCell(share),
              durationCell(reason.exposedNs),
              Cell{formatCount(reason.copies) + " of " + formatCount(sums.copies), reason.copies}},
             std::string(causeSentence(reason.cause)) + " " + std::string(causeAdvice(reason.cause, role, program))});
        m_looks.push_back({explanationKey(reason.cause), kind});
    }
}

void CausesModel::refresh()
{
    const bool copies = m_of == Of::ExposedCopies;
    Table table{{},
                {{"reason", copies ? "Exposed copies by cause" : "GPU idle by cause", overlane::Column::Kind::Words},
                 {"share", "share"},
                 {"time_ns", "time"}},
                {}};
    if (copies)
        table.columns.push_back({"copies", "copies"});
    m_looks.clear();
    const auto& insight = m_document->insights()->insight();
    const bool shown = insight && insight->kernelsKnown;
    for (const DeviceJudgement& device : shown ? insight->devices : std::vector<DeviceJudgement>()) {
        const std::int32_t id = device.figures.id;
        const std::string prefix = insight->devices.size() < 2 ? ""
                                   : id < 0                    ? "GPU not named, "
                                                               : "GPU " + std::to_string(id) + ", ";
        if (copies) {
            addCopies(table, prefix, device.toDevice, EventKind::CopyH2D);
            addCopies(table, prefix, device.toHost, EventKind::CopyD2H);
            continue;
        }
        const std::vector<TimePart> parts = timeParts(*insight, device.figures);
        const Table times = timeTable(*insight, device.figures).picked({"cause", "share", "time_ns"});
        for (std::size_t at = 0; at < parts.size(); ++at) {
            if (!parts[at].cause)
                continue;
            table.rows.push_back(times.rows[at]);
            table.rows.back().cells.front().text.insert(0, prefix);
            m_looks.push_back({explanationKey(*parts[at].cause), parts[at].drawnAs()});
        }
    }
    set(std::move(table));
}

}  // namespace overlane
