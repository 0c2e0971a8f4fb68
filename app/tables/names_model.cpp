#include "app/tables/names_model.h"

#include <utility>

#include "app/theme/palette.h"
#include "app/widgets/bar_delegate.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"

namespace overlane
{

void NamesModel::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analysis> analysis)
{
    m_worker.forget();
    m_trace = std::move(trace);
    m_analysis = std::move(analysis);
    m_work.clear();
    m_current = true;
    show();
}

void NamesModel::ask(const NameQuery& query)
{
    m_worker.forget();
    m_current = m_trace == nullptr || m_analysis == nullptr;
    if (m_current)
        return;
    m_worker.run(
        u"Summing by name"_s,
        [trace = m_trace, analysis = m_analysis, query](Progress& progress) {
            return namedWork(*trace, *analysis, query, progress);
        },
        [this, query](Result<std::vector<NamedWork>> work) {
            if (work.ok()) {
                m_work = std::move(work).value();
                m_answered = query;
                m_current = true;
                show();
            } else if (!work.isCancelled()) {
                emit failed(text(work.error()));
            }
            emit answered();
        });
}

void NamesModel::setNameFilter(NameFilter filter)
{
    m_filter = std::move(filter);
    show();
}

void NamesModel::show()
{
    Table all = nameTable(m_work, m_answered.group);
    Table kept{{}, std::move(all.columns), {}};
    m_kept.clear();
    for (std::size_t row = 0; row < m_work.size(); ++row) {
        if (m_filter && !m_filter(text(m_work[row].name)))
            continue;
        m_kept.push_back(row);
        kept.rows.push_back(std::move(all.rows[row]));
    }
    set(std::move(kept));
}

QVariant NamesModel::data(const QModelIndex& index, int role) const
{
    if (index.isValid() && index.column() == Share) {
        if (role == kBarRole)
            return CellTable::data(index, kExportRole);
        if (role == kBarColourRole)
            return Palette::current().kind(work(index.row()).key.kind);
    }
    return CellTable::data(index, role);
}

}  // namespace overlane
