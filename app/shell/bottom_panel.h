// BottomPanel: the tabs under the timeline: findings, summary, steps, names, flame graph, events, notes.
//
// Lives on the GUI thread; every tab follows the document.
#pragma once

#include <vector>

#include <QTabWidget>

#include "app/timeline/event_set.h"
#include "core/base/interval.h"
#include "core/base/strong_id.h"

class QPlainTextEdit;

namespace overlane
{

class DataTable;
class Document;
class EventsPanel;
class FindingsPanel;
class FlamePanel;
class NamesPanel;
class StepsModel;
class SummaryModel;
class SummaryPage;

class BottomPanel : public QTabWidget
{
    Q_OBJECT

public:
    explicit BottomPanel(Document* document, QWidget* parent = nullptr);

    FindingsPanel* findings() const { return m_findings; }
    SummaryModel* summary() const { return m_summary; }
    SummaryPage* summaryPage() const { return m_summaryPage; }
    StepsModel* steps() const { return m_steps; }
    NamesPanel* names() const { return m_names; }
    FlamePanel* flame() const { return m_flame; }
    EventsPanel* events() const { return m_events; }
    // That of the shown tab, or the one with the focus where there are several; nullptr for none.
    DataTable* tableInSight() const;
    QPlainTextEdit* notes() const { return m_notes; }
    QSize sizeHint() const override { return {600, 150}; }
    // Of the tab that is shown, and never so much that a small screen could not hold the window.
    QSize minimumSizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;

signals:
    void eventRequested(overlane::EventIndex event);
    // The events of a chosen name; none where there is none any more.
    void eventsMarked(const overlane::EventSet& events);
    void rangeRequested(overlane::Interval range);
    // To be shown as large as it is easy to see.
    void showRequested(overlane::EventIndex event);
    void tableExported(const QString& path);
    void helpRequested(const QString& page, const QString& section);

private:
    QWidget* makeSteps();
    QWidget* makeNotes();

    Document* m_document;
    FindingsPanel* m_findings;
    SummaryModel* m_summary;
    SummaryPage* m_summaryPage;
    StepsModel* m_steps;
    NamesPanel* m_names;
    FlamePanel* m_flame;
    EventsPanel* m_events;
    QPlainTextEdit* m_notes;
};

}  // namespace overlane
