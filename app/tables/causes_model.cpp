#include "app/tables/causes_model.h"

#include "app/session/document.h"
#include "app/theme/palette.h"
#include "app/widgets/bar_delegate.h"
#include "app/widgets/data_table.h"
#include "app/widgets/explain_role.h"
#include "app/widgets/text.h"
#include "core/judgement/copy_parts.h"
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
    if (role == kBarColorRole && index.column() == Share)
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

void CausesModel::refresh()
{
    const bool copies = m_of == Of::ExposedCopies;
    m_looks.clear();
    const auto& insight = m_document->insights()->insight();
    const Judgement none;
    const Judgement& judgement = insight && insight->kernelsKnown ? static_cast<const Judgement&>(*insight) : none;
    Table table = copies ? copiesOf(judgement, {}) : idleTimeOf(judgement, {});
    for (const DeviceJudgement& device : judgement.devices) {
        const std::int32_t id = device.figures.id;
        const std::string prefix = judgement.devices.size() < 2 ? ""
                                   : id < 0                     ? "GPU not named, "
                                                                : "GPU " + std::to_string(id) + ", ";
        Table rows = copies ? copiesOf(judgement, device) : idleTimeOf(judgement, device);
        for (Table::Row& row : rows.rows) {
            row.cells.front().text.insert(0, prefix);
            table.rows.push_back(std::move(row));
        }
    }
    set(std::move(table));
}

Table CausesModel::copiesOf(const Judgement& judgement, const DeviceJudgement& device)
{
    const auto& analysis = m_document->current().analysis;
    const std::vector<CopyPart> parts = copyParts(device, CopyChoice::Exposed);
    for (const CopyPart& part : parts)
        m_looks.push_back({explanationKey(part.group.cause), part.direction});
    Table table = copyTable(parts, judgement.verdict.carries, analysis ? analysis->program() : ProgramTraits())
                      .picked({"reason", "share", "exposed_ns", "copies"});
    table.columns.front().title = "Exposed copies by cause";
    return table;
}

Table CausesModel::idleTimeOf(const Judgement& judgement, const DeviceJudgement& device)
{
    const std::vector<TimePart> parts = timeParts(judgement, device.figures);
    Table table = timeTable(judgement, device.figures).picked({"cause", "share", "time_ns"});
    std::vector<Table::Row> idle;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        if (!parts[at].cause)
            continue;
        idle.push_back(std::move(table.rows[at]));
        m_looks.push_back({explanationKey(*parts[at].cause), parts[at].drawnAs()});
    }
    table.rows = std::move(idle);
    table.columns.front().title = "GPU idle by cause";
    return table;
}

}  // namespace overlane
