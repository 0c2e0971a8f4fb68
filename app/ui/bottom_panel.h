// BottomPanel: the tabs under the timeline: summary, steps, events, notes.
//
// Lives on the GUI thread; every tab follows the document.
#pragma once

#include <QTabWidget>

#include "core/base/interval.h"
#include "core/base/strong_id.h"

class QPlainTextEdit;

namespace overlane
{

class Document;
class EventsPanel;
class StepsModel;
class SummaryModel;

class BottomPanel : public QTabWidget
{
    Q_OBJECT

public:
    explicit BottomPanel(Document* document, QWidget* parent = nullptr);

    SummaryModel* summary() const { return m_summary; }
    StepsModel* steps() const { return m_steps; }
    EventsPanel* events() const { return m_events; }
    QPlainTextEdit* notes() const { return m_notes; }
    QSize sizeHint() const override { return {600, 150}; }

signals:
    void eventRequested(overlane::EventIndex event);
    void rangeRequested(overlane::Interval range);

private:
    QWidget* makeSummary();
    QWidget* makeSteps();
    QWidget* makeNotes();

    Document* m_document;
    SummaryModel* m_summary;
    StepsModel* m_steps;
    EventsPanel* m_events;
    QPlainTextEdit* m_notes;
};

}  // namespace overlane
