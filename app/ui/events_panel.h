// EventsPanel: the table of events with its filters: name, kind, and whether only the selected range.
//
// Lives on the GUI thread. Fills the table only while it is visible.
#pragma once

#include <QWidget>

#include "core/base/strong_id.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace overlane
{

class Document;
class EventsModel;

class EventsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit EventsPanel(Document* document, QWidget* parent = nullptr);

    EventsModel* model() const { return m_model; }

signals:
    void eventRequested(overlane::EventIndex event);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void applyFilter();

    Document* m_document;
    EventsModel* m_model;
    QLineEdit* m_name;
    QComboBox* m_kind;
    QCheckBox* m_inRange;
    QLabel* m_count;
    QTableView* m_table;
    bool m_stale = true;
};

}  // namespace overlane
