#include "app/tables/steps_page.h"

#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/tables/loop_menu.h"
#include "app/tables/step_figures.h"
#include "app/tables/step_plot.h"
#include "app/tables/steps_model.h"
#include "app/widgets/data_table.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/text.h"

namespace overlane
{

StepsPage::StepsPage(StepsModel* model, Document* document, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_document(document),
      m_caption(new ElidedLabel(this)),
      m_loops(new LoopMenu(document, this)),
      m_plot(new StepPlot(this)),
      m_table(new DataTable("stepsTable", model, this))
{
    connect(m_table, &DataTable::failed, document, &Document::failed);
    m_caption->setObjectName("stepsCaption");
    m_caption->setContentsMargins(8, 3, 8, 2);
    m_table->setAccessibleName(u"Steps"_s);
    m_table->setEmptyText(
        u"No steps. They come from profiler steps, from user ranges named step, iteration or batch with a number, "
        "from the laboratory's batches, or from GPU work that repeats; nothing of that is in this trace."_s);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(StepsModel::Start, Qt::AscendingOrder);
    QHeaderView* header = m_table->horizontalHeader();
    const int digit = m_table->fontMetrics().horizontalAdvance('0');
    for (int column = 0; column < StepsModel::ColumnCount; ++column) {
        const QString heading = model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int least = column == StepsModel::Name || column == StepsModel::Start ? 16 * digit : 10 * digit;
        header->resizeSection(column, std::max(least, m_table->fontMetrics().horizontalAdvance(heading) + 5 * digit));
    }
    m_table->setToolTip(u"A click selects the step's time; double-click or Enter zooms to it; Ctrl+C copies rows"_s);
    auto* across = new QSplitter(Qt::Horizontal, this);
    across->setChildrenCollapsible(false);
    across->addWidget(m_plot);
    across->addWidget(m_table);
    across->setStretchFactor(0, 1);
    across->setStretchFactor(1, 3);
    across->setSizes({260, 800});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* loop = new QToolButton(this);
    loop->setObjectName("stepsLoop");
    loop->setText(u"Loop"_s);
    loop->setToolTip(u"The loops of the program; the steps are the iterations of one"_s);
    loop->setMenu(m_loops);
    loop->setPopupMode(QToolButton::InstantPopup);
    loop->setAutoRaise(true);
    loop->setToolButtonStyle(Qt::ToolButtonTextOnly);
    auto* above = new QHBoxLayout;
    above->setContentsMargins(0, 1, 4, 1);
    above->setSpacing(0);
    above->addWidget(m_caption, 1);
    above->addWidget(loop, 0, Qt::AlignRight);
    column->addLayout(above);
    column->addWidget(across, 1);

    const auto zoom = [this](const QModelIndex& index) { emit rangeRequested(m_model->step(index.row()).interval); };
    connect(m_table, &QTableView::doubleClicked, this, zoom);
    connect(m_table, &QTableView::activated, this, zoom);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_table->hasFocus())
            chooseRows();
    });
    connect(m_plot, &StepPlot::stepsChosen, this, [this](int first, int last) {
        const std::vector<Step>& steps = m_document->current().steps.steps;
        if (last < static_cast<int>(steps.size()))
            select({steps[static_cast<std::size_t>(first)].interval.startNs,
                    steps[static_cast<std::size_t>(last)].interval.endNs});
    });
    connect(document, &Document::traceChanged, this, &StepsPage::showSteps);
    connect(document->selection(), &Selection::rangeChanged, this, &StepsPage::showRangeIfSeen);
    showSteps();
}

QString StepsPage::caption() const
{
    return m_caption->text();
}

void StepsPage::showSteps()
{
    m_plotStale = true;
    m_plot->setVisible(m_document->current().steps.steps.size() > 1);
    showRangeIfSeen();
}

// While a selection is dragged, a hidden page costs nothing.
void StepsPage::showRangeIfSeen()
{
    m_stale = !isVisible();
    if (!m_stale)
        showRange();
}

void StepsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        showRangeIfSeen();
}

void StepsPage::showRange()
{
    const AnalyzedTrace& shown = m_document->current();
    if (std::exchange(m_plotStale, false))
        m_plot->setSteps(shown.steps.steps);
    const auto& range = m_document->selection()->range();
    const std::vector<Step> inRange = range ? stepsWithin(shown.steps.steps, *range) : shown.steps.steps;
    m_caption->setText(stepsCaption(shown, inRange, range.has_value()));
    m_caption->setVisible(!shown.steps.steps.empty());
    int first = 0;
    int last = 0;
    if (range)
        for (int i = 0; i < static_cast<int>(shown.steps.steps.size()); ++i) {
            const Interval& step = shown.steps.steps[static_cast<std::size_t>(i)].interval;
            if (step.startNs < range->startNs || step.endNs > range->endNs)
                continue;
            first = first == last ? i : first;
            last = i + 1;
        }
    m_plot->setChosen({first, last});
}

void StepsPage::chooseRows()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (rows.isEmpty())
        return;
    Interval range = m_model->step(rows.front().row()).interval;
    for (const QModelIndex& row : rows) {
        const Interval& step = m_model->step(row.row()).interval;
        range = {std::min(range.startNs, step.startNs), std::max(range.endNs, step.endNs)};
    }
    select(range);
}

void StepsPage::select(Interval range)
{
    m_document->selection()->setRange(range);
    // It is brought into sight, at the zoom there is.
    const Interval seen = m_document->view()->range();
    if (range.startNs >= seen.startNs && range.endNs <= seen.endNs)
        return;
    const std::int64_t lengthNs = std::max(seen.lengthNs(), range.lengthNs() + range.lengthNs() / 5);
    const std::int64_t startNs = range.startNs + range.lengthNs() / 2 - lengthNs / 2;
    m_document->view()->glideTo({startNs, startNs + lengthNs});
}

}  // namespace overlane
