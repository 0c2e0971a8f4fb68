#include "app/tables/events_panel.h"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/tables/events_model.h"
#include "app/widgets/data_table.h"
#include "app/widgets/duration_filter.h"
#include "app/widgets/text.h"
#include "core/base/counted.h"

namespace overlane
{

namespace
{

// What a zoom to an event shows at least, and how much room it leaves on either side of it.
constexpr std::int64_t kLeastZoomNs = 1'000;
constexpr int kRestMs = 120;
constexpr int kAllCopies = -2;  // among the kinds

}  // namespace

EventsPanel::EventsPanel(Document* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_model(new EventsModel(this)),
      m_name(new QLineEdit(this)),
      m_kind(new QComboBox(this)),
      m_why(new QComboBox(this)),
      m_least(new DurationFilter(u"eventsLeast"_s, this)),
      m_where(new QComboBox(this)),
      m_count(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QToolButton(this)),
      m_table(new DataTable("events", m_model, this))
{
    connect(m_table, &DataTable::failed, document, &Document::failed);
    m_name->setObjectName("eventsName");
    m_name->setPlaceholderText(u"Name contains …"_s);
    m_name->setAccessibleName(u"Filter by name"_s);
    m_name->setClearButtonEnabled(true);
    m_kind->setObjectName("eventsKind");
    m_kind->setAccessibleName(u"Filter by kind"_s);
    m_kind->addItem(u"All kinds"_s, -1);
    m_kind->addItem(u"All copies"_s, kAllCopies);
    for (int i = 0; i < kEventKindCount; ++i)
        m_kind->addItem(text(kindName(static_cast<EventKind>(i))), i);
    m_why->setObjectName("eventsWhy");
    m_why->setAccessibleName(u"Filter by the first reason of a copy"_s);
    m_why->addItem(u"Any reason"_s, -1);
    for (int i = 0; i < kCopyCauseCount; ++i)
        m_why->addItem(text(causeName(static_cast<CopyCause>(i))), i);
    m_why->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_why->setMinimumContentsLength(12);
    m_where->setObjectName("eventsWhere");
    m_where->setAccessibleName(u"Filter by time and lanes"_s);
    // In the order of Where.
    m_where->addItems({u"Whole trace"_s, u"Selected range"_s, u"In sight"_s});
    m_where->setItemData(static_cast<int>(Where::InSight),
                         u"The times and lanes that the timeline shows; the table follows them"_s, Qt::ToolTipRole);
    m_moved.setSingleShot(true);
    m_moved.setInterval(kRestMs);
    m_count->setObjectName("eventsCount");
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_progress->setFixedHeight(12);
    m_progress->setAccessibleName(u"Progress of the filter"_s);
    m_cancel->setText(u"Cancel"_s);
    m_cancel->setObjectName("eventsCancel");
    m_cancel->setAutoRaise(true);
    m_progress->hide();
    m_cancel->hide();

    m_table->setAccessibleName(u"Events"_s);
    m_table->setToolTip(u"Double-click or Enter zooms to the event; Ctrl+C copies rows"_s);
    QHeaderView* header = m_table->horizontalHeader();
    const int digit = m_table->fontMetrics().horizontalAdvance('0');
    header->setSectionResizeMode(EventsModel::Name, QHeaderView::Stretch);
    for (int column = 0; column < EventsModel::ColumnCount; ++column)
        if (const int digits = eventColumns()[static_cast<std::size_t>(column)].digits; digits > 0)
            header->resizeSection(column, (digits + 1) * digit);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(EventsModel::Start, Qt::AscendingOrder);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this] { m_toTop = true; });
    connect(header, &QHeaderView::sectionClicked, this, &EventsPanel::sortBy);

    auto* filters = new QHBoxLayout;
    filters->addWidget(m_name, 1);
    filters->addWidget(m_kind);
    filters->addWidget(m_why);
    filters->addWidget(m_least);
    filters->addWidget(m_where);
    filters->addStretch(1);
    filters->addWidget(m_progress);
    filters->addWidget(m_cancel);
    filters->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 0);
    layout->setSpacing(4);
    layout->addLayout(filters);
    layout->addWidget(m_table, 1);

    connect(m_name, &QLineEdit::textChanged, this, &EventsPanel::filterAnew);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &EventsPanel::filterAnew);
    connect(m_why, &QComboBox::currentIndexChanged, this, &EventsPanel::filterAnew);
    connect(m_least, &QComboBox::currentIndexChanged, this, &EventsPanel::filterAnew);
    connect(m_where, &QComboBox::currentIndexChanged, this, &EventsPanel::applyFilter);
    connect(&m_moved, &QTimer::timeout, this, &EventsPanel::applyFilter);
    connect(document->view(), &ViewRange::rangeChanged, this, &EventsPanel::followSight);
    connect(m_cancel, &QToolButton::clicked, m_model, &EventsModel::cancel);
    connect(m_model, &EventsModel::answered, this, &EventsPanel::showAnswer);
    connect(m_model, &EventsModel::failed, document, &Document::failed);
    connect(m_model->worker(), &BackgroundWorker::progressed, this, &EventsPanel::showWorking);
    connect(m_model->worker(), &BackgroundWorker::busyChanged, this, [this](bool busy) {
        if (!busy)
            showAnswer();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid() && m_table->hasFocus() && !m_following)
            emit eventRequested(m_model->event(now.row()));
    });
    const auto zoom = [this](const QModelIndex& index) { zoomTo(m_model->event(index.row())); };
    connect(m_table, &QTableView::doubleClicked, this, zoom);
    connect(m_table, &QTableView::activated, this, zoom);
    connect(document, &Document::traceChanged, this, &EventsPanel::refresh);
    connect(document->selection(), &Selection::eventChanged, this, &EventsPanel::followSelection);
    connect(document->selection(), &Selection::rangeChanged, this, [this] {
        if (where() == Where::SelectedRange)
            applyFilter();
    });
}

void EventsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
    else if (where() == Where::InSight)
        applyFilter();
}

EventsPanel::Where EventsPanel::where() const
{
    return static_cast<Where>(m_where->currentIndex());
}

void EventsPanel::setWhere(Where where)
{
    m_where->setCurrentIndex(static_cast<int>(where));
}

std::optional<Interval> EventsPanel::listedRange() const
{
    switch (where()) {
        case Where::SelectedRange:
            return m_document->selection()->range();
        case Where::InSight:
            return m_document->view()->target();
        case Where::WholeTrace:
            break;
    }
    return std::nullopt;
}

void EventsPanel::followSight()
{
    if (where() == Where::InSight && isVisible())
        m_moved.start();
}

void EventsPanel::refresh()
{
    // The rows of another trace must go at once; the new ones can wait until somebody looks.
    m_stale = !isVisible();
    m_model->setTrace(m_stale ? nullptr : m_document->trace(), m_stale ? nullptr : m_document->current().analysis);
    if (where() == Where::InSight)
        followSight();  // the lanes of this trace come after it
    showAnswer();
}

void EventsPanel::filterAnew()
{
    m_filtered = true;
    applyFilter();
}

// Who orders by length or size looks for the longest and the largest first.
void EventsPanel::sortBy(int column)
{
    const bool highestFirst = column == EventsModel::Duration || column == EventsModel::Bytes;
    if (highestFirst && column != m_sortedBy)
        m_table->sortByColumn(column, Qt::DescendingOrder);
    m_sortedBy = column;
}

void EventsPanel::applyFilter()
{
    const int kind = m_kind->currentData().toInt();
    const int why = m_why->currentData().toInt();
    m_model->setFilter(
        m_name->text(), kind < 0 ? std::nullopt : std::optional(static_cast<EventKind>(kind)), listedRange(),
        why < 0 ? std::nullopt : std::optional(static_cast<CopyCause>(why)), m_least->leastNs(),
        where() == Where::InSight && m_rowsInSight ? std::optional(m_rowsInSight()) : std::nullopt, kind == kAllCopies);
}

void EventsPanel::list(const QString& name, std::int64_t leastNs)
{
    m_kind->setCurrentIndex(0);
    m_why->setCurrentIndex(0);
    setWhere(Where::WholeTrace);
    m_least->setCurrentIndex(std::max(0, m_least->findData(static_cast<qlonglong>(leastNs))));
    m_name->setText(name);
}

void EventsPanel::listInSight()
{
    list({}, 0);
    setWhere(Where::InSight);
    m_table->setFocus();
}

void EventsPanel::showAnswer()
{
    const bool busy = m_model->worker()->busy();
    if (!busy) {
        m_progress->hide();
        m_cancel->hide();
    }
    const QString count = text(counted(m_model->rowCount(), "event"));
    m_count->setText(m_model->current() || busy ? count : u"Cancelled; still as before: %1"_s.arg(count));
    if (!m_document->trace())
        m_table->setEmptyText(u"No trace is open."_s);
    else if (m_model->current())
        m_table->setEmptyText(u"No event matches the filters above."_s);
    else
        m_table->setEmptyText(busy ? u"Listing the events …"_s : u"Cancelled; change a filter to list again."_s);
    if (!m_model->current())
        return;
    followSelection();
    const bool filtered = std::exchange(m_filtered, false);
    if (std::exchange(m_toTop, false) || (filtered && m_model->rowOf(m_document->selection()->event()) < 0))
        m_table->scrollToTop();
}

void EventsPanel::showWorking(double fraction)
{
    // Answers within a tenth of a second show no bar: what flashes explains nothing.
    m_progress->setValue(static_cast<int>(fraction * 1000));
    m_progress->show();
    m_cancel->show();
}

void EventsPanel::followSelection()
{
    const EventIndex selected = m_document->selection()->event();
    const QModelIndex now = m_table->currentIndex();
    if (!isVisible() || !selected.valid() || (now.isValid() && m_model->event(now.row()) == selected))
        return;
    const int row = m_model->rowOf(selected);
    if (row < 0)
        return;
    m_following = true;
    m_table->selectRow(row);
    m_following = false;
    m_table->scrollTo(m_model->index(row, 0));
}

void EventsPanel::zoomTo(EventIndex event)
{
    const Interval at = m_document->trace()->interval(event);
    const std::int64_t room = std::max(at.lengthNs(), kLeastZoomNs);
    emit eventRequested(event);
    emit rangeRequested({at.startNs - room, at.endNs + room});
}

}  // namespace overlane
