#include "app/timeline/lane_canvas.h"

#include <algorithm>

#include <QApplication>
#include <QPaintEvent>
#include <QToolTip>

#include "app/timeline/selection.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"

namespace overlane
{

LaneCanvas::LaneCanvas(ViewRange* view, Selection* selection, QWidget* parent)
    : QWidget(parent), m_view(view), m_selection(selection), m_scroll(new QScrollBar(Qt::Vertical, this))
{
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(u"Lanes"_s);
    connect(view, &ViewRange::rangeChanged, this, [this] {
        redraw();
        if (underMouse())
            m_view->cursor()->pointAt(cursorNs());
    });
    connect(view->cursor(), &TimeCursor::moved, this, &LaneCanvas::redrawCursor);
    connect(m_scroll, &QScrollBar::valueChanged, this, [this] {
        redraw();
        emit rowsMoved();
        if (m_scrolledByHand && !m_scrollingAlike)
            emit scrolled();
    });
    connect(m_scroll, &QScrollBar::actionTriggered, this, [this] { m_scrolledByHand = true; });
    connect(selection, &Selection::eventChanged, this, [this] { update(); });
    connect(selection, &Selection::rangeChanged, this, [this] { update(); });
}

void LaneCanvas::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const TracePyramids> pyramids)
{
    // A run of the same shape stays where it was scrolled to.
    m_scrolledByHand = m_scrolledByHand && m_trace && trace && m_trace->tracks().size() == trace->tracks().size();
    m_trace = std::move(trace);
    m_pyramids = pyramids || !m_trace ? std::move(pyramids) : std::make_shared<const TracePyramids>(m_trace);
    m_highlights.reset();
    m_hovered = {};
    m_hoveredGap.reset();
    m_analysis.reset();
    m_painter.forgetTexts();
    bundle();
    relayout();
}

void LaneCanvas::setBundling(std::optional<Interval> active)
{
    if (active == m_active)
        return;
    m_active = active;
    bundle();
    relayout();
}

void LaneCanvas::bundle()
{
    m_collapse.setBundles(m_trace && m_active ? std::make_shared<const TrackBundles>(*m_trace, *m_active) : nullptr);
}

void LaneCanvas::setEmptyText(const QString& text)
{
    m_emptyText = text;
    update();
}

void LaneCanvas::setBookmarks(const Bookmarks* bookmarks)
{
    m_bookmarks = bookmarks;
    connect(bookmarks, &Bookmarks::changed, this, [this] { update(); });
}

void LaneCanvas::setBookmarkOffset(std::int64_t offsetNs)
{
    m_bookmarkOffsetNs = offsetNs;
    update();
}

void LaneCanvas::setHighlights(EventSet events)
{
    m_highlights = std::move(events);
    m_painter.invalidateHits();
    update();
}

void LaneCanvas::setAnalysis(std::shared_ptr<const Analysis> analysis)
{
    m_analysis = std::move(analysis);
    m_hoveredGap.reset();
    redraw();
}

void LaneCanvas::setIdleShown(bool shown)
{
    m_idleShown = shown;
    redraw();
}

void LaneCanvas::setBadges(TrackBadges badges)
{
    if (badges == m_badges)
        return;
    m_badges = std::move(badges);
    update(0, 0, kLabelWidthPx, height());
}

void LaneCanvas::setPart(LanePart part)
{
    if (part == m_part)
        return;
    m_part = part;
    relayout();
}

LaneSpot LaneCanvas::spotAt(QPoint pos) const
{
    LaneSpot spot;
    spot.ns = timeAtPx(*m_view, pos.x(), width());
    spot.onName = pos.x() < kLabelWidthPx;
    if (const int index = m_layout.rowAt(pos.y() + m_scroll->value()); index >= 0) {
        spot.track = m_layout.rows[static_cast<std::size_t>(index)].track;
        spot.bundle = m_layout.rows[static_cast<std::size_t>(index)].bundle != nullptr;
    }
    spot.event = eventAt(pos);
    if (!spot.event.valid())
        spot.gap = gapAt(pos);
    return spot;
}

void LaneCanvas::changeCollapse(const std::function<void(CollapseState&, const Trace&)>& change)
{
    if (!m_trace)
        return;
    change(m_collapse, *m_trace);
    relayout();
    emit foldingChanged();
}

void LaneCanvas::setCollapse(CollapseState collapse)
{
    collapse.setBundles(m_collapse.bundles());
    m_collapse = std::move(collapse);
    relayout();
}

void LaneCanvas::relayout()
{
    m_layout = m_trace ? layoutTracks(*m_trace, m_collapse, m_part) : TrackLayout{};
    m_scroll->setRange(0, std::max(0, m_layout.heightPx - height()));
    m_scroll->setPageStep(std::max(1, height()));
    m_scroll->setSingleStep(kRowPx);
    m_scroll->setVisible(m_scroll->maximum() > 0);
    if (!m_scrolledByHand)
        m_scroll->setValue(firstScrollPx());
    redraw();
    emit rowsMoved();
}

// Until somebody scrolls, the copies and kernels are in sight: they are what the window is about.
int LaneCanvas::firstScrollPx() const
{
    if (!m_trace)
        return 0;
    const TrackLayout::Stretch device = m_layout.firstDevice(*m_trace);
    return std::max(0, std::min(device.topPx, device.bottomPx - height()));
}

void LaneCanvas::redraw()
{
    m_painter.invalidate();
    update();
}

LaneScene LaneCanvas::scene() const
{
    LaneScene scene;
    scene.trace = m_trace.get();
    scene.pyramid = pyramid();
    scene.layout = &m_layout;
    scene.palette = &Palette::current(palette());
    scene.range = m_view->range();
    scene.scrollPx = m_scroll->value();
    scene.part = m_part;
    scene.sizePx = size();
    scene.devicePixelRatio = devicePixelRatioF();
    scene.selected = m_selection->event();
    scene.hovered = m_hovered;
    scene.selectedRange = m_selection->range();
    scene.highlights = m_highlights.get();
    scene.bookmarks = m_bookmarks != nullptr ? &m_bookmarks->all() : nullptr;
    scene.bookmarkOffsetNs = m_bookmarkOffsetNs;
    scene.analysis = m_analysis.get();
    scene.idleShown = m_idleShown;
    scene.hoveredGap = m_hoveredGap;
    scene.selectedGap = m_selection->gap();
    scene.badges = &m_badges;
    return scene;
}

// Only the columns where it was and is.
void LaneCanvas::redrawCursor()
{
    const std::optional<int> nowPx = cursorPx(*m_view, width());
    for (const std::optional<int>& px : {m_cursorPx, nowPx})
        if (px)
            update(*px - 1, 0, 3, height());
    m_cursorPx = nowPx;
}

void LaneCanvas::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    const Palette& colors = Palette::current(palette());
    painter.fillRect(rect(), colors.lanes);
    if (m_trace && !m_layout.rows.empty()) {
        LaneScene shown = scene();
        shown.dirtyPx = event->rect();
        m_painter.paint(painter, shown);
        paintCursorLine(painter, *m_view, size(), colors.mutedText);
        return;
    }
    painter.setPen(colors.mutedText);
    const QString text = m_trace ? u"This trace has no events."_s : m_emptyText;
    painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void LaneCanvas::resizeEvent(QResizeEvent*)
{
    m_scroll->setGeometry(width() - kRightMarginPx, 0, kRightMarginPx, height());
    relayout();
}

void LaneCanvas::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_painter.forgetTexts();
        redraw();
    }
    QWidget::changeEvent(event);
}

std::int64_t LaneCanvas::timeAt(int xPx) const
{
    return TimeScale(m_view->range(), plotWidthPx(width())).toNs(xPx - kLabelWidthPx);
}

EventIndex LaneCanvas::eventAt(QPoint pos) const
{
    constexpr int kReachPx = 3;
    const int index = m_layout.rowAt(pos.y() + m_scroll->value());
    const int plot = plotWidthPx(width());
    if (index < 0 || pos.x() < kLabelWidthPx || pos.x() >= kLabelWidthPx + plot)
        return {};
    const double ratio = devicePixelRatioF();
    const auto bars = laneBars(*pyramid(), m_layout.rows[static_cast<std::size_t>(index)].rows, m_view->range(),
                               static_cast<int>(std::lround(plot * ratio)));
    const LaneBar* bar = barAt(bars, static_cast<int>((pos.x() - kLabelWidthPx) * ratio), kReachPx);
    return bar != nullptr ? bar->event : EventIndex();
}

std::optional<IdleGapAt> LaneCanvas::gapAt(QPoint pos) const
{
    const int index = m_layout.rowAt(pos.y() + m_scroll->value());
    if (index < 0 || !m_analysis || pos.x() < kLabelWidthPx || pos.x() >= kLabelWidthPx + plotWidthPx(width()))
        return {};
    const LaneRow& row = m_layout.rows[static_cast<std::size_t>(index)];
    if (!isComputeLane(*m_trace, row))
        return {};
    return idleGapAt(*m_analysis, m_trace->track(row.track).device, timeAt(pos.x()));
}

QRect LaneCanvas::rectOf(EventIndex event) const
{
    return m_trace ? eventRect(scene(), event) : QRect();
}

void LaneCanvas::scrollTo(EventIndex event)
{
    const int index = m_trace ? m_layout.rowOf(*m_trace, event) : -1;
    if (index < 0)
        return;
    m_scrolledByHand = true;
    const LaneRow& row = m_layout.rows[static_cast<std::size_t>(index)];
    if (row.topPx < m_scroll->value())
        m_scroll->setValue(row.topPx);
    else if (row.bottomPx() > m_scroll->value() + height())
        m_scroll->setValue(row.bottomPx() - height());
}

EventIndex LaneCanvas::neighbor(EventIndex event, int step) const
{
    const int index = m_trace ? m_layout.rowOf(*m_trace, event) : -1;
    if (index < 0)
        return {};
    for (const EventRange range : m_layout.rows[static_cast<std::size_t>(index)].rows) {
        const std::int64_t next = static_cast<std::int64_t>(event.value()) + step;
        if (event.value() >= range.first && event.value() < range.last)
            return next >= range.first && next < range.last ? EventIndex(static_cast<std::uint32_t>(next)) : event;
    }
    return event;
}

EventIndex LaneCanvas::acrossRows(EventIndex event, int step) const
{
    int index = m_trace ? m_layout.rowOf(*m_trace, event) : -1;
    if (index < 0)
        return {};
    const Interval interval = m_trace->interval(event);
    const std::int64_t middleNs = interval.startNs + interval.lengthNs() / 2;
    const auto& starts = m_trace->columns().startNs;
    for (index += step; index >= 0 && index < static_cast<int>(m_layout.rows.size()); index += step) {
        EventIndex best;
        std::int64_t bestNs = 0;
        for (const EventRange range : m_layout.rows[static_cast<std::size_t>(index)].rows) {
            const auto next = static_cast<std::uint32_t>(
                std::upper_bound(starts.begin() + range.first, starts.begin() + range.last, middleNs) - starts.begin());
            for (const std::uint32_t candidate : {next - 1, next}) {
                if (candidate < range.first || candidate >= range.last)
                    continue;
                const Interval other = m_trace->interval(EventIndex(candidate));
                const std::int64_t distanceNs =
                    std::max<std::int64_t>({0, other.startNs - middleNs, middleNs - other.endNs});
                if (!best.valid() || distanceNs < bestNs) {
                    best = EventIndex(candidate);
                    bestNs = distanceNs;
                }
            }
        }
        if (best.valid())
            return best;
    }
    return event;
}

void LaneCanvas::scrollPages(int pages)
{
    m_scrolledByHand = true;
    m_scroll->setValue(m_scroll->value() + pages * std::max(kRowPx, height() - 2 * kRowPx));
}

std::vector<EventRange> LaneCanvas::rowsInSight() const
{
    std::vector<EventRange> inSight;
    for (const LaneRow& row : m_layout.rows)
        if (row.bottomPx() > m_scroll->value() && row.topPx < m_scroll->value() + height())
            inSight.insert(inSight.end(), row.rows.begin(), row.rows.end());
    return inSight;
}

std::optional<LanePlace> LaneCanvas::topPlace() const
{
    const int top = m_scroll->value();
    for (const LaneRow& row : m_layout.rows)
        if (row.bottomPx() > top && row.rowInTrack == 0)
            return LanePlace{rowPlace(*m_trace, row), top - row.topPx};
    return std::nullopt;
}

void LaneCanvas::scrollToPlace(const LanePlace& place)
{
    for (const LaneRow& row : m_layout.rows)
        if (row.rowInTrack == 0 && rowPlace(*m_trace, row) == place.track) {
            m_scrollingAlike = true;
            m_scrolledByHand = true;
            m_scroll->setValue(row.topPx + place.pastPx);
            m_scrollingAlike = false;
            return;
        }
}

void LaneCanvas::scrollToFirst()
{
    m_scrolledByHand = false;
    m_scroll->setValue(firstScrollPx());
}

std::optional<std::int64_t> LaneCanvas::cursorNs() const
{
    const QPoint cursor = mapFromGlobal(QCursor::pos());
    if (!underMouse() || cursor.x() < kLabelWidthPx || cursor.x() >= width() - kRightMarginPx)
        return std::nullopt;
    return timeAt(cursor.x());
}

}  // namespace overlane
