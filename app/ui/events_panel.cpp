#include "app/ui/events_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

#include "app/ui/document.h"
#include "app/ui/events_model.h"
#include "app/ui/tables.h"
#include "app/ui/text.h"

namespace overlane
{

EventsPanel::EventsPanel(Document* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_model(new EventsModel(this)),
      m_name(new QLineEdit(this)),
      m_kind(new QComboBox(this)),
      m_inRange(new QCheckBox(tr("Only the selected range"), this)),
      m_count(new QLabel(this)),
      m_table(new QTableView(this))
{
    m_name->setPlaceholderText(tr("Name contains …"));
    m_name->setAccessibleName(tr("Filter by name"));
    m_name->setClearButtonEnabled(true);
    m_kind->setAccessibleName(tr("Filter by kind"));
    m_kind->addItem(tr("All kinds"), -1);
    for (int i = 0; i < kEventKindCount; ++i)
        m_kind->addItem(text(kindName(static_cast<EventKind>(i))), i);
    setUpTable(m_table, m_model);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(EventsModel::Start, Qt::AscendingOrder);
    m_table->horizontalHeader()->resizeSection(EventsModel::Name, 320);
    m_table->horizontalHeader()->resizeSection(EventsModel::Memory, 150);

    auto* filters = new QHBoxLayout;
    filters->addWidget(m_name, 1);
    filters->addWidget(m_kind);
    filters->addWidget(m_inRange);
    filters->addStretch(1);
    filters->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 0);
    layout->setSpacing(4);
    layout->addLayout(filters);
    layout->addWidget(m_table, 1);

    connect(m_name, &QLineEdit::textChanged, this, &EventsPanel::applyFilter);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &EventsPanel::applyFilter);
    connect(m_inRange, &QCheckBox::toggled, this, &EventsPanel::applyFilter);
    const auto request = [this](const QModelIndex& index) { emit eventRequested(m_model->event(index.row())); };
    connect(m_table, &QTableView::clicked, this, request);
    connect(m_table, &QTableView::activated, this, request);
    connect(document, &Document::traceChanged, this, &EventsPanel::refresh);
    connect(document->selection(), &Selection::rangeChanged, this, [this] {
        if (m_inRange->isChecked())
            applyFilter();
    });
}

void EventsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void EventsPanel::refresh()
{
    // The rows of another trace must go at once; the new ones can wait until somebody looks.
    m_stale = !isVisible();
    m_model->setTrace(m_stale ? nullptr : m_document->trace());
    m_count->setText(tr("%1 events").arg(text(formatCount(m_model->rowCount()))));
}

void EventsPanel::applyFilter()
{
    const int kind = m_kind->currentData().toInt();
    m_model->setFilter(m_name->text(), kind < 0 ? std::nullopt : std::optional(static_cast<EventKind>(kind)),
                       m_inRange->isChecked() ? m_document->selection()->range() : std::nullopt);
    m_count->setText(tr("%1 events").arg(text(formatCount(m_model->rowCount()))));
}

}  // namespace overlane
