#include "app/shell/bottom_panel.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTabBar>

#include "app/findings/findings_panel.h"
#include "app/session/document.h"
#include "app/tables/events_panel.h"
#include "app/tables/flame_panel.h"
#include "app/tables/names_panel.h"
#include "app/tables/steps_model.h"
#include "app/tables/steps_page.h"
#include "app/tables/summary_model.h"
#include "app/tables/summary_page.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"

namespace overlane
{

BottomPanel::BottomPanel(Document* document, QWidget* parent)
    : QTabWidget(parent),
      m_document(document),
      m_findings(new FindingsPanel(document, this)),
      m_summary(new SummaryModel(document, this)),
      m_summaryPage(new SummaryPage(m_summary, document, this)),
      m_steps(new StepsModel(document, this)),
      m_names(new NamesPanel(document, this)),
      m_flame(new FlamePanel(document, this)),
      m_events(new EventsPanel(document, this)),
      m_notes(new QPlainTextEdit(this))
{
    setDocumentMode(true);
    setTabPosition(QTabWidget::South);
    connect(this, &QTabWidget::currentChanged, this, [this] { updateGeometry(); });
    addTab(m_findings, u"Findings"_s);
    addTab(m_summaryPage, u"Summary"_s);
    addTab(makeSteps(), u"Steps"_s);
    addTab(m_names, u"By name"_s);
    addTab(m_flame, u"Flame graph"_s);
    addTab(m_events, u"Events"_s);
    addTab(makeNotes(), u"Notes"_s);
    connect(m_findings, &FindingsPanel::showRequested, this, &BottomPanel::showRequested);
    connect(m_findings, &FindingsPanel::whyRequested, this, &BottomPanel::helpRequested);
    connect(m_names, &NamesPanel::eventsMarked, this, &BottomPanel::eventsMarked);
    connect(m_flame, &FlamePanel::eventsMarked, this, &BottomPanel::eventsMarked);
    connect(m_events, &EventsPanel::eventRequested, this, &BottomPanel::eventRequested);
    connect(m_events, &EventsPanel::rangeRequested, this, &BottomPanel::rangeRequested);
    for (const DataTable* table : findChildren<DataTable*>())
        connect(table, &DataTable::exported, this, &BottomPanel::tableExported);
}

DataTable* BottomPanel::tableInSight() const
{
    DataTable* first = nullptr;
    for (DataTable* table : currentWidget()->findChildren<DataTable*>()) {
        if (table->hasFocus())
            return table;
        if (first == nullptr && table->isVisible())
            first = table;
    }
    return first;
}

// What a row of a table selected is dropped there as well as in the lanes.
void BottomPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && qobject_cast<QAbstractItemView*>(QApplication::focusWidget()) != nullptr)
        m_document->selection()->clear();
    else
        QTabWidget::keyPressEvent(event);
}

QSize BottomPanel::minimumSizeHint() const
{
    const QSize page = currentWidget() != nullptr ? currentWidget()->minimumSizeHint() : QSize(0, 0);
    return {page.width(), tabBar()->sizeHint().height() + page.height()};
}

QWidget* BottomPanel::makeSteps()
{
    auto* page = new StepsPage(m_steps, m_document, this);
    page->setObjectName("stepsPage");
    connect(page, &StepsPage::rangeRequested, this, &BottomPanel::rangeRequested);
    return page;
}

QWidget* BottomPanel::makeNotes()
{
    m_notes->setObjectName("notes");
    m_notes->setAccessibleName(u"Notes"_s);
    m_notes->setPlaceholderText(u"Your own text about this trace. It is saved inside the .overlane file."_s);
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setTabChangesFocus(true);
    connect(m_notes, &QPlainTextEdit::textChanged, this, [this] { m_document->setNotes(m_notes->toPlainText()); });
    connect(m_document, &Document::notesChanged, this, [this] {
        const QSignalBlocker quiet(m_notes);
        m_notes->setPlainText(m_document->notes());
    });
    return m_notes;
}

}  // namespace overlane
