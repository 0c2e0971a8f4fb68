#include "app/second/compare_panel.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/second/compare_source.h"
#include "app/session/document.h"
#include "app/widgets/cell_table.h"
#include "app/widgets/data_table.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/flat_button.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

// Names are this wide at first.
constexpr int kFigureChars = 28;
constexpr int kWorkChars = 40;
constexpr int kFiguresPx = 605;  // until they are there

}  // namespace

ComparePanel::ComparePanel(CompareSource* source, Document* document, QWidget* parent)
    : QWidget(parent),
      m_source(source),
      m_document(document),
      m_sentence(new ElidedLabel(this)),
      m_copy(flatButton(u"Copy as text"_s, "compareCopy", u"Copy the sentence and every table as text"_s, this)),
      m_figureCells(new CellTable(this)),
      m_kernelCells(new CellTable(this)),
      m_copyCells(new CellTable(this)),
      m_findingCells(new CellTable(this)),
      m_figures(makeTable("compareFigures", m_figureCells, u"Figures of A and B"_s)),
      m_kernels(makeTable("compareKernels", m_kernelCells, u"Kernels of A and B"_s)),
      m_copies(makeTable("compareCopies", m_copyCells, u"Copies of A and B"_s)),
      m_findings(makeTable("compareFindings", m_findingCells, u"Findings of A and B"_s)),
      m_tabs(new QTabWidget(this))
{
    setObjectName("comparePanel");
    m_sentence->setObjectName("compareSentence");
    auto* other = flatButton(u"Another file \u2026"_s, "compareOther", u"Compare with another file"_s, this);
    auto* close = flatButton(u"Close"_s, "compareClose", u"Take the other trace away"_s, this);
    auto* why = flatButton(u"How"_s, "compareHow", u"What is compared, and when a difference is claimed"_s, this);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 1, 4, 0);
    head->addWidget(m_sentence, 1);
    for (QToolButton* made : {m_copy, other, why, close})
        head->addWidget(made);

    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_kernels, u"Kernels"_s);
    m_tabs->addTab(m_copies, u"Copies"_s);
    m_tabs->addTab(m_findings, u"Findings"_s);
    auto* across = new QSplitter(Qt::Horizontal, this);
    m_across = across;
    connect(across, &QSplitter::splitterMoved, this, [this] { m_sharedByHand = true; });
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparePanel::fitSeen);
    across->setChildrenCollapsible(false);
    across->addWidget(m_figures);
    across->addWidget(m_tabs);
    // The figures take what they need once they are there; the rest is for the longer tables.
    across->setStretchFactor(0, 0);
    across->setStretchFactor(1, 1);
    across->setSizes({kFiguresPx, 2 * kFiguresPx});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(across, 1);

    connect(m_copy, &QToolButton::clicked, this, [this] {
        if (m_source->answer())
            QApplication::clipboard()->setText(comparisonPlain(*m_source->answer()));
    });
    connect(other, &QToolButton::clicked, this, &ComparePanel::openRequested);
    connect(close, &QToolButton::clicked, this, &ComparePanel::closeRequested);
    connect(why, &QToolButton::clicked, this, [this] { emit helpRequested(u"compare"_s, {}); });
    for (const auto& [table, cells, kind] : {std::tuple(m_kernels, m_kernelCells, WorkKind::Kernels),
                                             std::tuple(m_copies, m_copyCells, WorkKind::Copies)}) {
        const auto ask = [this, model = cells, asked = kind](const QModelIndex& index) {
            if (index.isValid())
                emit workRequested(asked, model->given(index.row()));
        };
        connect(table, &QTableView::clicked, this, ask);
        connect(table, &QTableView::activated, this, ask);
        table->setToolTip(u"A click goes to the first of these in both timelines"_s);
    }
    connect(m_source, &CompareSource::changed, this, &ComparePanel::refresh);
    refresh();
}

DataTable* ComparePanel::makeTable(const QString& name, CellTable* model, const QString& accessible)
{
    auto* table = new DataTable(name, model, this);
    connect(table, &DataTable::failed, m_document, &Document::failed);
    table->setAccessibleName(accessible);
    QHeaderView* header = table->horizontalHeader();
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::DescendingOrder);
    table->setSortingEnabled(true);
    return table;
}

QString ComparePanel::sentence() const
{
    return m_sentence->text();
}

void ComparePanel::refresh()
{
    const auto& answer = m_source->answer();
    m_copy->setEnabled(answer != nullptr);
    if (!m_source->active())
        m_sentence->setText(u"Nothing to compare with yet."_s);
    else if (!m_source->error().isEmpty())
        m_sentence->setText(m_source->error());
    else if (answer)
        m_sentence->setText(text(answer->comparison.sentence));
    else
        m_sentence->setText(m_document->trace() ? u"Comparing \u2026"_s : u"Open the trace to compare with."_s);
    const bool shown = answer && m_source->error().isEmpty();
    const auto fill = [this](CellTable* model, DataTable* table, const Table& content) {
        model->set(content);
        fit(table);
    };
    const ComparedTables tables = shown ? shownTables(*answer) : ComparedTables{};
    fill(m_figureCells, m_figures, tables.figures);
    fill(m_kernelCells, m_kernels, tables.kernels);
    fill(m_copyCells, m_copies, tables.copies);
    fill(m_findingCells, m_findings, tables.findings);
    shareWidth();
    m_kernels->setEmptyText(shown ? u"Neither trace has kernels in what is compared."_s : QString());
    m_copies->setEmptyText(shown ? u"Neither trace has copies in what is compared."_s : QString());
    m_findings->setEmptyText(shown ? u"No rule found anything in either trace."_s : QString());
    if (!shown)
        return;
    const auto count = [](const std::vector<FindingChange>& all, FindingFate fate) {
        return std::count_if(all.begin(), all.end(), [fate](const FindingChange& one) { return one.fate == fate; });
    };
    m_tabs->setTabText(0, u"Kernels (%1)"_s.arg(m_kernelCells->rowCount()));
    m_tabs->setTabText(1, u"Copies (%1)"_s.arg(m_copyCells->rowCount()));
    m_tabs->setTabText(2, u"Findings (%1 gone, %2 new)"_s.arg(count(answer->findings, FindingFate::Gone))
                              .arg(count(answer->findings, FindingFate::New)));
}

void ComparePanel::fit(DataTable* table)
{
    // The width of a table that is not seen yet is none.
    m_unseen.erase(std::remove(m_unseen.begin(), m_unseen.end(), table), m_unseen.end());
    if (!table->isVisible())
        m_unseen.push_back(table);
    table->resizeColumnsToContents();
    if (table->model()->columnCount() == 0)
        return;
    const int nameChars = table == m_figures ? kFigureChars : kWorkChars;
    // Names take what is left of the width, but at least so much.
    const int othersPx = table->horizontalHeader()->length() - table->columnWidth(0);
    const int mostPx =
        std::max(nameChars * table->fontMetrics().averageCharWidth(), table->viewport()->width() - othersPx);
    table->setColumnWidth(0, std::min(table->columnWidth(0), mostPx));
}

// Claims stand in the last column of the figures.
void ComparePanel::shareWidth()
{
    const int wholePx = m_across->width();
    if (m_sharedByHand || wholePx == 0)
        return;
    const int neededPx = m_figures->horizontalHeader()->length() + m_figures->verticalScrollBar()->sizeHint().width() +
                         2 * m_figures->frameWidth();
    const int figuresPx = std::min(neededPx, wholePx / 2);
    m_across->setSizes({figuresPx, wholePx - figuresPx});
}

void ComparePanel::fitSeen()
{
    const std::vector<DataTable*> unseen = m_unseen;
    for (DataTable* table : unseen)
        if (table->isVisible())
            fit(table);
    shareWidth();
}

void ComparePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    fitSeen();
}

void ComparePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    shareWidth();
}

}  // namespace overlane
