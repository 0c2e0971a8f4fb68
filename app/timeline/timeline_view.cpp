#include "app/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

#include "app/timeline/lane_canvas.h"
#include "app/timeline/legend_row.h"
#include "app/timeline/overview_strip.h"
#include "app/timeline/selection.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/view_range.h"

namespace overlane
{

namespace
{

constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.2;  // of the visible range

}  // namespace

TimelineView::TimelineView(ViewRange* view, Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_selection(selection),
      m_overview(new OverviewStrip(view, this)),
      m_ruler(new TimeRuler(view, selection, this)),
      m_comparedTitle(new QLabel(this)),
      m_compared(new LaneCanvas(view, selection, true, this)),
      m_lanes(new LaneCanvas(view, selection, false, this)),
      m_legend(new LegendRow(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_overview);
    column->addWidget(m_ruler);
    column->addWidget(m_comparedTitle);
    column->addWidget(m_compared, 1);
    column->addWidget(m_lanes, 1);
    column->addWidget(m_legend);
    m_comparedTitle->setContentsMargins(8, 2, 8, 2);
    m_comparedTitle->hide();
    m_compared->hide();
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setEmptyText(tr("Open a trace, or run the laboratory."));
    connect(m_lanes, &LaneCanvas::eventHovered, this, &TimelineView::eventHovered);
    connect(m_lanes, &LaneCanvas::contextMenuRequested, this, &TimelineView::contextMenuRequested);
    connect(m_lanes, &LaneCanvas::eventDoubleClicked, this, &TimelineView::zoomTo);
}

TimelineView::~TimelineView() = default;

void TimelineView::setTrace(std::shared_ptr<const Trace> trace)
{
    if (trace != m_lanes->trace())
        m_selection->setEvent({});
    m_lanes->setTrace(trace);
    updateLimits();
    m_overview->setTrace(std::move(trace));
}

const std::shared_ptr<const Trace>& TimelineView::trace() const
{
    return m_lanes->trace();
}

void TimelineView::setCompared(std::shared_ptr<const Trace> trace, const QString& title)
{
    const bool shown = trace != nullptr;
    m_comparedTitle->setText(title.isEmpty() ? tr("A") : tr("A: %1").arg(title));
    m_comparedTitle->setVisible(shown);
    m_compared->setTrace(std::move(trace));
    m_compared->setMaximumHeight(std::max(m_compared->minimumHeight(), m_compared->trackLayout().heightPx + 6));
    m_compared->setVisible(shown);
    updateLimits();
}

void TimelineView::updateLimits()
{
    Interval limits = m_lanes->trace() ? m_lanes->trace()->span() : Interval{};
    if (const auto& other = m_compared->trace()) {
        const Interval span = other->span();
        limits = limits.empty() ? span
                                : Interval{std::min(limits.startNs, span.startNs), std::max(limits.endNs, span.endNs)};
    }
    m_view->setLimits(limits);
}

void TimelineView::setEmptyText(const QString& text)
{
    m_lanes->setEmptyText(text);
}

bool TimelineView::isCollapsed(TrackId track) const
{
    return trace() && m_lanes->collapse().collapsed(*trace(), track);
}

void TimelineView::setCollapsed(TrackId track, bool collapsed)
{
    m_lanes->changeCollapse([&](CollapseState& state, const Trace& shown) { state.set(shown, track, collapsed); });
}

void TimelineView::collapseAll()
{
    m_lanes->changeCollapse([](CollapseState& state, const Trace& shown) { state.setAll(shown, true); });
}

void TimelineView::expandAll()
{
    m_lanes->changeCollapse([](CollapseState& state, const Trace& shown) { state.setAll(shown, false); });
}

void TimelineView::setHighlights(std::vector<EventIndex> events)
{
    m_lanes->setHighlights(std::move(events));
}

void TimelineView::ensureVisible(EventIndex event)
{
    if (!trace() || !event.valid() || event.index() >= trace()->eventCount())
        return;
    const TrackId track = trace()->trackOf(event);
    m_lanes->changeCollapse([&](CollapseState& state, const Trace& shown) { state.reveal(shown, track); });
    m_lanes->scrollTo(event);
    const Interval interval = trace()->interval(event);
    const Interval range = m_view->range();
    if (interval.startNs >= range.startNs && interval.endNs <= range.endNs)
        return;
    const std::int64_t lengthNs = std::max(range.lengthNs(), interval.lengthNs() + interval.lengthNs() / 5);
    const std::int64_t startNs = interval.startNs + interval.lengthNs() / 2 - lengthNs / 2;
    m_view->setRange({startNs, startNs + lengthNs});
}

void TimelineView::zoomTo(EventIndex event)
{
    if (!trace() || !event.valid() || event.index() >= trace()->eventCount())
        return;
    const Interval interval = trace()->interval(event);
    const std::int64_t marginNs = std::max(interval.lengthNs(), ViewRange::kMinimumNs / 2);
    m_view->setRange({interval.startNs - marginNs, interval.endNs + marginNs});
    ensureVisible(event);
}

void TimelineView::fitSelection()
{
    if (m_selection->range())
        m_view->setRange(*m_selection->range());
    else if (m_selection->event().valid())
        zoomTo(m_selection->event());
    else
        m_view->fitAll();
}

void TimelineView::markRange()
{
    if (trace() && m_selection->event().valid())
        m_selection->setRange(trace()->interval(m_selection->event()));
    else
        m_selection->setRange(m_view->range());
}

void TimelineView::moveSelection(int alongRow, int acrossRows)
{
    const EventIndex event = m_selection->event();
    const EventIndex next =
        acrossRows != 0 ? m_lanes->acrossRows(event, acrossRows) : m_lanes->neighbour(event, alongRow);
    if (!next.valid())
        return;
    m_selection->setEvent(next);
    ensureVisible(next);
}

// Tab walks the events while one is selected; Esc gives it back to the focus chain.
bool TimelineView::focusNextPrevChild(bool next)
{
    if (!hasFocus() || !m_selection->event().valid())
        return QWidget::focusNextPrevChild(next);
    moveSelection(next ? 1 : -1, 0);
    return true;
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const std::int64_t panNs = std::llround(static_cast<double>(m_view->range().lengthNs()) * kKeyPan);
    const bool selected = m_selection->event().valid();
    if (event->text() == QLatin1String("/")) {
        emit searchRequested();
        return;
    }
    if (event->text() == QLatin1String("?")) {
        emit helpRequested();
        return;
    }
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_W:
            m_view->zoomBy(kKeyZoom, m_lanes->anchorNs());
            return;
        case Qt::Key_S:
            m_view->zoomBy(1 / kKeyZoom, m_lanes->anchorNs());
            return;
        case Qt::Key_A:
            m_view->panBy(-panNs);
            return;
        case Qt::Key_D:
            m_view->panBy(panNs);
            return;
        case Qt::Key_F:
            fitSelection();
            return;
        case Qt::Key_M:
            markRange();
            return;
        case Qt::Key_Left:
            selected ? moveSelection(-1, 0) : m_view->panBy(-panNs);
            return;
        case Qt::Key_Right:
            selected ? moveSelection(1, 0) : m_view->panBy(panNs);
            return;
        case Qt::Key_Up:
            moveSelection(0, -1);
            return;
        case Qt::Key_Down:
            moveSelection(0, 1);
            return;
        case Qt::Key_Escape:
            m_selection->clear();
            return;
        case Qt::Key_Backspace:
            event->modifiers() & Qt::ShiftModifier ? m_view->forward() : m_view->back();
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace overlane
