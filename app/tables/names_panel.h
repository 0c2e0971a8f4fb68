// NamesPanel: the table of names of the shown range: what ran, how often, how long; a row's events are marked in the
// timeline and walked through one by one.
//
// Lives on the GUI thread; follows the document's trace and selected range. Sums only while it is visible, and shows
// the progress of what takes long.
#pragma once

#include <QWidget>

#include "app/session/background_worker.h"
#include "app/session/event_walk.h"
#include "core/base/interval.h"
#include "core/base/strong_id.h"
#include "core/names/named_work.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QModelIndex;
class QProgressBar;
class QToolButton;

namespace overlane
{

class DataTable;
class Document;
class DurationFilter;
class NamesModel;

class NamesPanel : public QWidget
{
    Q_OBJECT

public:
    explicit NamesPanel(Document* document, QWidget* parent = nullptr);

    NamesModel* model() const { return m_model; }
    DataTable* table() const { return m_table; }
    // The group of an event with the row of its name selected, once the sums are there. False where it has none.
    bool show(EventIndex event);
    void next() { visit(m_walk.next()); }
    void previous() { visit(m_walk.previous()); }
    // Of the row chosen last, in order of start.
    const EventWalk& walk() const { return m_walk; }

signals:
    void eventRequested(overlane::EventIndex event);
    void eventsMarked(const overlane::EventSet& events);

protected:
    void showEvent(QShowEvent* event) override;
    // Shift+Enter on the table, which knows Enter only.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeFilters();
    void makeWalk();
    void refresh();
    void askIfSeen();
    void applyFilter();
    void showAnswer();
    void showWorking(double fraction);
    void chooseRow(int row);
    void forgetWalk();
    void visit(EventIndex event);
    // Once the rows are there.
    void selectWanted();

    Document* m_document;
    NamesModel* m_model;
    QComboBox* m_group;
    QLineEdit* m_name;
    QToolButton* m_expression;
    DurationFilter* m_least;
    QLabel* m_range;
    QLabel* m_count;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QToolButton* m_previous;
    QToolButton* m_next;
    QLabel* m_place;
    DataTable* m_table;
    EventWalk m_walk;
    std::optional<WorkKey> m_wanted;  // the row to select
    bool m_stale = true;
    BackgroundWorker m_worker;  // finds the events of a row
};

}  // namespace overlane
