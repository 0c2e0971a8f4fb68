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
    m_all = {};
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
        [trace = m_trace, analysis = m_analysis, query](Progress& progress) -> Result<Answer> {
            ASSIGN_OR_RETURN(std::vector<NamedWork> work, namedWork(*trace, *analysis, query, progress));
            Table table = nameTable(work, query.group);
            return Answer{std::move(work), std::move(table)};
        },
        [this, query](Result<Answer> answer) {
            if (answer.ok()) {
                m_all = std::move(answer).value();
                m_answered = query;
                m_current = true;
                show();
            } else if (!answer.isCancelled()) {
                emit failed(text(answer.error()));
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
    // Before the first answer there are heads, too.
    Table kept{{}, m_all.work.empty() ? nameTable({}, m_answered.group).columns : m_all.table.columns, {}};
    m_kept.clear();
    for (std::size_t row = 0; row < m_all.work.size(); ++row) {
        if (m_filter && !m_filter(text(m_all.work[row].name)))
            continue;
        m_kept.push_back(row);
        kept.rows.push_back(m_all.table.rows[row]);
    }
    set(std::move(kept));
}

QVariant NamesModel::data(const QModelIndex& index, int role) const
{
    if (index.isValid() && index.column() == Share) {
        if (role == kBarRole)
            return CellTable::data(index, kExportRole);
        if (role == kBarColorRole)
            return Palette::current().kind(work(index.row()).key.kind);
    }
    return CellTable::data(index, role);
}

}  // namespace overlane
