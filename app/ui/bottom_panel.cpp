#include "app/ui/bottom_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include "app/ui/document.h"
#include "app/ui/events_panel.h"
#include "app/ui/steps_model.h"
#include "app/ui/summary_model.h"
#include "app/ui/tables.h"
#include "app/ui/text.h"

namespace overlane
{

BottomPanel::BottomPanel(Document* document, QWidget* parent)
    : QTabWidget(parent),
      m_document(document),
      m_summary(new SummaryModel(document, this)),
      m_steps(new StepsModel(document, this)),
      m_events(new EventsPanel(document, this)),
      m_notes(new QPlainTextEdit(this))
{
    setDocumentMode(true);
    addTab(makeSummary(), tr("Summary"));
    addTab(makeSteps(), tr("Steps"));
    addTab(m_events, tr("Events"));
    addTab(makeNotes(), tr("Notes"));
    connect(m_events, &EventsPanel::eventRequested, this, &BottomPanel::eventRequested);
}

QWidget* BottomPanel::makeSummary()
{
    auto* page = new QWidget(this);
    auto* caption = new QLabel(page);
    caption->setContentsMargins(8, 3, 8, 0);
    auto* table = new QTableView(page);
    table->setObjectName("summaryTable");
    table->setAccessibleName(tr("Summary per device"));
    setUpTable(table, m_summary);
    table->verticalHeader()->show();
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(caption);
    layout->addWidget(table, 1);
    const auto refresh = [this, caption, table] {
        const Interval range = m_document->shownRange();
        caption->setText(
            m_document->selection()->range()
                ? tr("Selected range: %1 from %2").arg(durationText(range.lengthNs()), durationText(range.startNs))
                : tr("Whole trace: %1. Drag over the ruler to ask about a range.").arg(durationText(range.lengthNs())));
        table->resizeColumnsToContents();
    };
    connect(m_summary, &QAbstractItemModel::modelReset, caption, refresh);
    refresh();
    return page;
}

QWidget* BottomPanel::makeSteps()
{
    auto* table = new QTableView(this);
    table->setObjectName("stepsTable");
    table->setAccessibleName(tr("Steps"));
    setUpTable(table, m_steps);
    const auto request = [this](const QModelIndex& index) { emit rangeRequested(m_steps->step(index.row()).interval); };
    connect(table, &QTableView::doubleClicked, this, request);
    connect(table, &QTableView::activated, this, request);
    table->setToolTip(tr("Double-click or Enter zooms to a step"));
    return table;
}

QWidget* BottomPanel::makeNotes()
{
    m_notes->setObjectName("notes");
    m_notes->setAccessibleName(tr("Notes"));
    m_notes->setPlaceholderText(tr("Your own text about this trace. It is saved inside the .overlane file."));
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
