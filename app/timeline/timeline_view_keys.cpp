// The keys of the timeline: what each action of timeline_shortcuts.h does.
#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QKeyEvent>

#include "app/timeline/bookmarks.h"
#include "app/timeline/held_keys.h"
#include "app/timeline/lane_stack.h"
#include "app/timeline/selection.h"
#include "app/timeline/time_ruler.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/view_range.h"
#include "core/base/units.h"
#include "core/lod/time_scale.h"

namespace overlane
{

// Where zooming by key is anchored: the cursor, or the middle where it is elsewhere.
std::int64_t TimelineView::anchorNs() const
{
    const Interval range = m_view->range();
    return m_view->cursor()->ns().value_or(range.startNs + range.lengthNs() / 2);
}

void TimelineView::fitSelection()
{
    if (m_selection->range())
        m_view->glideTo(*m_selection->range());
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
        m_selection->setRange(m_view->target());
}

void TimelineView::toggleBookmark()
{
    if (!trace())
        return;
    std::int64_t timeNs = anchorNs();
    QString name;
    if (m_selection->event().valid()) {
        timeNs = trace()->interval(m_selection->event()).startNs;
        const std::string_view event = trace()->name(m_selection->event());
        name = QString::fromUtf8(event.data(), static_cast<qsizetype>(event.size()));
    } else if (m_selection->range()) {
        timeNs = m_selection->range()->startNs;
    }
    // Where a person sees one already, the key takes it away.
    const double pxNs = static_cast<double>(m_view->range().lengthNs()) / std::max(1, m_lanes->width());
    constexpr double kReachPx = 4;
    const auto reachNs = m_selection->event().valid() ? 0 : static_cast<std::int64_t>(kReachPx * pxNs);
    if (const Bookmark* there = m_bookmarks->nearest(timeNs, reachNs))
        m_bookmarks->remove(there->timeNs);
    else
        m_bookmarks->add(timeNs, name.isEmpty() ? QString::fromStdString(formatDuration(timeNs)) : name);
}

void TimelineView::addBookmark(std::int64_t timeNs)
{
    m_bookmarks->add(timeNs, QString::fromStdString(formatDuration(timeNs)));
    // A menu that asks for it takes the focus until it is closed.
    const auto edit = [this, timeNs] {
        if (const Bookmark* added = m_bookmarks->nearest(timeNs, 0))
            m_ruler->editName(*added);
    };
    QMetaObject::invokeMethod(this, edit, Qt::QueuedConnection);
}

void TimelineView::jumpToBookmark(int step)
{
    const Interval range = m_view->target();
    const std::int64_t middleNs = range.startNs + range.lengthNs() / 2;
    // Near the ends of the trace the last one gone to is not in the middle.
    const bool onLast = m_bookmarks->nearest(m_jumpedNs, 0) != nullptr && range.contains(m_jumpedNs);
    const std::int64_t fromNs = onLast ? m_jumpedNs : middleNs;
    const Bookmark* next = step > 0 ? m_bookmarks->after(fromNs) : m_bookmarks->before(fromNs);
    if (next == nullptr)
        return;
    m_jumpedNs = next->timeNs;
    const std::int64_t startNs = next->timeNs - range.lengthNs() / 2;
    m_view->glideTo({startNs, startNs + range.lengthNs()});
}

void TimelineView::renameBookmark()
{
    const Interval range = m_view->range();
    const Bookmark* nearest = m_bookmarks->nearest(anchorNs(), range.lengthNs());
    if (nearest != nullptr && range.contains(nearest->timeNs))
        m_ruler->editName(*nearest);
}

// Selects it, so that every figure is of it; it comes into sight where the one before was.
void TimelineView::jumpToStep(int by)
{
    if (m_steps.empty())
        return;
    const Interval shown = m_view->target();
    const std::int64_t fromNs =
        m_selection->range() ? m_selection->range()->startNs : shown.startNs + shown.lengthNs() / 2;
    // The last one that starts no later.
    const auto after = std::upper_bound(m_steps.begin(), m_steps.end(), fromNs,
                                        [](std::int64_t ns, const Interval& step) { return ns < step.startNs; });
    std::ptrdiff_t at = after - m_steps.begin() - 1;
    const bool onStep =
        m_selection->range() && at >= 0 && m_steps[static_cast<std::size_t>(at)] == *m_selection->range();
    if (onStep || (at < 0 && by > 0))
        at += by;
    at = std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(m_steps.size()) - 1);
    const Interval step = m_steps[static_cast<std::size_t>(at)];
    m_selection->setRange(step);
    constexpr std::int64_t kMargin = 8;  // of its length, on either side
    const std::int64_t marginNs = step.lengthNs() / kMargin;
    if (shown.lengthNs() < step.lengthNs() + 2 * marginNs)
        m_view->glideTo({step.startNs - marginNs, step.endNs + marginNs});
    else if (step.startNs < shown.startNs || step.endNs > shown.endNs)
        m_view->glideTo({step.startNs - marginNs, step.startNs - marginNs + shown.lengthNs()});
}

void TimelineView::toggleTrack()
{
    if (!trace() || !m_selection->event().valid())
        return;
    const TrackId own = trace()->trackOf(m_selection->event());
    m_lanes->changeCollapse([own](CollapseState& state, const Trace& shown) {
        // What hides the event is opened first.
        for (TrackId track = own; track.valid(); track = shown.track(track).parent) {
            const TrackBundle* bundle = state.bundleOf(track);
            const bool hidden = bundle != nullptr && state.collapsed(*bundle);
            if (isCollapsible(shown, track) && !hidden)
                return state.set(shown, track, !state.collapsed(shown, track));
            if (bundle != nullptr)
                return state.set(*bundle, !hidden);
        }
    });
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() != QContextMenuEvent::Keyboard || !trace())
        return QWidget::contextMenuEvent(event);
    const EventIndex selected = m_selection->event();
    const LaneCanvas* lanes = selected.valid() ? m_stack->showing(selected) : m_lanes;
    const QRect place = selected.valid() ? lanes->rectOf(selected) : QRect();
    if (place.intersects(lanes->rect())) {
        const QPoint at = place.intersected(lanes->rect()).center();
        emit contextMenuRequested(lanes->spotAt(at), lanes->mapToGlobal(at));
    } else {
        const Interval range = m_view->range();
        const std::int64_t ns = m_view->cursor()->ns().value_or(range.startNs + range.lengthNs() / 2);
        const int x = kLabelWidthPx + static_cast<int>(TimeScale(range, plotWidthPx(m_ruler->width())).toPx(ns));
        emit timeMenuRequested(ns, m_ruler->mapToGlobal(QPoint(x, m_ruler->height())));
    }
}

void TimelineView::moveSelection(int alongRow, int acrossRows)
{
    const EventIndex event = m_selection->event();
    const LaneCanvas* lanes = m_stack->showing(event);
    const EventIndex next = acrossRows != 0 ? lanes->acrossRows(event, acrossRows) : lanes->neighbor(event, alongRow);
    if (!next.valid())
        return;
    m_selection->setEvent(next);
    ensureVisible(next);
}

bool TimelineView::perform(TimelineAction action)
{
    const Interval range = m_view->target();
    const Interval limits = m_view->limits();
    switch (action) {
        case TimelineAction::None:
            return false;
        case TimelineAction::ZoomIn:
        case TimelineAction::ZoomOut:
        case TimelineAction::PanLeft:
        case TimelineAction::PanRight:
            m_held->press(action, false);
            m_held->release(action);
            return true;
        case TimelineAction::EventLeft:
            moveSelection(-1, 0);
            return true;
        case TimelineAction::EventRight:
            moveSelection(1, 0);
            return true;
        case TimelineAction::EventUp:
            moveSelection(0, -1);
            return true;
        case TimelineAction::EventDown:
            moveSelection(0, 1);
            return true;
        case TimelineAction::FitSelection:
            fitSelection();
            return true;
        case TimelineAction::FitAll:
            m_view->fitAll();
            return true;
        case TimelineAction::GoToStart:
            m_view->glideTo({limits.startNs, limits.startNs + range.lengthNs()});
            return true;
        case TimelineAction::GoToEnd:
            m_view->glideTo({limits.endNs - range.lengthNs(), limits.endNs});
            return true;
        case TimelineAction::ScrollUp:
            m_lanes->scrollPages(-1);
            return true;
        case TimelineAction::ScrollDown:
            m_lanes->scrollPages(1);
            return true;
        case TimelineAction::ZoomBack:
            m_view->back();
            return true;
        case TimelineAction::ZoomForward:
            m_view->forward();
            return true;
        case TimelineAction::MarkRange:
            markRange();
            return true;
        case TimelineAction::ToggleBookmark:
            toggleBookmark();
            return true;
        case TimelineAction::NextStep:
            jumpToStep(1);
            return true;
        case TimelineAction::PreviousStep:
            jumpToStep(-1);
            return true;
        case TimelineAction::NextBookmark:
            jumpToBookmark(1);
            return true;
        case TimelineAction::PreviousBookmark:
            jumpToBookmark(-1);
            return true;
        case TimelineAction::RenameBookmark:
            renameBookmark();
            return true;
        case TimelineAction::ToggleTrack:
            toggleTrack();
            return true;
        case TimelineAction::ClearSelection:
            m_selection->clear();
            m_view->cursor()->measureFrom({});
            return true;
        case TimelineAction::Search:
            emit searchRequested();
            return true;
        case TimelineAction::Help:
            emit helpRequested();
            return true;
    }
    return false;
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
    TimelineAction action = timelineAction(*event);
    const bool selected = m_selection->event().valid();
    if (action == TimelineAction::EventLeft && !selected)
        action = TimelineAction::PanLeft;
    if (action == TimelineAction::EventRight && !selected)
        action = TimelineAction::PanRight;
    if (!m_held->press(action, event->isAutoRepeat()) && !perform(action))
        QWidget::keyPressEvent(event);
}

void TimelineView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->isAutoRepeat())
        return;
    const TimelineAction action = timelineAction(*event);
    if (action == TimelineAction::EventLeft)
        m_held->release(TimelineAction::PanLeft);
    else if (action == TimelineAction::EventRight)
        m_held->release(TimelineAction::PanRight);
    else if (action == TimelineAction::None)  // a modifier came between: which key ended is not sure
        m_held->releaseAll();
    else
        m_held->release(action);
    QWidget::keyReleaseEvent(event);
}

void TimelineView::focusOutEvent(QFocusEvent* event)
{
    m_held->releaseAll();
    QWidget::focusOutEvent(event);
}

}  // namespace overlane
