#include "app/tables/names_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/tables/names_model.h"
#include "app/widgets/bar_delegate.h"
#include "app/widgets/data_table.h"
#include "app/widgets/duration_filter.h"
#include "app/widgets/flat_button.h"
#include "app/widgets/text.h"

namespace overlane
{

NamesPanel::NamesPanel(Document* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_model(new NamesModel(this)),
      m_group(new QComboBox(this)),
      m_name(new QLineEdit(this)),
      m_expression(new QToolButton(this)),
      m_least(new DurationFilter(u"namesLeast"_s, this)),
      m_range(new QLabel(this)),
      m_count(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(flatButton(u"Cancel"_s, "namesCancel", u"Stop summing"_s, this)),
      m_previous(flatButton(u"\u25c2"_s, "namesPrevious", u"Previous event of the row (Shift+Enter)"_s, this)),
      m_next(flatButton(u"\u25b8"_s, "namesNext", u"Next event of the row (Enter)"_s, this)),
      m_place(new QLabel(this)),
      m_table(new DataTable("names", m_model, this))
{
    m_table->setAccessibleName(u"Work by name"_s);
    m_table->setToolTip(u"A row marks its events in the timeline; Enter goes to the next one; Ctrl+C copies rows"_s);
    m_table->setItemDelegate(new BarDelegate(m_table));
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setSortingEnabled(true);
    m_table->installEventFilter(this);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    makeFilters();
    makeWalk();

    auto* filters = new QHBoxLayout;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_group, m_name, m_expression, m_least, m_range})
        filters->addWidget(widget, widget == m_name ? 1 : 0);
    filters->addStretch(1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_progress, m_cancel, m_count, m_previous, m_place, m_next})
        filters->addWidget(widget);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 0);
    column->setSpacing(4);
    column->addLayout(filters);
    column->addWidget(m_table, 1);

    connect(m_table, &DataTable::failed, document, &Document::failed);
    connect(m_model, &NamesModel::failed, document, &Document::failed);
    connect(m_model, &NamesModel::answered, this, &NamesPanel::showAnswer);
    connect(m_model, &QAbstractItemModel::modelReset, this, &NamesPanel::showAnswer);
    connect(m_model->worker(), &BackgroundWorker::progressed, this, &NamesPanel::showWorking);
    connect(document, &Document::traceChanged, this, &NamesPanel::refresh);
    connect(document->selection(), &Selection::rangeChanged, this, &NamesPanel::askIfSeen);
    refresh();
}

void NamesPanel::makeFilters()
{
    m_group->setObjectName("namesGroup");
    m_group->setAccessibleName(u"What is listed"_s);
    for (const WorkGroupRow& group : workGroups())
        m_group->addItem(text(group.title), static_cast<int>(group.kind));
    m_name->setObjectName("namesFilter");
    m_name->setAccessibleName(u"Filter by name"_s);
    m_name->setPlaceholderText(u"Name contains \u2026"_s);
    m_name->setClearButtonEnabled(true);
    m_expression->setObjectName("namesExpression");
    m_expression->setText(u".*"_s);
    m_expression->setCheckable(true);
    m_expression->setAutoRaise(true);
    m_expression->setAccessibleName(u"Regular expression"_s);
    m_expression->setToolTip(u"The text is a regular expression"_s);
    m_range->setObjectName("namesRange");
    m_count->setObjectName("namesCount");
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(90, 12);
    m_progress->setAccessibleName(u"Progress of the sums"_s);
    m_progress->hide();
    m_cancel->hide();
    connect(m_group, &QComboBox::currentIndexChanged, this, &NamesPanel::askIfSeen);
    connect(m_least, &QComboBox::currentIndexChanged, this, &NamesPanel::askIfSeen);
    connect(m_name, &QLineEdit::textChanged, this, &NamesPanel::applyFilter);
    connect(m_expression, &QToolButton::toggled, this, &NamesPanel::applyFilter);
    connect(m_cancel, &QToolButton::clicked, m_model, &NamesModel::cancel);
}

void NamesPanel::makeWalk()
{
    m_place->setObjectName("namesPlace");
    m_place->setAlignment(Qt::AlignCenter);
    m_place->setMinimumWidth(m_place->fontMetrics().horizontalAdvance(u"10 000 of 10 000"_s));
    connect(m_previous, &QToolButton::clicked, this, &NamesPanel::previous);
    connect(m_next, &QToolButton::clicked, this, &NamesPanel::next);
    connect(m_table, &QTableView::activated, this, &NamesPanel::next);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { chooseRow(now.isValid() ? now.row() : -1); });
    forgetWalk();
}

void NamesPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void NamesPanel::refresh()
{
    m_wanted.reset();
    forgetWalk();
    m_model->setTrace(m_document->trace(), m_document->current().analysis);
    askIfSeen();
}

void NamesPanel::askIfSeen()
{
    m_stale = !isVisible();
    if (m_stale)
        return;
    const auto& selected = m_document->selection()->range();
    const Interval range = m_document->judgedRange();
    const auto group = static_cast<WorkGroupKind>(m_group->currentData().toInt());
    m_model->ask({group, range, m_least->leastNs()});
    m_range->setText(!m_document->trace() ? QString()
                     : selected           ? u"in the selected %1"_s.arg(durationText(range.lengthNs()))
                                          : u"in the active range, %1"_s.arg(durationText(range.lengthNs())));
    showAnswer();
}

void NamesPanel::applyFilter()
{
    const QString wanted = m_name->text();
    QString wrong;
    if (wanted.isEmpty()) {
        m_model->setNameFilter({});
    } else if (!m_expression->isChecked()) {
        m_model->setNameFilter([wanted](const QString& name) { return name.contains(wanted, Qt::CaseInsensitive); });
    } else {
        const QRegularExpression expression(wanted, QRegularExpression::CaseInsensitiveOption);
        if (expression.isValid())
            m_model->setNameFilter([expression](const QString& name) { return name.contains(expression); });
        else
            wrong = u"%1 at character %2"_s.arg(expression.errorString()).arg(expression.patternErrorOffset() + 1);
    }
    m_name->setToolTip(wrong);
    if (!wrong.isEmpty())
        m_count->setText(wrong);
}

void NamesPanel::showAnswer()
{
    const bool busy = m_model->worker()->busy() && !m_model->current();
    if (!busy) {
        m_progress->hide();
        m_cancel->hide();
    }
    const auto number = [](std::size_t rows) { return text(formatCount(static_cast<std::int64_t>(rows))); };
    const auto shown = static_cast<std::size_t>(m_model->rowCount());
    m_count->setText(shown == m_model->allRows() ? u"%1 names"_s.arg(number(shown))
                                                 : u"%1 of %2 names"_s.arg(number(shown), number(m_model->allRows())));
    if (!m_document->trace())
        m_table->setEmptyText(u"No trace is open."_s);
    else if (busy)
        m_table->setEmptyText(u"Summing by name \u2026"_s);
    else if (!m_model->current())
        m_table->setEmptyText(u"Cancelled; choose again what to list."_s);
    else if (m_model->allRows() > 0)
        m_table->setEmptyText(u"No name matches the filter."_s);
    else
        m_table->setEmptyText(u"Nothing of this kind starts in this range."_s);
    const int digit = m_table->fontMetrics().horizontalAdvance('0');
    QHeaderView* header = m_table->horizontalHeader();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        header->setSectionResizeMode(column,
                                     column == NamesModel::Name ? QHeaderView::Stretch : QHeaderView::Interactive);
        if (column != NamesModel::Name && header->sectionSize(column) == header->defaultSectionSize())
            header->resizeSection(column, (column == NamesModel::Share ? 19 : 12) * digit);
    }
    if (m_model->current())
        selectWanted();
}

void NamesPanel::showWorking(double fraction)
{
    // Answers within a tenth of a second show no bar: what flashes explains nothing.
    m_progress->setValue(static_cast<int>(fraction * 1000));
    m_progress->show();
    m_cancel->show();
}

void NamesPanel::forgetWalk()
{
    const bool had = !m_walk.events().empty();
    m_worker.forget();
    m_walk = {};
    m_place->clear();
    m_previous->setEnabled(false);
    m_next->setEnabled(false);
    if (had)
        emit eventsMarked({});
}

void NamesPanel::chooseRow(int row)
{
    forgetWalk();
    const auto& trace = m_document->trace();
    if (row < 0 || !trace)
        return;
    m_worker.run(
        u"Listing the events of a name"_s,
        [trace, key = m_model->work(row).key, query = m_model->query()](Progress& progress) {
            return found(eventsOf(*trace, key, query, progress));
        },
        [this](Result<FoundEvents> events) {
            if (!events.ok())
                return;
            m_walk.set(std::move(events).value());
            m_place->setText(m_walk.text());
            m_previous->setEnabled(true);
            m_next->setEnabled(true);
            emit eventsMarked(m_walk.marks());
        });
}

void NamesPanel::visit(EventIndex event)
{
    m_place->setText(m_walk.text());
    if (event.valid())
        emit eventRequested(event);
}

bool NamesPanel::show(EventIndex event)
{
    const auto& trace = m_document->trace();
    const auto group = trace && event.valid() ? groupOf(trace->kind(event)) : std::nullopt;
    if (!group)
        return false;
    m_wanted = keyOf(*trace, event);
    m_name->clear();
    m_least->setCurrentIndex(0);
    m_group->setCurrentIndex(m_group->findData(static_cast<int>(*group)));
    if (m_model->current() && m_model->query().group == *group)
        selectWanted();
    return true;
}

void NamesPanel::selectWanted()
{
    for (int row = 0; m_wanted && row < m_model->rowCount(); ++row) {
        if (m_model->work(row).key != *m_wanted)
            continue;
        m_wanted.reset();
        m_table->selectRow(row);
        m_table->scrollTo(m_model->index(row, 0));
    }
}

bool NamesPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && (key->modifiers() & Qt::ShiftModifier) != 0) {
            previous();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace overlane
