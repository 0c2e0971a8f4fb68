#include "app/tables/summary_page.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/tables/causes_model.h"
#include "app/tables/summary_model.h"
#include "app/widgets/bar_delegate.h"
#include "app/widgets/data_table.h"
#include "app/widgets/text.h"
#include "app/widgets/two_line_delegate.h"

namespace overlane
{

SummaryPage::SummaryPage(SummaryModel* model, Document* document, QWidget* parent)
    : QScrollArea(parent),
      m_document(document),
      m_copies(new CausesModel(CausesModel::Of::ExposedCopies, document, this)),
      m_idle(new CausesModel(CausesModel::Of::IdleTime, document, this)),
      m_caption(new QLabel)
{
    auto* content = new QWidget;
    content->setAutoFillBackground(true);
    content->setBackgroundRole(QPalette::Base);
    m_caption->setContentsMargins(8, 3, 8, 0);
    auto* table = new DataTable("summaryTable", model, content);
    m_devices = table;
    table->installEventFilter(this);
    connect(table, &DataTable::failed, document, &Document::failed);
    table->setAccessibleName(u"Summary per device"_s);
    table->setItemDelegate(new TwoLineDelegate(table));
    const int rowPx = 2 * table->fontMetrics().height() + 6;
    table->verticalHeader()->setDefaultSectionSize(rowPx);
    table->verticalHeader()->show();
    table->setEmptyText(u"No GPU work in this trace."_s);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    table->horizontalHeader()->setStretchLastSection(false);
    auto* causes = new QHBoxLayout;
    causes->setContentsMargins(0, 6, 0, 0);
    causes->setSpacing(14);
    causes->addWidget(makeCauses("copyCausesTable", u"Exposed copies by reason"_s, m_copies, content), 1, Qt::AlignTop);
    causes->addWidget(makeCauses("idleCausesTable", u"GPU idle by cause"_s, m_idle, content), 1, Qt::AlignTop);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 6);
    column->setSpacing(2);
    column->addWidget(m_caption);
    column->addWidget(table);
    column->addLayout(causes);
    column->addStretch(1);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(u"Summary"_s);

    const auto refresh = [this, table] {
        showCaption();
        table->resizeColumnsToContents();
        fitHeight(table);
    };
    connect(model, &QAbstractItemModel::modelReset, table, refresh);
    refresh();
}

DataTable* SummaryPage::makeCauses(const QString& name, const QString& title, CausesModel* model, QWidget* parent)
{
    auto* table = new DataTable(name, model, parent);
    connect(table, &DataTable::failed, m_document, &Document::failed);
    table->installEventFilter(this);
    table->setAccessibleName(title);
    table->setItemDelegate(new BarDelegate(table));
    table->setToolTip(u"Ctrl+C copies rows; the context menu exports them"_s);
    QHeaderView* header = table->horizontalHeader();
    header->setSectionResizeMode(CausesModel::Share, QHeaderView::Stretch);
    const auto refresh = [table, model] {
        table->setEmptyText(model->emptyText());
        fitColumns(table);
        fitHeight(table);
    };
    connect(model, &QAbstractItemModel::modelReset, table, refresh);
    refresh();
    return table;
}

// Names as long as they are, up to a part of the table; the bars take what the figures leave.
void SummaryPage::fitColumns(QTableView* table)
{
    QHeaderView* header = table->horizontalHeader();
    const QAbstractItemView* cells = table;
    for (int column = 0; column < header->count(); ++column) {
        if (column == CausesModel::Share)
            continue;
        const int neededPx = std::max(cells->sizeHintForColumn(column), header->sectionSizeHint(column));
        const int mostPx = column == CausesModel::What ? table->width() * 2 / 5 : neededPx;
        header->resizeSection(column, std::min(neededPx, mostPx));
    }
}

void SummaryPage::fitHeight(QTableView* table)
{
    const int rowPx = table->verticalHeader()->defaultSectionSize();
    const int rows = std::max(1, table->model()->rowCount());
    const QHeaderView* header = table->horizontalHeader();
    const bool scrolls = header->length() > table->width() - table->verticalHeader()->width() - 2;
    const int barPx = scrolls ? table->horizontalScrollBar()->sizeHint().height() : 0;
    table->setFixedHeight(header->sizeHint().height() + rows * rowPx + barPx + 3);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

bool SummaryPage::eventFilter(QObject* watched, QEvent* event)
{
    auto* table = event->type() == QEvent::Resize ? qobject_cast<DataTable*>(watched) : nullptr;
    if (table != nullptr && table == m_devices)
        fitHeight(table);
    else if (table != nullptr)
        fitColumns(table);
    return QScrollArea::eventFilter(watched, event);
}

void SummaryPage::showCaption()
{
    const Interval range = m_document->judgedRange();
    if (!m_document->trace())
        m_caption->setText(u"No trace is open."_s);
    else if (m_document->selection()->range())
        m_caption->setText(
            u"Selected range: %1 from %2"_s.arg(durationText(range.lengthNs()), durationText(range.startNs)));
    else if (const Interval whole = m_document->trace()->span(); range != whole)
        m_caption->setText(u"Active range: %1 of %2. Drag on the ruler to select a range."_s.arg(
            durationText(range.lengthNs()), durationText(whole.lengthNs())));
    else
        m_caption->setText(
            u"Whole trace: %1. Drag on the ruler to select a range."_s.arg(durationText(range.lengthNs())));
}

}  // namespace overlane
