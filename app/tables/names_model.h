// NamesModel: what ran in a range, summed by name, one row for each name.
//
// Lives on the GUI thread, which neither sums nor words the figures: a worker answers, and until it has, the rows of
// the last answer stay (those of another trace go at once). A filter of names applies to the answer that is there, in
// sight at once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/session/background_worker.h"
#include "app/widgets/cell_table.h"
#include "core/names/named_work.h"

namespace overlane
{

class NamesModel : public CellTable
{
    Q_OBJECT

public:
    enum Column { Name, Share };
    using NameFilter = std::function<bool(const QString& name)>;

    using CellTable::CellTable;

    // Null for no trace. The analysis is of the trace.
    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analysis> analysis);
    void ask(const NameQuery& query);
    // Empty for every name.
    void setNameFilter(NameFilter filter);

    // Of the row shown in this place.
    const NamedWork& work(int row) const { return m_all.work[m_kept[static_cast<std::size_t>(given(row))]]; }
    // Of the answer, without the filter.
    std::size_t allRows() const { return m_all.work.size(); }
    // What the rows were asked for by.
    const NameQuery& query() const { return m_answered; }
    // Whether the rows are the answer to what was asked last.
    bool current() const { return m_current; }
    BackgroundWorker* worker() { return &m_worker; }
    void cancel() { m_worker.cancel(); }

    QVariant data(const QModelIndex& index, int role) const override;

signals:
    void answered();  // new rows, or none because the sums were cancelled or failed
    void failed(const QString& sentence);

private:
    struct Answer {
        std::vector<NamedWork> work;
        Table table;  // a row for each
    };
    void show();

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const Analysis> m_analysis;
    NameQuery m_answered;
    NameFilter m_filter;
    Answer m_all;                     // without the filter
    std::vector<std::size_t> m_kept;  // places in it of the rows as given
    bool m_current = true;
    BackgroundWorker m_worker;
};

}  // namespace overlane
