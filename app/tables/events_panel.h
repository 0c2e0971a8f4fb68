// EventsPanel: the table of events with its filters: name, kind, first reason of a copy, and whether only
// the selected range.
//
// Lives on the GUI thread. Fills the table only while it is visible. A query that takes long shows its
// progress and can be cancelled.
#pragma once

#include <QWidget>

#include "core/base/interval.h"
#include "core/base/strong_id.h"

class QCheckBox;
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
    explicit EventsPanel(Document* document, QWidget* parent = nullptr);

    EventsModel* model() const { return m_model; }
    DataTable* table() const { return m_table; }
    // Lists what a search found: its filters take the place of those set.
    void list(const QString& name, std::int64_t leastNs);

signals:
    void eventRequested(overlane::EventIndex event);
    void rangeRequested(overlane::Interval range);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void applyFilter();
    void showAnswer();
    void showWorking(double fraction);
    void followSelection();
    void zoomTo(EventIndex event);

    Document* m_document;
    EventsModel* m_model;
    QLineEdit* m_name;
    QComboBox* m_kind;
    QComboBox* m_why;
    DurationFilter* m_least;
    QCheckBox* m_inRange;
    QLabel* m_count;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    DataTable* m_table;
    bool m_stale = true;
    bool m_following = false;  // the current row changes because of a selection made elsewhere
};

}  // namespace overlane
