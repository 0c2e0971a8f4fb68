#include "app/ui/bottom_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/ui/data_table.h"
#include "app/ui/document.h"
#include "app/ui/events_panel.h"
#include "app/ui/steps_model.h"
#include "app/ui/summary_model.h"
#include "app/ui/text.h"
#include "app/ui/two_line_delegate.h"

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
    connect(m_events, &EventsPanel::rangeRequested, this, &BottomPanel::rangeRequested);
}

QWidget* BottomPanel::makeSummary()
{
    auto* page = new QWidget(this);
    auto* caption = new QLabel(page);
    caption->setContentsMargins(8, 3, 8, 0);
    auto* table = new DataTable("summaryTable", m_summary, m_document, page);
    table->setAccessibleName(tr("Summary per device"));
    table->setItemDelegate(new TwoLineDelegate(table));
    const int rowPx = 2 * table->fontMetrics().height() + 6;
    table->verticalHeader()->setDefaultSectionSize(rowPx);
    table->verticalHeader()->show();
    table->setEmptyText(tr("No GPU work in this trace."));
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(caption);
    layout->addWidget(table, 1);
    const auto refresh = [this, caption, table] {
        const Interval range = m_document->shownRange();
        if (!m_document->trace())
            caption->setText(tr("No trace is open."));
        else if (m_document->selection()->range())
            caption->setText(
                tr("Selected range: %1 from %2").arg(durationText(range.lengthNs()), durationText(range.startNs)));
        else
            caption->setText(
                tr("Whole trace: %1. Drag over the ruler to ask about a range.").arg(durationText(range.lengthNs())));
        table->resizeColumnsToContents();
        table->horizontalHeader()->setStretchLastSection(false);
    };
    connect(m_summary, &QAbstractItemModel::modelReset, caption, refresh);
    refresh();
    return page;
}

QWidget* BottomPanel::makeSteps()
{
    auto* table = new DataTable("stepsTable", m_steps, m_document, this);
    table->setAccessibleName(tr("Steps"));
    table->setEmptyText(
        tr("No whole step lies in the shown range. Steps come from profiler steps, from user ranges named step, "
           "iteration or batch with a number, and from the laboratory's batches."));
    table->setSortingEnabled(true);
    table->sortByColumn(StepsModel::Start, Qt::AscendingOrder);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    const auto request = [this](const QModelIndex& index) { emit rangeRequested(m_steps->step(index.row()).interval); };
    connect(table, &QTableView::doubleClicked, this, request);
    connect(table, &QTableView::activated, this, request);
    table->setToolTip(tr("Double-click or Enter zooms to a step; Ctrl+C copies rows"));
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
