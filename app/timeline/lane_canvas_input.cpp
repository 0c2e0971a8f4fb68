// The mouse on the lanes: every gesture ends as a call to the owner of the range or of the selection.
#include <cmath>

#include <QApplication>
#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include "app/timeline/area_statistics.h"
#include "app/timeline/event_tip.h"
#include "app/timeline/gap_tip.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr double kNotch = 120.0;  // eighths of a degree, QWheelEvent
constexpr double kZoomPerNotch = 1.25;
constexpr double kPanPerNotch = 0.1;  // of the visible range
constexpr int kScrollPerNotchPx = 3 * kRowPx;

}  // namespace

void LaneCanvas::wheelEvent(QWheelEvent* event)
{
    // With Alt or Shift some platforms turn the wheel sideways.
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / kNotch;
    const double lengthNs = static_cast<double>(m_view->target().lengthNs());
    if (event->modifiers() & Qt::ControlModifier)
        m_view->zoomBy(std::pow(kZoomPerNotch, notches), timeAt(static_cast<int>(event->position().x())),
                       ViewRange::Pace::Smooth);
    else if ((event->modifiers() & Qt::ShiftModifier) || delta.y() == 0)
        m_view->panBy(std::llround(-notches * kPanPerNotch * lengthNs), ViewRange::Pace::Smooth);
    else {
        m_scrolledByHand = true;
        m_scroll->setValue(m_scroll->value() - static_cast<int>(std::lround(notches * kScrollPerNotchPx)));
    }
    event->accept();
}

void LaneCanvas::mousePressEvent(QMouseEvent* event)
{
    const QPoint pos = event->position().toPoint();
    if (event->button() == Qt::LeftButton && pos.x() < kLabelWidthPx) {
        toggleAt(pos.y());
        return;
    }
    if (!m_trace || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton))
        return;
    m_drag = event->button() == Qt::MiddleButton ? Drag::Pan : Drag::Pending;
    m_pressPx = pos;
    m_pressNs = timeAt(pos.x());
    m_pressRange = m_view->range();
}

void LaneCanvas::toggleAt(int yPx)
{
    const int index = m_layout.rowAt(yPx + m_scroll->value());
    if (index < 0 || !m_layout.rows[static_cast<std::size_t>(index)].collapsible)
        return;
    const LaneRow row = m_layout.rows[static_cast<std::size_t>(index)];
    changeCollapse([&](CollapseState& state, const Trace& trace) {
        if (row.bundle)
            state.set(*row.bundle, !row.collapsed);
        else
            state.set(trace, row.track, !row.collapsed);
    });
}

void LaneCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint pos = event->position().toPoint();
    m_view->cursor()->pointAt(m_trace ? timeAtPx(*m_view, pos.x(), width()) : std::nullopt);
    if (m_drag == Drag::Pending && std::abs(pos.x() - m_pressPx.x()) >= kDragThresholdPx) {
        m_drag = Drag::Range;
        hover({}, {}, {});
    }
    if (m_drag == Drag::Range) {
        const int edge = kLabelWidthPx + plotWidthPx(width());
        const std::int64_t nowNs = timeAt(std::clamp(pos.x(), kLabelWidthPx, edge));
        const Interval dragged{std::min(m_pressNs, nowNs), std::max(m_pressNs, nowNs)};
        m_selection->setRange(dragged);
        if (!dragged.empty())
            QToolTip::showText(event->globalPosition().toPoint() + QPoint(16, 16), areaTip(*pyramid(), dragged), this);
    } else if (m_drag == Drag::Pan) {
        const TimeScale scale(m_pressRange, plotWidthPx(width()));
        const std::int64_t wantedNs = m_pressRange.startNs - scale.lengthNs(pos.x() - m_pressPx.x());
        m_view->panBy(wantedNs - m_view->range().startNs);
    } else if (m_drag == Drag::None && m_trace) {
        const bool onLabel = pos.x() < kLabelWidthPx;
        setCursor(onLabel ? Qt::PointingHandCursor : Qt::ArrowCursor);
        const EventIndex hit = eventAt(pos);
        hover(hit, hit.valid() ? std::nullopt : gapAt(pos), event->globalPosition().toPoint());
        showLabelTip(pos, event->globalPosition().toPoint());
    }
}

void LaneCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag == Drag::Pending)
        click(event->position().toPoint(), event->modifiers() & Qt::ShiftModifier);
    m_drag = Drag::None;
}

void LaneCanvas::click(QPoint pos, bool extend)
{
    const EventIndex event = eventAt(pos);
    if (!extend) {
        m_selection->setRange(std::nullopt);
        if (const auto gap = event.valid() ? std::nullopt : gapAt(pos))
            m_selection->setGap(*gap);
        else
            m_selection->setEvent(event);
        return;
    }
    // From what is selected to what was clicked, both ends included.
    const std::int64_t clickedNs = timeAt(pos.x());
    Interval range = event.valid() ? m_trace->interval(event) : Interval{clickedNs, clickedNs};
    std::optional<Interval> from = m_selection->range();
    if (!from && m_selection->event().valid())
        from = m_trace->interval(m_selection->event());
    if (!from && m_selection->gap())
        from = m_selection->gap()->interval;
    if (from)
        range = {std::min(range.startNs, from->startNs), std::max(range.endNs, from->endNs)};
    m_selection->setRange(range);
}

void LaneCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPoint pos = event->position().toPoint();
    if (event->button() != Qt::LeftButton || !m_trace)
        return;
    if (pos.x() < kLabelWidthPx)
        toggleAt(pos.y());
    else if (const EventIndex hit = eventAt(pos); hit.valid())
        emit eventDoubleClicked(hit);
    else if (const auto gap = gapAt(pos); gap && !hit.valid())
        m_view->glideTo(
            {gap->interval.startNs - gap->interval.lengthNs(), gap->interval.endNs + gap->interval.lengthNs()});
}

void LaneCanvas::hover(EventIndex event, const std::optional<IdleGapAt>& gap, QPoint globalPos)
{
    if (event == m_hovered && gap == m_hoveredGap)
        return;
    m_hovered = event;
    m_hoveredGap = gap;
    if (event.valid())
        QToolTip::showText(globalPos + QPoint(12, 12), eventTip(*m_trace, event), this);
    else if (gap)
        QToolTip::showText(globalPos + QPoint(12, 12), gapTip(*m_trace, *m_analysis, *gap, Palette::current(palette())),
                           this);
    else
        QToolTip::hideText();
    update();
    emit eventHovered(event);
}

QString LaneCanvas::labelTip(int row) const
{
    if (row < 0)
        return {};
    const LaneRow& lane = m_layout.rows[static_cast<std::size_t>(row)];
    QString tip;
    if (isLabelCut(*m_trace, lane, font()))
        tip = QString::fromStdString(rowTitle(*m_trace, lane)).toHtmlEscaped();
    if (lane.bundle)
        return lane.bundle->kind == TrackBundle::Kind::Workers
                   ? u"The workers of a loader in one lane. A click shows each of them."_s
                   : u"Threads without an event in the range that the verdict is about. A click shows each of them."_s;
    if (const auto badge = m_badges.find(lane.track); badge != m_badges.end())
        tip += (tip.isEmpty() ? QString() : u"<br>"_s) + badge->second.tip;
    return tip;
}

// The tip stays while the mouse is on the track's name.
void LaneCanvas::showLabelTip(QPoint pos, QPoint globalPos)
{
    const int index = pos.x() < kLabelWidthPx ? m_layout.rowAt(pos.y() + m_scroll->value()) : -1;
    const LaneRow* row = index < 0 ? nullptr : &m_layout.rows[static_cast<std::size_t>(index)];
    const TippedName name = row == nullptr ? TippedName{} : TippedName{row->track, row->bundle != nullptr};
    if (name == m_tippedName)
        return;
    const bool wasTipped = m_labelTipped;
    m_tippedName = name;
    const QString tip = labelTip(index);
    m_labelTipped = !tip.isEmpty();
    if (m_labelTipped)
        QToolTip::showText(globalPos + QPoint(12, 12), tip, this);
    else if (wasTipped && !m_hovered.valid() && !m_hoveredGap)
        QToolTip::hideText();
}

void LaneCanvas::leaveEvent(QEvent*)
{
    m_view->cursor()->pointAt({});
    hover({}, {}, {});
    m_tippedName = {};
}

void LaneCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_trace)
        emit contextMenuRequested(spotAt(event->pos()), event->globalPos());
}

}  // namespace overlane
