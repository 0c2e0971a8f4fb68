// EventsPanel: the table of events with its filters: name, kind, first reason of a copy, and where: the whole trace,
// the selected range, or what is in sight, times and lanes, which it then follows.
//
// Lives on the GUI thread. Fills the table only while it is visible. A query that takes long shows its
// progress and can be cancelled.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "core/base/interval.h"
#include "core/base/strong_id.h"
#include "core/trace/trace.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QToolButton;

namespace overlane
{

class DataTable;
class Document;
class DurationFilter;
class EventsModel;

class EventsPanel : public QWidget
{
    Q_OBJECT

public:
    enum class Where : std::uint8_t { WholeTrace, SelectedRange, InSight };

    explicit EventsPanel(Document* document, QWidget* parent = nullptr);

    // Asked for the events of the lanes that are in sight; without it all lanes are.
    using RowsInSight = std::function<std::vector<EventRange>()>;
    void setRowsInSight(RowsInSight rows) { m_rowsInSight = std::move(rows); }
    // Other lanes may be in sight.
    void followSight();

    EventsModel* model() const { return m_model; }
    DataTable* table() const { return m_table; }
    // Lists what a search found: its filters take the place of those set.
    void list(const QString& name, std::int64_t leastNs);
    // Lists what is in sight, whatever was filtered before, and takes the focus.
    void listInSight();

signals:
    void eventRequested(overlane::EventIndex event);
    void rangeRequested(overlane::Interval range);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void filterAnew();
    void applyFilter();
    void sortBy(int column);
    void showAnswer();
    void showWorking(double fraction);
    void followSelection();
    void zoomTo(EventIndex event);
    Where where() const;
    void setWhere(Where where);
    std::optional<Interval> listedRange() const;

    Document* m_document;
    EventsModel* m_model;
    QLineEdit* m_name;
    QComboBox* m_kind;
    QComboBox* m_why;
    DurationFilter* m_least;
    QComboBox* m_where;
    QLabel* m_count;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    DataTable* m_table;
    bool m_stale = true;
    RowsInSight m_rowsInSight;
    QTimer m_moved;            // runs until what is in sight rests
    int m_sortedBy = 0;        // the column
    bool m_following = false;  // the current row changes because of a selection made elsewhere
    bool m_toTop = false;      // another order was asked for, and its first rows are what is looked for
    bool m_filtered = false;   // other rows were asked for
};

}  // namespace overlane
